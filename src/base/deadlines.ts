/**
 * Deadlines that share one timer. Nearly every deadline is met; starting and clearing a timer for each would
 * cost more than reading the request, and much of what a short call costs. So the timer keeps running for later
 * deadlines once all have been met.
 */
import { after, type Timer } from "./timer.ts";

interface Deadline {
  readonly at: number;
  readonly missed: () => void;
}

/** How much too early timers may fire. */
const EARLY_MS = 0.5;

export class Deadlines {
  readonly #ms: number;
  readonly #open = new Set<Deadline>();
  #timer: Timer | undefined;
  #wakesAt = Infinity;

  /** `ms` is how far away deadlines are by default. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Calls `missed` when the time is up, unless the returned function is called first. */
  set(missed: () => void, ms = this.#ms): () => void {
    const deadline = { at: performance.now() + ms, missed };
    this.#open.add(deadline);
    if (deadline.at < this.#wakesAt) this.#wakeIn(ms, deadline.at);
    return () => void this.#open.delete(deadline);
  }

  /** Drops all deadlines. */
  close(): void {
    this.#sleep();
    this.#open.clear();
  }

  #wakeIn(ms: number, at: number): void {
    this.#timer?.clear();
    this.#wakesAt = at;
    this.#timer = after(ms, () => this.#wake());
  }

  #sleep(): void {
    this.#timer?.clear();
    this.#timer = undefined;
    this.#wakesAt = Infinity;
  }

  #wake(): void {
    this.#sleep();
    const now = performance.now();
    const due: Deadline[] = [];
    let next = Infinity;
    for (const deadline of this.#open) {
      if (deadline.at <= now + EARLY_MS) due.push(deadline);
      else next = Math.min(next, deadline.at);
    }
    for (const deadline of due) this.#open.delete(deadline);
    if (next !== Infinity) this.#wakeIn(next - now, next);
    for (const { missed } of due.sort((one, other) => one.at - other.at)) missed();
  }
}
