/**
 * One budget of bytes for all that is in flight: requests that are being read, and answers from when they are made
 * until they are sent. Who wants more than there is waits, first come, first served, but for those who want little
 * while there is some. What is there already is counted without waiting, so that nobody who holds bytes ever waits
 * for more.
 */
import { abortReason } from "./errors.ts";

export const USUAL_BUDGET = 256 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

export class ByteBudget {
  readonly #total: number;
  /** What small change may be in flight while somebody has all the rest, who wants more than there is. */
  readonly #spare: number;
  /** Who wants no more than this does not queue behind those who want much. */
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

  /** How many are waiting. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Counts bytes that are there, or with a negative number are there no more. */
  add(bytes: number): void {
    this.#used += bytes;
    if (bytes < 0) this.#advance();
  }

  /** Takes so many bytes: at once (undefined), or when they can be had. An aborted signal ends the waiting. */
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
      this.#advance(); // those behind may want less
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

/** What one request or call has of a budget. */
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
   * Takes so many more; when they must be waited for, what was held is given up for that time. Of several at once,
   * each waits for the one before: or else what one is given would be held while another waits.
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

  /** Counts so many more that are there already. */
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
    if (this.#released) this.#set(0); // it was not waited for any more
  }

  #set(bytes: number): void {
    const more = this.#released ? -this.#bytes : bytes - this.#bytes;
    this.#bytes += more;
    if (more !== 0) this.#budget.add(more);
  }
}
