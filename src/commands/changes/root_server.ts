/**
 * The tools of one directory, in the Worker that also serves them to clients, with the same permissions: a
 * person who looks at changes, or undoes one, does so behind the same fences.
 */
import type { Config, UndoSettings } from "../../base/config.ts";
import { UsageError } from "../../base/errors.ts";
import { NAME } from "../../base/version.ts";
import { quote } from "../../cli/mistakes.ts";
import { namesFor, realDirectory } from "../../cli/root_dirs.ts";
import { existingBase, existingStore, foundStore, UNDO_DEFAULTS } from "../../cli/undo.ts";
import type { CommandArguments, CommandIo } from "../command.ts";
import { startTools, trialConfig } from "../doctor/live_server.ts";

export const EXIT = { done: 0, usage: 1, conflict: 2, nothing: 3 } as const;

export interface RootServer extends AsyncDisposable {
  /** The root's name, as the tools take it. */
  readonly root: string;
  /** The structured result, or the text of a failure. */
  call(tool: string, args: Record<string, unknown>): Promise<Answered>;
}

export interface Failure {
  readonly failure: string;
  /** One of the program's error codes. */
  readonly code: string | undefined;
}

export type Answered = { readonly value: Record<string, unknown> } | Failure;

/** Undefined when nothing has been recorded for the directory. Throws a UsageError. */
export async function openRoot(
  dir: string,
  { flags, io }: { flags: CommandArguments["flags"]; io: CommandIo },
): Promise<RootServer | undefined> {
  const real = realDirectory(dir);
  if ("reason" in real) {
    throw new UsageError([
      `directory ${quote(dir)} ${real.reason}, but must be an existing directory; example: ${NAME} log .`,
    ]);
  }
  const store = storeOf(real.value, { flags, io });
  if (store === undefined) return undefined;
  const name = namesFor([real.value])[0] ?? "root";
  const config = configFor({ name, path: real.value, store });
  const server = await startTools(config, {
    note: (text) => io.note(text),
    programFiles: io.programFiles,
  });
  return {
    root: name,
    call: async (tool, args) => {
      const { whole, failed, text, code } = await server.call(
        tool,
        { root: name, ...args },
        `${NAME} (a person)`,
      );
      if (failed) return { failure: text.replace(/ \(root: [^()]*\)$/, ""), code };
      return {
        value: (JSON.parse(whole) as { structuredContent: Record<string, unknown> }).structuredContent,
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** These commands look at what was recorded: they create neither a store nor the folder of stores. */
function storeOf(
  path: string,
  { flags, io }: { flags: CommandArguments["flags"]; io: CommandIo },
): string | undefined {
  const { "undo-dir": given, store } = flags;
  const base = existingBase({
    flags: typeof given === "string" ? { "undo-dir": given } : {},
    file: undefined,
    env: io.env,
  });
  const example = `example: ${NAME} log --undo-dir=/var/lib/paddock`;
  if ("reason" in base) throw new UsageError([`${base.reason}; ${example}`]);
  if (base.value === undefined) {
    if (given === undefined && store === undefined) return undefined; // nothing was ever recorded
    throw new UsageError([`the undo folder does not exist; ${example}`]);
  }
  if (typeof store !== "string") return foundStore({ base: base.value, path });
  const named = existingStore({ base: base.value, name: store, path });
  if ("reason" in named) throw new UsageError([named.reason]);
  return named.value;
}

function configFor({ name, path, store }: { name: string; path: string; store: string }): Config {
  const config = trialConfig(path);
  const undo: UndoSettings = {
    store,
    keepDays: UNDO_DEFAULTS.keepDays,
    maxBytes: UNDO_DEFAULTS.maxMb * 1024 * 1024,
    maxChangeBytes: UNDO_DEFAULTS.maxChangeMb * 1024 * 1024,
    exclude: [],
    required: false,
  };
  const roots = [{ name, path, allowedTools: ["*"], protectGit: true, undo }];
  return { ...config, surface: { kind: "roots", roots, maxFullReadSize: 1_048_576 }, timeoutMs: TIMEOUT_MS };
}

const TIMEOUT_MS = 60_000;

/** The exit code for a failure. */
export function exitFor({ code }: Failure): number {
  if (code === "CONFLICT") return EXIT.conflict;
  return code === "NOT_FOUND" ? EXIT.nothing : EXIT.usage;
}
