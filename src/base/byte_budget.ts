/**
 * One budget of bytes for everything in flight: requests while they are read, and answers from when they are
 * made until they are sent. Whoever asks for more than is left waits, first come, first served, except that
 * small requests go ahead while there is room. Bytes that already exist are counted without waiting, so
 * nobody who holds bytes ever waits for more.
 */
import { abortReason } from "./errors.ts";

export const USUAL_BUDGET = 256 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

export class ByteBudget {
  readonly #total: number;
  /**
   * Kept free for small requests while one caller, who asked for more than the whole budget, has the rest.
   */
  readonly #spare: number;
  /** Requests up to this size do not queue behind larger ones. */
  readonly #little: number;
  readonly #queue = new Set<Waiting>();
  #used = 0;

  constructor(total = USUAL_BUDGET) {
    this.#total = total;
    this.#spare = Math.floor(total / 8);
    this.#little = Math.floor(total / 256);
  }

  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Counts bytes that already exist or, with a negative number, bytes that are gone. */
  add(bytes: number): void {
    this.#used += bytes;
    if (bytes < 0) this.#advance();
  }

  /**
   * Takes `bytes`: at once (returns undefined), or as soon as they are free. An aborted signal ends the wait.
   */
  take(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    if ((this.#queue.size === 0 || bytes <= this.#little) && this.#fits(bytes)) {
      this.#used += bytes;
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      bytes,
      go: () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
    };
    const abort = () => {
      this.#queue.delete(waiting);
      if (signal !== undefined) reject(abortReason(signal));
      this.#advance(); // those behind may need less
    };
    this.#queue.add(waiting);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    return promise;
  }

  #fits(bytes: number): boolean {
    return this.#used + Math.min(bytes, this.#total - this.#spare) <= this.#total;
  }

  #advance(): void {
    for (const waiting of this.#queue) {
      if (!this.#fits(waiting.bytes)) return;
      this.#queue.delete(waiting);
      this.#used += waiting.bytes;
      waiting.go();
    }
  }
}

/** One request's or call's share of a budget. */
export class Hold {
  readonly #budget: ByteBudget;
  #bytes = 0;
  #waiting: Promise<void> | undefined;
  #released = false;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes more. If that means waiting, the hold gives back what it has for that time. Concurrent calls wait
   * for each other in turn; otherwise one would hold what it was given while another waits.
   */
  take(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    const take = () => this.#take(bytes, signal);
    const waiting = this.#waiting === undefined ? take() : this.#waiting.then(take, take);
    if (waiting === undefined) return undefined;
    const over = () => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
    this.#waiting = waiting;
    waiting.then(over, over);
    return waiting;
  }

  /** Counts more bytes that already exist. */
  add(bytes: number): void {
    this.#set(this.#bytes + bytes);
  }

  release(): void {
    this.#set(0);
    this.#released = true;
  }

  #take(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const all = this.#bytes + bytes;
    this.#set(0);
    const waiting = this.#budget.take(all, signal);
    if (waiting === undefined) this.#taken(all);
    return waiting?.then(() => this.#taken(all));
  }

  #taken(bytes: number): void {
    this.#bytes = bytes;
    if (this.#released) this.#set(0); // released while waiting
  }

  #set(bytes: number): void {
    const more = this.#released ? -this.#bytes : bytes - this.#bytes;
    this.#bytes += more;
    if (more !== 0) this.#budget.add(more);
  }
}
