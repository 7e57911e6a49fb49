/**
 * The HTTP+SSE transport of revision 2024-11-05, for old clients: GET opens a stream that names an address,
 * messages are posted there, and every answer comes through the stream.
 */
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import type { ByteBudget } from "../base/byte_budget.ts";
import type { Stats } from "../base/stats.ts";
import { every } from "../base/timer.ts";
import { methodNotAllowed, refusal, rpcError } from "./http/answers.ts";
import { type BodyLimits, readJson } from "./http/body.ts";
import { QUIET_STREAM_MS } from "./http/session_table.ts";
import { SseSession } from "./http/sse_session.ts";
import { parseMessage } from "./judged_message.ts";
import { idOf } from "./messages.ts";

export interface LegacySseOptions {
  createServer: () => Server;
  stats: Stats;
  body: BodyLimits;
  maxSessions: number;
  maxCalls: number;
  /** Counts what is waiting in streams. */
  budget?: ByteBudget | undefined;
}

export class LegacySse {
  readonly #options: LegacySseOptions;
  readonly #sessions = new Map<string, SseSession>();

  readonly #sweeper = every(60_000, () => {
    for (const session of this.#sessions.values()) session.checkStream(QUIET_STREAM_MS);
  });

  constructor(options: LegacySseOptions) {
    this.#options = options;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get calls(): number {
    let calls = 0;
    for (const session of this.#sessions.values()) calls += session.calls;
    return calls;
  }

  /** GET: opens a stream whose messages are posted to `postPath`. */
  async open(request: Request, postPath: string): Promise<Response> {
    if (request.method !== "GET") return methodNotAllowed("GET");
    if (this.#sessions.size >= this.#options.maxSessions) {
      return rpcError(503, -32000, "Too many streams; try again later", { "retry-after": "5" });
    }
    const session = new SseSession(this.#options);
    this.#sessions.set(session.sessionId, session);
    session.onclose = () => void this.#sessions.delete(session.sessionId);
    await this.#options.createServer().connect(session);
    return session.open(postPath);
  }

  /** POST: one message for an open stream. */
  async post(request: Request): Promise<Response> {
    if (request.method !== "POST") return methodNotAllowed("POST");
    const session = this.#sessions.get(new URL(request.url).searchParams.get("sessionId") ?? "");
    if (session === undefined) return rpcError(404, -32001, "Session not found: its stream is closed");
    const body = await readJson(request, this.#options.body);
    if (body instanceof Response) return body;
    let message: JSONRPCMessage;
    try {
      message = parseMessage(body.value);
    } catch {
      const why = "Invalid Request: not a JSON-RPC 2.0 message";
      return refusal({ id: idOf(body.value), status: 400, code: -32600, message: why });
    }
    return session.take(message);
  }

  async close(): Promise<void> {
    this.#sweeper.clear();
    for (const session of this.#sessions.values()) await session.close();
  }
}
