/**
 * The order of calls on one connection. A client on stdio may rely on its calls taking effect in the order in
 * which it sent them. Calls that only read can run side by side without anyone noticing; a call that changes
 * something waits for all before it and holds back all after it.
 */

export type Kind = "read" | "write";

interface Waiting {
  kind: Kind;
  start: () => void;
}

/** How many calls that read run side by side; each may hold a whole file and its answer. */
const MAX_READERS = 8;

export class Scheduler {
  readonly #waiting: Waiting[] = [];
  #readers = 0;
  #writing = false;

  /** Runs `body` when its turn comes; a call cancelled before that never runs. */
  async run<T>(kind: Kind, body: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#waiting.length > 0 || !this.#hasRoomFor(kind)) await this.#turn(kind, signal);
    else this.#begin(kind);
    try {
      return await body();
    } finally {
      if (kind === "write") this.#writing = false;
      else this.#readers--;
      this.#advance();
    }
  }

  #turn(kind: Kind, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const place = this.#waiting.indexOf(entry);
        if (place < 0) return;
        this.#waiting.splice(place, 1);
        reject(signal?.reason);
        this.#advance();
      };
      const entry: Waiting = {
        kind,
        start: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#waiting.push(entry);
      this.#advance();
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted) abort();
    });
  }

  #advance(): void {
    for (;;) {
      const next = this.#waiting[0];
      if (next === undefined || !this.#hasRoomFor(next.kind)) return;
      this.#waiting.shift();
      this.#begin(next.kind);
      next.start();
    }
  }

  #hasRoomFor(kind: Kind): boolean {
    return !this.#writing && this.#readers < (kind === "write" ? 1 : MAX_READERS);
  }

  #begin(kind: Kind): void {
    if (kind === "write") this.#writing = true;
    else this.#readers++;
  }
}
