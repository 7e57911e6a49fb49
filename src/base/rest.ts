/** Tells when there has been nothing to do for a while, once after every spell of work. */

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

  /** There is something to do. One timer serves for any number of these. */
  work(): void {
    this.#workedAt = performance.now();
    if (this.#timer === undefined) this.#wakeIn(this.#ms);
  }

  /** Tells no more. */
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
