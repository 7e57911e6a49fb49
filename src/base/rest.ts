/** Reports once after each period of work that there has been nothing to do for a while. */
import { after, type Timer } from "./timer.ts";

export class Rest {
  readonly #begun: () => void;
  readonly #ms: number;
  #workedAt = 0;
  #timer: Timer | undefined;

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
    this.#timer?.clear();
    this.#timer = undefined;
  }

  #wakeIn(ms: number): void {
    this.#timer = after(ms, () => this.#wake());
  }

  #wake(): void {
    this.#timer = undefined;
    const left = this.#workedAt + this.#ms - performance.now();
    if (left > 1) this.#wakeIn(left);
    else this.#begun();
  }
}
