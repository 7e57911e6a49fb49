/**
 * Deadlines that all are as far away as each other, with one timer for all of them. Nearly every deadline is met,
 * and a timer for each would cost more than reading the request that it is for.
 */

interface Deadline {
  readonly at: number;
  readonly missed: () => void;
}

export class Deadlines {
  readonly #ms: number;
  /** In the order in which they come. */
  readonly #open = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Calls `missed` in time, unless what it gives is called before. */
  set(missed: () => void): () => void {
    const deadline = { at: performance.now() + this.#ms, missed };
    this.#open.add(deadline);
    this.#timer ??= setTimeout(() => this.#check(), this.#ms);
    return () => void this.#open.delete(deadline);
  }

  /** Nothing is missed any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#open.clear();
  }

  #check(): void {
    this.#timer = undefined;
    for (const deadline of this.#open) {
      const left = deadline.at - performance.now();
      if (left > 0.5) {
        this.#timer = setTimeout(() => this.#check(), left);
        return;
      }
      this.#open.delete(deadline);
      deadline.missed();
    }
  }
}
