/** Main's side of the console's Workers: they are started here, each with just what it needs. */
import { consoleDirectoriesOf, type ConsoleSources } from "../base/config.ts";
import { type ConsoleRole } from "../base/spawn.ts";
import { type KernelPlan } from "../base/kernel.ts";
import { type ConsoleStart, type FromConsole, type ToConsole } from "./console_messages.ts";
import { consolePermissionsFor, withLibraries } from "./plan.ts";

export interface ConsoleWorkersOptions {
  /** What is shown now: directories may have been replaced since the last one was started. */
  readonly sources: () => ConsoleSources;
  readonly kernel: (role: ConsoleRole, sources: ConsoleSources) => KernelPlan;
  /** Holds the database of a store open, for all who share it in this process. */
  readonly hold: (store: string) => Promise<void>;
}

/** Those who look and change. At most one of each is of use: an older one has rules for directories that are gone. */
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
      if (all.includes(data.store)) await hold(data.store); // no other file is opened on its word
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

/** One that waits for its first message. */
export function startConsoleWorker(
  permissions: Deno.PermissionOptionsObject,
  role: ConsoleStart["role"],
): Worker {
  return new Worker(new URL("./console_worker.ts", import.meta.url), {
    type: "module",
    name: `paddock ${role}`,
    deno: { permissions },
  });
}
