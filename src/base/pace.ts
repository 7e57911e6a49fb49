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

/** Lets everything waiting for the event loop go first; throws if the signal is aborted. */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  throwIfAborted(signal);
}

/** Gives way at most once in `everyMs` milliseconds of work; otherwise only checks the signal. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  readonly #everyMs: number;
  readonly #giveWay: () => Promise<void>;
  #last = performance.now();

  constructor(signal: AbortSignal | undefined, everyMs = 10, wait: () => Promise<void> = giveWay) {
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
