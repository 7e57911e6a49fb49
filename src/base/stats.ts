/**
 * Counts of what a running server has done, for the closing log line and the health page. They are in memory
 * shared with main: if the server's thread hangs at shutdown, main writes that line instead.
 */

export interface StatsSnapshot {
  requests: number;
  errors: number;
  uptimeSeconds: number;
}

/** The index of each figure in memory. */
const REQUESTS = 0;
const ERRORS = 1;
const STARTED = 2;
const CLOSED = 3;
const FIGURES = 4;

export class Stats {
  readonly #figures: Float64Array;

  /** Uses the memory of a server in another thread, or its own. */
  constructor(memory: SharedArrayBuffer = Stats.memory()) {
    this.#figures = new Float64Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(FIGURES * Float64Array.BYTES_PER_ELEMENT);
  }

  /** Starts the clock. */
  start(): void {
    this.#figures[STARTED] = now();
  }

  /** In milliseconds since 1970, by a clock that does not jump. */
  get startedAt(): number | undefined {
    return this.#at(STARTED) || undefined;
  }

  /** Counts a request, of any method. */
  request(): void {
    this.#figures[REQUESTS] = this.#at(REQUESTS) + 1;
  }

  /** Counts a request that was answered with an error, or could not be read. */
  error(): void {
    this.#figures[ERRORS] = this.#at(ERRORS) + 1;
  }

  snapshot(): StatsSnapshot {
    const uptimeMs = this.startedAt === undefined ? 0 : now() - this.startedAt;
    return {
      requests: this.#at(REQUESTS),
      errors: this.#at(ERRORS),
      uptimeSeconds: Math.round(uptimeMs) / 1000,
    };
  }

  /** The fields of the closing log line; undefined on the second call, and before the start. */
  closing(): Record<string, number> | undefined {
    if (this.#at(CLOSED) > 0 || this.startedAt === undefined) return undefined;
    this.#figures[CLOSED] = 1;
    const { requests, errors, uptimeSeconds } = this.snapshot();
    return { total_requests: requests, total_errors: errors, uptime_seconds: uptimeSeconds };
  }

  #at(figure: number): number {
    return this.#figures[figure] ?? 0;
  }
}

/** The same in every thread. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
