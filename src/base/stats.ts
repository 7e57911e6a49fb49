/**
 * Counts of what a running server has done, for the closing log line and the health page. They lie in memory that
 * main sees too: should the server's thread hang when it is to stop, main writes that line in its place.
 */

export interface StatsSnapshot {
  requests: number;
  errors: number;
  uptimeSeconds: number;
}

/** Where in the memory each figure is. */
const REQUESTS = 0;
const ERRORS = 1;
const STARTED = 2;
const TOLD = 3;
const FIGURES = 4;

export class Stats {
  readonly #figures: Float64Array;

  /** Over the memory of a server elsewhere, or over memory of its own. */
  constructor(memory: SharedArrayBuffer = Stats.memory()) {
    this.#figures = new Float64Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(FIGURES * Float64Array.BYTES_PER_ELEMENT);
  }

  /** The clock runs from here. */
  start(): void {
    this.#figures[STARTED] = now();
  }

  /** In milliseconds since 1970, on a clock that does not jump. */
  get startedAt(): number | undefined {
    return this.#at(STARTED) || undefined;
  }

  /** A request was taken in, of whatever method. */
  request(): void {
    this.#figures[REQUESTS] = this.#at(REQUESTS) + 1;
  }

  /** A request was answered with an error, or could not be read. */
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

  /** The fields of the closing log line; undefined for whoever comes second, and before the start. */
  closing(): Record<string, number> | undefined {
    if (this.#at(TOLD) > 0 || this.startedAt === undefined) return undefined;
    this.#figures[TOLD] = 1;
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
