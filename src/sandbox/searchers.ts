/** Main's side of the search workers: they are started here, on a server's word, and told from here to go. */

/** The search workers of a server. They have permissions of their own, unless the server has all there are. */
export class Searchers {
  readonly #permissions: Deno.PermissionOptionsObject | undefined;
  readonly #workers = new Set<Worker>();

  constructor(permissions: Deno.PermissionOptionsObject | undefined) {
    this.#permissions = permissions;
  }

  /** One that cannot be started is lost like one that has crashed: its searches are the server's again. */
  start(port: MessagePort, lost: () => void): void {
    try {
      this.#start(port, lost);
    } catch {
      lost();
    }
  }

  #start(port: MessagePort, lost: () => void): void {
    const worker = new Worker(new URL("../engine/search/crew/search_worker.ts", import.meta.url), {
      type: "module",
      name: "paddock search",
      ...(this.#permissions === undefined ? {} : { deno: { permissions: this.#permissions } }),
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
    worker.postMessage(port, [port]);
  }

  end(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.clear();
  }
}
