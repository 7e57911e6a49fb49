/** The time a search has: others get a turn every few milliseconds, a cancellation ends it, and so does its limit. */
import { Pace } from "../yield.ts";

export interface TimeOptions {
  /** How long the search may take; what was found until then is the result. */
  timeoutMs?: number | undefined;
  /** A cancellation, which throws: nobody waits for the result any longer. */
  signal?: AbortSignal | undefined;
  /** After how much work others get a turn. */
  paceMs?: number | undefined;
  /** How others get it; a timer unless given. */
  giveWay?: (() => Promise<void>) | undefined;
  /** Asked often; true ends the search like a time limit: somebody else continues from here. */
  isOver?: (() => boolean) | undefined;
}

export class SearchTime {
  readonly #pace: Pace;
  readonly #end: number;
  readonly #isOver: () => boolean;
  #isUp = false;

  constructor({ timeoutMs = Infinity, signal, paceMs, giveWay, isOver = () => false }: TimeOptions) {
    this.#isOver = isOver;
    this.#pace = new Pace(signal, paceMs, giveWay);
    this.#end = performance.now() + timeoutMs;
  }

  /** Whether a step was refused because the time was up. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Milliseconds; Infinity without a limit. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** Whether `step` would do anything: most of the time it would not, and to wait for it takes longer than this. */
  get isDue(): boolean {
    return this.#isUp || this.#pace.isDue || performance.now() >= this.#end || this.#isOver();
  }

  /** Others have just had a turn. */
  restart(): void {
    this.#pace.restart();
  }

  /** Call this between any two pieces of work; false if the time is up. */
  async step(): Promise<boolean> {
    await this.#pace.step();
    if (performance.now() >= this.#end || this.#isOver()) this.#isUp = true;
    return !this.#isUp;
  }
}

/** How often at most a search reports its progress. */
export const PROGRESS_MS = 200;

/** The action, carried out at most once in this many milliseconds. */
export function every(ms: number, action: () => void): () => void {
  let last = performance.now();
  return () => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    action();
  };
}
