/** Reports once after each period of work that there has been nothing to do for a while. */

export class Rest {
  readonly #begun: () => void;
  readonly #ms: number;
  #workedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `begun` after so many milliseconds without work. */
  constructor(begun: () => void, ms: number) {
    this.#begun = begun;
    this.#ms = ms;
  }

  /** There is something to do. One timer serves any number of these calls. */
  work(): void {
    this.#workedAt = performance.now();
    if (this.#timer === undefined) this.#wakeIn(this.#ms);
  }

  /** Stops reporting. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wakeIn(ms: number): void {
    this.#timer = setTimeout(() => this.#wake(), ms);
  }

  #wake(): void {
    this.#timer = undefined;
    const left = this.#workedAt + this.#ms - performance.now();
    if (left > 1) this.#wakeIn(left);
    else this.#begun();
  }
}
