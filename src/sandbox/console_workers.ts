/** Main's side of the console's Workers: starts each with just the permissions it needs. */
import { consoleDirectoriesOf, type ConsoleSources } from "../base/config.ts";
import { withOwnSources } from "./own_sources.ts";
import type { ConsoleRole } from "../base/spawn.ts";
import type { KernelPlan } from "../base/kernel.ts";
import type { ConsoleStart, FromConsole, ToConsole } from "./console_messages.ts";
import { consolePermissionsFor, withLibraries } from "./plan.ts";

export interface ConsoleWorkersOptions {
  /** What to show now: directories may have been replaced since the last worker was started. */
  readonly sources: () => ConsoleSources;
  readonly kernel: (role: ConsoleRole, sources: ConsoleSources) => KernelPlan;
  /** Holds a store's database open, for every connection in this process. */
  readonly hold: (store: string) => Promise<void>;
}

/**
 * The workers that look at files and change them. Only one of each is kept: an older one has rules for
 * directories that are gone.
 */
export class ConsoleWorkers {
  readonly #options: ConsoleWorkersOptions;
  readonly #workers = new Map<ConsoleRole, Worker>();

  constructor(options: ConsoleWorkersOptions) {
    this.#options = options;
  }

  start(role: ConsoleRole, port: MessagePort, lost: (why: string) => void): void {
    try {
      this.#start(role, port, lost);
    } catch (error) {
      lost((error as Error).message);
    }
  }

  end(): void {
    for (const worker of this.#workers.values()) worker.terminate();
    this.#workers.clear();
  }

  #start(role: ConsoleRole, port: MessagePort, lost: (why: string) => void): void {
    const { hold, kernel: planFor } = this.#options;
    const sources = this.#options.sources();
    const kernel = planFor(role, sources);
    const permissions = consolePermissionsFor(role, sources);
    const worker = startConsoleWorker("rules" in kernel ? withLibraries(permissions) : permissions, role);
    this.#workers.get(role)?.terminate();
    this.#workers.set(role, worker);
    const { all } = consoleDirectoriesOf(sources);
    worker.onmessage = async ({ data }: MessageEvent<FromConsole>) => {
      if (data.type !== "hold") return;
      if (all.includes(data.store)) await hold(data.store); // the worker cannot have any other file opened
      worker.postMessage({ type: "held", id: data.id } satisfies ToConsole);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      if (this.#workers.get(role) === worker) this.#workers.delete(role);
      lost(event.message);
    };
    worker.postMessage({ role, sources, kernel, port } satisfies ConsoleStart, [port]);
  }
}

/** A worker that waits for its first message. */
export function startConsoleWorker(
  permissions: Deno.PermissionOptionsObject,
  role: ConsoleStart["role"],
): Worker {
  return new Worker(new URL("./console_worker.ts", import.meta.url), {
    type: "module",
    name: `paddock ${role}`,
    deno: { permissions: withOwnSources(permissions) },
  });
}
