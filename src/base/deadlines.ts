/**
 * Deadlines with one timer for all of them. Nearly every deadline is met, and to start and clear a timer for each
 * would cost more than reading the request, or much of what a short call does.
 */

interface Deadline {
  readonly at: number;
  readonly missed: () => void;
}

export interface DeadlinesOptions {
  /** Whether the timer goes on, for those that come later, when all have been met: true unless given. */
  lingers?: boolean;
}

/** How much earlier than they should timers may wake. */
const EARLY_MS = 0.5;

export class Deadlines {
  readonly #ms: number;
  readonly #lingers: boolean;
  readonly #open = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Infinity;

  /** How far away they are, where nothing else is said. */
  constructor(ms: number, { lingers = true }: DeadlinesOptions = {}) {
    this.#ms = ms;
    this.#lingers = lingers;
  }

  /** Calls `missed` in time, unless what it gives is called before. */
  set(missed: () => void, ms = this.#ms): () => void {
    const deadline = { at: performance.now() + ms, missed };
    this.#open.add(deadline);
    if (deadline.at < this.#wakesAt) this.#wakeIn(ms, deadline.at);
    return () => {
      this.#open.delete(deadline);
      if (this.#open.size === 0 && !this.#lingers) this.#sleep();
    };
  }

  /** Nothing is missed any more. */
  close(): void {
    this.#sleep();
    this.#open.clear();
  }

  #wakeIn(ms: number, at: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    this.#timer = setTimeout(() => this.#wake(), ms);
  }

  #sleep(): void {
    clearTimeout(this.#timer);
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
