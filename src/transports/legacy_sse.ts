/**
 * The HTTP+SSE transport of revision 2024-11-05, for old clients: GET opens a stream that names an address,
 * messages are posted there, and every answer comes over the stream.
 */
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { type Stats } from "../base/stats.ts";
import { methodNotAllowed, rpcError } from "./http/answers.ts";
import { type BodyLimits, readBody } from "./http/body.ts";
import { EventStream } from "./http/event_stream.ts";

export interface LegacySseOptions {
  createServer: () => Server;
  stats: Stats;
  body: BodyLimits;
  maxSessions: number;
  maxCalls: number;
}

export class LegacySse {
  readonly #options: LegacySseOptions;
  readonly #sessions = new Map<string, SseSession>();

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

  /** GET: opens a stream whose messages are to be posted to `postPath`. */
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

  /** POST: one message for a stream that is open. */
  async post(request: Request): Promise<Response> {
    if (request.method !== "POST") return methodNotAllowed("POST");
    const session = this.#sessions.get(new URL(request.url).searchParams.get("sessionId") ?? "");
    if (session === undefined) return rpcError(404, -32001, "Session not found: its stream is closed");
    const body = await readBody(request, this.#options.body);
    if (body.kind === "too-large") return rpcError(413, -32600, "Request too large", { connection: "close" });
    if (body.kind === "too-slow") return rpcError(408, -32600, "Request Timeout", { connection: "close" });
    if (body.kind === "garbled") return rpcError(400, -32700, "Parse error: the body is not valid UTF-8");
    return session.take(body.text);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
  }
}

class SseSession implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sessionId: string = crypto.randomUUID();
  readonly #maxCalls: number;
  readonly #stats: Stats;
  readonly #open = new Set<string | number>();
  readonly #stream = new EventStream(() => void this.close());
  #closed = false;

  constructor({ maxCalls, stats }: LegacySseOptions) {
    this.#maxCalls = maxCalls;
    this.#stats = stats;
  }

  get calls(): number {
    return this.#open.size;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  open(postPath: string): Response {
    this.#stream.send(`${postPath}?sessionId=${this.sessionId}`, "endpoint");
    return this.#stream.response();
  }

  take(text: string): Response {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(text));
    } catch (error) {
      return error instanceof SyntaxError
        ? rpcError(400, -32700, "Parse error: the body is not valid JSON")
        : rpcError(400, -32600, "Invalid Request: not a JSON-RPC 2.0 message");
    }
    if ("method" in message && "id" in message) {
      if (this.#open.size >= this.#maxCalls) {
        return rpcError(429, -32000, `Too many calls in flight; at most ${this.#maxCalls} per session`);
      }
      this.#open.add(message.id);
      this.#stats.request();
    } else if ("method" in message && message.method === "notifications/cancelled") {
      this.#open.delete(message.params?.requestId as string | number);
    }
    this.onmessage?.(message);
    return new Response("Accepted", { status: 202 });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#open.delete(message.id);
    if ("error" in message) this.#stats.error();
    this.#stream.send(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#stream.close();
      this.onclose?.();
    }
    return Promise.resolve();
  }
}
