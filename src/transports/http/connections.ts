/**
 * The connections of an HTTP server, limited so that descriptors stay in reserve for calls. When there are
 * too many, the first to go are those that have sent nothing worth an answer, oldest first, because a real
 * client sends a request as soon as it is connected; then those that have been quiet for a while. Connections
 * that are being answered, or were lately, stay, and the newcomer is refused.
 */
import { every, type Timer } from "../../base/timer.ts";
import type { ServedConnection } from "./runtime_http.ts";

export interface ConnectionLimits {
  maxConnections: number;
  /** How long a connection may take until its first request that passes the guard, headers and all. */
  firstRequestMs: number;
  /** How long a connection may be quiet after such a request. */
  quietMs: number;
  /** A connection answered within this time is not closed to make room. */
  latelyMs: number;
}

/** A request, as its connection sees it. */
export interface Visit {
  /** Settles when the answer has been sent, or no longer can be. */
  readonly completed: Promise<void>;
  /** The request passed the guard: the connection is no longer a stranger's. */
  welcome(): void;
  /** Ends the connection at once, whatever is in progress. */
  end(): void;
}

const MOST = 4_000;
const FEWEST = 8;
/** Used where the system does not say how many descriptors there are. */
const USUAL_OPEN_FILES = 1_024;
const RESERVE = 64;

/**
 * How many connections to allow with this many descriptors: a quarter, and at least 64, are kept for calls.
 */
export function connectionsFor(openFiles = USUAL_OPEN_FILES): number {
  const left = openFiles - Math.max(RESERVE, Math.ceil(openFiles / 4));
  return Math.max(FEWEST, Math.min(MOST, left));
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #all = new Set<Connection>();
  readonly #sweeper: Timer;
  /** The current limit. */
  #most: number;
  #shrunkAt = -Infinity;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#most = limits.maxConnections;
    const everyMs = Math.min(1_000, limits.firstRequestMs, limits.quietMs);
    this.#sweeper = every(everyMs, () => this.#endQuiet());
  }

  get size(): number {
    return this.#all.size;
  }

  /** Undefined when there are too many, and all of them are in use. */
  add(): Connection | undefined {
    if (this.#all.size >= this.#most && !this.#makeRoom()) return undefined;
    const connection = new Connection(() => this.#all.delete(connection));
    this.#all.add(connection);
    return connection;
  }

  /** There are fewer descriptors than expected: for a while, give up a quarter of those in use. */
  shrink(): void {
    this.#shrunkAt = performance.now();
    this.#most = Math.max(FEWEST, Math.floor(this.#all.size * 3 / 4));
    while (this.#all.size > this.#most && this.#makeRoom());
  }

  /** Ends one dispensable connection. False when there is none. */
  #makeRoom(): boolean {
    let spared: Connection | undefined;
    for (const connection of this.#all) {
      if (connection.busy) continue;
      if (connection.stranger) { // the oldest: they are in order of arrival
        spared = connection;
        break;
      }
      const { quietMs } = connection;
      if (quietMs >= this.#limits.latelyMs && quietMs > (spared?.quietMs ?? 0)) spared = connection;
    }
    spared?.end();
    return spared !== undefined;
  }

  /** Ends the quiet connections, and settles when the others have their answers. */
  async shutdown(): Promise<void> {
    this.#sweeper.clear();
    await Promise.all([...this.#all].map((connection) => connection.shutdown()));
  }

  #endQuiet(): void {
    const { firstRequestMs, quietMs, latelyMs, maxConnections } = this.#limits;
    if (performance.now() - this.#shrunkAt >= latelyMs) this.#most = maxConnections;
    for (const connection of this.#all) {
      if (connection.quietMs >= (connection.stranger ? firstRequestMs : quietMs)) connection.end();
    }
  }
}

export class Connection {
  readonly #controller = new AbortController();
  readonly #gone: () => void;
  #server: ServedConnection | undefined;
  #requests = 0;
  #quietSince = performance.now();
  #stranger = true;

  constructor(gone: () => void) {
    this.#gone = gone;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether no request on it has passed the guard. */
  get stranger(): boolean {
    return this.#stranger;
  }

  /** Whether a request is being answered. */
  get busy(): boolean {
    return this.#requests > 0;
  }

  get quietMs(): number {
    return this.busy ? 0 : performance.now() - this.#quietSince;
  }

  begun(server: ServedConnection): void {
    this.#server = server;
    const over = () => this.#gone();
    server.finished.then(over, over); // a client that disconnects is not an error
  }

  visit({ completed }: Pick<Deno.ServeHandlerInfo, "completed">): Visit {
    this.#requests++;
    const answered = () => {
      this.#requests--;
      this.#quietSince = performance.now();
    };
    completed.then(answered, answered);
    return { completed, welcome: () => void (this.#stranger = false), end: () => this.end() };
  }

  end(): void {
    this.#gone();
    this.#controller.abort();
  }

  async shutdown(): Promise<void> {
    if (!this.busy) return this.end();
    await this.#server?.shutdown().catch(() => {}); // it has ended by itself
  }
}
