/** The sessions of Streamable HTTP: started, found by their id, ended when idle. */
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { ByteBudget } from "../../base/byte_budget.ts";
import type { Stats } from "../../base/stats.ts";
import { every, type Timer } from "../../base/timer.ts";
import type { Methods } from "../../server/methods.ts";
import { PlainLane } from "../../server/plain_lane.ts";
import { clientIn } from "../messages.ts";
import { HttpSession } from "./session.ts";

export interface SessionTableOptions {
  createServer: (method: undefined, session: string) => Server;
  /** The methods answered without the SDK, if any. */
  plain?: Methods | undefined;
  stats: Stats;
  /** How many sessions at once; the one that has been idle longest makes room, unless it was used lately. */
  maxSessions: number;
  /** How many calls may be in flight at once in one session. */
  maxCalls: number;
  /** After how long without a call or stream a session ends. */
  idleMs: number;
  /** A session that was used within this time does not make room for another. */
  latelyMs: number;
  /** Counts what is waiting in streams. */
  budget?: ByteBudget | undefined;
}

export interface SessionEntry {
  readonly session: HttpSession;
  /** The agreed revision. */
  readonly revision: string;
}

/** How long a client with a standing stream may be quiet before it gets a ping. */
export const QUIET_STREAM_MS = 5 * 60_000;

export class SessionTable {
  readonly #options: SessionTableOptions;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #sweeper: Timer;

  constructor(options: SessionTableOptions) {
    this.#options = options;
    this.#sweeper = every(Math.min(options.idleMs, 60_000), () => this.#sweep());
  }

  get size(): number {
    return this.#entries.size;
  }

  get calls(): number {
    let calls = 0;
    for (const { session } of this.#entries.values()) calls += session.calls;
    return calls;
  }

  find(id: string): SessionEntry | undefined {
    return this.#entries.get(id);
  }

  /** A new session, without any message yet; undefined when there are too many and all are in use. */
  async begin(initialize: JSONRPCMessage): Promise<SessionEntry | undefined> {
    if (this.#entries.size >= this.#options.maxSessions && !this.#makeRoom()) return undefined;
    const { maxCalls, stats, budget, createServer, plain } = this.#options;
    const id = crypto.randomUUID();
    const session = new HttpSession(id, { maxCalls, stats, budget });
    const name = crypto.randomUUID(); // for records: the id itself grants access
    if (plain !== undefined) {
      session.lane = laneOf(session, { methods: plain, client: clientIn(initialize), name });
    }
    const entry: SessionEntry = { session, revision: agreedRevision(initialize) };
    this.#entries.set(id, entry);
    session.onclose = () => void this.#entries.delete(id);
    await createServer(undefined, name).connect(session);
    return entry;
  }

  async close(): Promise<void> {
    this.#sweeper.clear();
    for (const { session } of this.#entries.values()) await session.close();
  }

  #sweep(): void {
    for (const { session } of this.#entries.values()) {
      session.checkStream(QUIET_STREAM_MS);
      if (session.idleMs >= this.#options.idleMs) session.close();
    }
  }

  /** Ends the session that has been idle longest. False when all are in use, or were lately. */
  #makeRoom(): boolean {
    let oldest: HttpSession | undefined;
    for (const { session } of this.#entries.values()) {
      const { idleMs } = session;
      if (idleMs >= this.#options.latelyMs && idleMs > (oldest?.idleMs ?? 0)) oldest = session;
    }
    oldest?.close();
    return oldest !== undefined;
  }
}

interface LaneOptions {
  methods: Methods;
  client: string | undefined;
  name: string;
}

function laneOf(session: HttpSession, { methods, client, name }: LaneOptions): PlainLane {
  return new PlainLane({
    methods,
    client,
    session: name,
    send: (message, about) =>
      void session.send(message, about === undefined ? undefined : { relatedRequestId: about }),
  });
}

/** What the SDK answers to an `initialize`: the revision asked for, or else the latest. */
function agreedRevision(initialize: JSONRPCMessage): string {
  const asked = String("params" in initialize ? initialize.params?.protocolVersion : undefined);
  return SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION;
}
