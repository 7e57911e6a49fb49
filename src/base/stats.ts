/** Counts of what a running server has done, for the closing log line and the health page. */

export interface StatsSnapshot {
  requests: number;
  errors: number;
  uptimeSeconds: number;
}

export class Stats {
  #requests = 0;
  #errors = 0;
  #startedAt: number | undefined;

  /** The clock runs from here. */
  start(): void {
    this.#startedAt = performance.now();
  }

  get startedAt(): number | undefined {
    return this.#startedAt;
  }

  /** A request was taken in, of whatever method. */
  request(): void {
    this.#requests++;
  }

  /** A request was answered with an error, or could not be read. */
  error(): void {
    this.#errors++;
  }

  snapshot(): StatsSnapshot {
    const uptimeMs = this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt;
    return { requests: this.#requests, errors: this.#errors, uptimeSeconds: Math.round(uptimeMs) / 1000 };
  }
}
