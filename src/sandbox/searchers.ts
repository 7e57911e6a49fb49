/** Main's side of the search workers: starts them at a server's request, and ends them. */
import type { KernelPlan } from "../base/kernel.ts";
import type { SearcherStart } from "./messages.ts";

/** What restricts a search worker. */
export interface SearcherFences {
  /** If undefined, it has those of the process. */
  permissions: Deno.PermissionOptionsObject | undefined;
  kernel: KernelPlan;
}

/**
 * The search workers of a server. They have permissions of their own, unless the server has all permissions.
 */
export class Searchers {
  readonly #fences: SearcherFences;
  readonly #workers = new Set<Worker>();

  constructor(fences: SearcherFences) {
    this.#fences = fences;
  }

  /**
   * A worker that cannot be started counts as lost, like one that has crashed: the server takes over its
   * searches. `unlimited` when the kernel fence suffices: it is then the only fence around the worker.
   */
  start(port: MessagePort, lost: () => void, unlimited = false): void {
    try {
      this.#start({ port, kernel: this.#fences.kernel, unlimited }, lost);
    } catch {
      lost();
    }
  }

  #start(start: SearcherStart, lost: () => void): void {
    const { permissions } = this.#fences;
    const worker = new Worker(new URL("./search_worker.ts", import.meta.url), {
      type: "module",
      name: "paddock search",
      ...(permissions === undefined || start.unlimited ? {} : { deno: { permissions } }),
    });
    this.#workers.add(worker);
    const end = () => {
      worker.terminate();
      this.#workers.delete(worker);
    };
    worker.onmessage = end; // its only message is that it is done
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      lost();
    };
    worker.postMessage(start, [start.port]);
  }

  end(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.clear();
  }
}
