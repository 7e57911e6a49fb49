/** The sessions of Streamable HTTP: begun, found by their id, ended when idle, and shared with another server. */
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { type Stats } from "../../base/stats.ts";
import { HttpSession } from "./session.ts";
import { SessionLink, type SessionRecord } from "./session_link.ts";

export interface SessionTableOptions {
  createServer: () => Server;
  stats: Stats;
  /** Sessions at once; the one that has been idle longest makes room. */
  maxSessions: number;
  /** Calls in flight at once in one session. */
  maxCalls: number;
  /** After how long without a call or a stream a session ends. */
  idleMs: number;
}

export interface SessionEntry {
  readonly session: HttpSession;
  readonly record: SessionRecord;
  /** The revision that was agreed on. */
  readonly revision: string;
}

export class SessionTable {
  readonly #options: SessionTableOptions;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #links = new Set<SessionLink>();
  readonly #sweeper: ReturnType<typeof setInterval>;

  constructor(options: SessionTableOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#endIdle(), Math.min(options.idleMs, 60_000));
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

  /** A new session, not yet spoken to; undefined when there are too many that are all in use. */
  async begin(initialize: JSONRPCMessage): Promise<SessionEntry | undefined> {
    if (this.#entries.size >= this.#options.maxSessions && !this.#makeRoom()) return undefined;
    const entry = await this.#open({ id: crypto.randomUUID(), initialize });
    await this.#announce([entry.record]);
    return entry;
  }

  /** Shares sessions with another server, until that wants to hear of no more. */
  async share(port: MessagePort): Promise<SessionLink> {
    const link = new SessionLink(port, async (records, from) => {
      const unknown = records.filter(({ id }) => !this.#entries.has(id));
      for (const record of unknown) {
        const { session } = await this.#open(record);
        session.resume(record.initialize as JSONRPCMessage);
      }
      if (unknown.length > 0) await this.#announce(unknown, from);
    });
    this.#links.add(link);
    await link.announce(Array.from(this.#entries.values(), ({ record }) => record));
    return link;
  }

  /** Ends the standing streams; their clients open new ones. */
  closeStreams(): void {
    for (const { session } of this.#entries.values()) session.closeStream();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    for (const { session } of this.#entries.values()) await session.close();
  }

  async #open(record: SessionRecord): Promise<SessionEntry> {
    const { maxCalls, stats } = this.#options;
    const session = new HttpSession(record.id, { maxCalls, stats });
    const entry: SessionEntry = { session, record, revision: agreedRevision(record.initialize) };
    this.#entries.set(record.id, entry);
    session.onclose = () => void this.#entries.delete(record.id);
    await this.#options.createServer().connect(session);
    return entry;
  }

  async #announce(records: readonly SessionRecord[], except?: SessionLink): Promise<void> {
    const others = [...this.#links].filter((link) => link !== except);
    await Promise.all(others.map((link) => link.announce(records)));
  }

  #endIdle(): void {
    for (const { session } of this.#entries.values()) {
      if (session.idleMs >= this.#options.idleMs) session.close();
    }
  }

  /** Ends the session that has been idle longest. False when all are in use. */
  #makeRoom(): boolean {
    let oldest: HttpSession | undefined;
    for (const { session } of this.#entries.values()) {
      if (session.idleMs > (oldest?.idleMs ?? 0)) oldest = session;
    }
    oldest?.close();
    return oldest !== undefined;
  }
}

/** What the SDK answers to an `initialize`: the revision asked for, or else the latest. */
function agreedRevision(initialize: unknown): string {
  const { params } = initialize as { params?: { protocolVersion?: unknown } };
  const asked = String(params?.protocolVersion);
  return SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION;
}
