/** Main's side of the search workers: they are started here, on a server's word, and told from here to go. */
import { type KernelPlan } from "../base/kernel.ts";
import { type SearcherStart } from "./messages.ts";

/** What keeps a search worker in. */
export interface SearcherFences {
  /** Without them it has those of the process. */
  permissions: Deno.PermissionOptionsObject | undefined;
  kernel: KernelPlan;
}

/** The search workers of a server. They have permissions of their own, unless the server has all there are. */
export class Searchers {
  readonly #fences: SearcherFences;
  readonly #workers = new Set<Worker>();

  constructor(fences: SearcherFences) {
    this.#fences = fences;
  }

  /**
   * One that cannot be started is lost like one that has crashed: its searches are the server's again. `unlimited`
   * when the kernel's fence is enough alone: it is then the only one around it.
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
    worker.onmessage = end; // it has nothing to say but that it is done
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
