/**
 * The kernel fence as a plan: what its rules allow a server, a search worker and the console's workers. Pure.
 */
import {
  type Config,
  consoleDirectoriesOf,
  type ConsoleSources,
  directoriesOf,
  eventFilesOf,
  type HttpConfig,
  undoDirectoriesOf,
  writableDirectoriesOf,
} from "../../base/config.ts";
import type { KernelRules } from "../../base/kernel.ts";
import type { ConsoleRole } from "../../base/spawn.ts";

/** What the runtime itself reads while the program runs: nothing in an executable. */
export type ProgramFiles = readonly string[];

/**
 * What the permissions allow (`plan.ts`), plus the program's files, which the runtime reads on our thread.
 */
export function kernelRulesFor(config: Config, program: ProgramFiles): KernelRules {
  const { transport } = config;
  const stores = undoDirectoriesOf(config.surface);
  const write = [...writableDirectoriesOf(config), ...stores, ...eventFilesOf(config)];
  return {
    write,
    read: directoriesOf(config.surface).filter((directory) => !write.includes(directory)),
    program,
    ...(transport.kind === "http" ? { port: transport.port } : {}),
  };
}

/** For a Worker that has only the tools and talks to nobody but the server. */
export function toolRulesFor(config: Config, program: ProgramFiles): KernelRules {
  const { port: _, ...rules } = kernelRulesFor(config, program);
  return rules;
}

/** For the console's worker that looks at files, or the one that changes them once a person has confirmed. */
export function consoleRulesFor(
  role: ConsoleRole,
  sources: ConsoleSources,
  program: ProgramFiles,
): KernelRules {
  const { all, changed } = consoleDirectoriesOf(sources);
  const write = role === "hand" ? changed : [];
  return { write, read: all.filter((directory) => !write.includes(directory)), program };
}

/** For the console's worker that talks to browsers and touches no file. */
export function frontRulesFor({ port }: HttpConfig, program: ProgramFiles): KernelRules {
  return { write: [], read: [], program, port };
}

export function searchRulesFor(config: Config, program: ProgramFiles): KernelRules {
  return { write: [], read: directoriesOf(config.surface), program };
}
