/** A call's signal: aborted by the client's cancellation or by the time limit, whichever comes first. */
import { abortReason, PaddockError } from "../base/errors.ts";
import type { Deadlines } from "../base/deadlines.ts";

export interface TimeLimitOptions {
  timeoutMs: number;
  deadlines: Deadlines;
}

export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #outer: AbortSignal;
  #waiting = 0;
  #onAbort: (() => void) | undefined;
  readonly #forward = () => this.#abort(this.#outer.reason);

  /** Ends the time limit; from now on only a cancellation counts. */
  readonly lift: () => void;

  constructor(outer: AbortSignal, { timeoutMs, deadlines }: TimeLimitOptions) {
    this.#outer = outer;
    this.#timeoutMs = timeoutMs;
    this.lift = deadlines.set(() => this.#expire(), timeoutMs);
    if (outer.aborted) this.#forward();
    else outer.addEventListener("abort", this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Makes the message, should the time run out during this wait, say that the call was still waiting. */
  waitFor(room: Promise<void> | undefined): Promise<void> | undefined {
    if (room === undefined) return undefined;
    this.#waiting++;
    return room.finally(() => this.#waiting--);
  }

  /** What it resolves to or throws after an abort interests nobody. */
  race<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#onAbort = () => reject(abortReason(this.signal));
      if (this.signal.aborted) this.#onAbort();
      running.then(resolve, reject);
    });
  }

  end(): void {
    this.lift();
    this.#outer.removeEventListener("abort", this.#forward);
  }

  #expire(): void {
    const seconds = this.#timeoutMs / 1000;
    const why = this.#waiting > 0
      ? `timed out after ${seconds} s of waiting for room: too many large requests and answers are in flight; ` +
        "try again in a moment, or ask for less"
      : `timed out after ${seconds} s; ask for less, or start with a larger --timeout`;
    this.#abort(new PaddockError("TIMEOUT", why));
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
    this.#onAbort?.();
  }
}
