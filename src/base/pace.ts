/** Waiting and yielding: long loops let pings, cancellations and other calls through between steps. */
import { abortReason, throwIfAborted } from "./errors.ts";

/** Waits `ms` milliseconds; throws if the signal is aborted first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal));
    const abort = () => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Other calls take several steps, each in a round of the event loop. */
const ROUNDS = 4;
const NOTHING = new Uint8Array(0);

/**
 * Lets what is waiting for the event loop go first; throws if the signal is aborted. A timer would take 2 ms, and the
 * first one 12 more; a message to oneself comes back before anything else had its turn. What another thread does
 * takes 0.1 ms, and comes back when the others have had theirs.
 */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await crypto.subtle.digest("SHA-1", NOTHING);
  throwIfAborted(signal);
}

/** How long timers may have to wait for a turn: on a busy machine they may get none while others do. */
const TIMERS_MS = 50;

/** Gives way, and every so often until a timer has fired. */
function givingWay(): () => Promise<void> {
  let firedAt = performance.now();
  return async () => {
    if (performance.now() - firedAt < TIMERS_MS) return await giveWay();
    await new Promise((resolve) => setTimeout(resolve, 0));
    firedAt = performance.now();
  };
}

/** Gives way at most once in `everyMs` milliseconds of work; otherwise only checks the signal. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  readonly #everyMs: number;
  readonly #giveWay: () => Promise<void>;
  #last = performance.now();

  constructor(signal: AbortSignal | undefined, everyMs = 10, wait: () => Promise<void> = givingWay()) {
    this.#signal = signal;
    this.#everyMs = everyMs;
    this.#giveWay = wait;
  }

  /** Whether `step` would do anything. */
  get isDue(): boolean {
    return this.#signal?.aborted === true || performance.now() - this.#last >= this.#everyMs;
  }

  /** Call this after waiting for something outside this thread: others have just had their turn. */
  restart(): void {
    this.#last = performance.now();
  }

  async step(): Promise<void> {
    throwIfAborted(this.#signal);
    if (performance.now() - this.#last < this.#everyMs) return;
    await this.#giveWay();
    throwIfAborted(this.#signal);
    this.#last = performance.now();
  }
}

/** Runs work that is cut into steps (see text/steps.ts) and yields between them. */
export async function inSteps<T>(steps: Generator<void, T>, pace: Pace): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pace.isDue) await pace.step();
  }
}
