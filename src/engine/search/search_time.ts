/** The time a search has: others get a turn every few milliseconds, a cancellation ends it, and so does its limit. */
import { Pace } from "../yield.ts";

export interface TimeOptions {
  /** How long the search may take; what was found until then is the result. */
  timeoutMs?: number | undefined;
  /** A cancellation, which throws: nobody waits for the result any more. */
  signal?: AbortSignal | undefined;
}

export class SearchTime {
  readonly #pace: Pace;
  readonly #end: number;
  #isUp = false;

  constructor({ timeoutMs = Infinity, signal }: TimeOptions) {
    this.#pace = new Pace(signal);
    this.#end = performance.now() + timeoutMs;
  }

  /** Whether a step was refused because the time was up. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** To be called between any two pieces of work; false when the time is up. */
  async step(): Promise<boolean> {
    await this.#pace.step();
    if (performance.now() >= this.#end) this.#isUp = true;
    return !this.#isUp;
  }
}
