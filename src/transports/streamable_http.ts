/**
 * The `/mcp` endpoint: Streamable HTTP for the revisions with sessions and for 2026-07-28, which has none,
 * told apart by what each request carries.
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpHttpHandler,
  parseJSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { type Stats } from "../base/stats.ts";
import { isBatchRevision } from "./batches.ts";
import { methodNotAllowed, rpcError } from "./http/answers.ts";
import { type BodyLimits, readBody } from "./http/body.ts";
import { HttpSession } from "./http/session.ts";

export interface StreamableHttpOptions {
  createServer: () => Server;
  stats: Stats;
  body: BodyLimits;
  /** Sessions at once; the one that has been idle longest makes room. */
  maxSessions: number;
  /** Calls in flight at once in one session. */
  maxCalls: number;
  /** After how long without a call or a stream a session ends. */
  idleMs: number;
  onerror: (error: Error) => void;
}

/** What a session was begun with: enough to go on with it elsewhere. */
export interface SessionRecord {
  id: string;
  initialize: JSONRPCMessage;
}

interface Entry {
  readonly session: HttpSession;
  readonly record: SessionRecord;
  readonly revision: string;
}

export class StreamableHttp {
  readonly #options: StreamableHttpOptions;
  readonly #sessions = new Map<string, Entry>();
  readonly #modern: McpHttpHandler;
  readonly #sweeper: ReturnType<typeof setInterval>;
  #modernCalls = 0;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
    this.#modern = createMcpHandler(options.createServer, {
      legacy: "reject",
      maxRequestBodySize: options.body.maxBytes,
      onerror: options.onerror,
    });
    this.#sweeper = setInterval(() => this.#endIdle(), Math.min(options.idleMs, 60_000));
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get calls(): number {
    let calls = this.#modernCalls;
    for (const { session } of this.#sessions.values()) calls += session.calls;
    return calls;
  }

  async handle(request: Request): Promise<Response> {
    switch (request.method) {
      case "POST":
        return await this.#post(request);
      case "GET":
        return this.#withSession(
          request,
          ({ session }) =>
            request.headers.get("accept")?.includes("text/event-stream")
              ? session.get()
              : rpcError(406, -32000, "Not Acceptable: the client must accept text/event-stream"),
        );
      case "DELETE":
        return this.#withSession(request, ({ session }) => {
          session.close();
          return new Response(null, { status: 200 });
        });
      default:
        return methodNotAllowed("GET, POST, DELETE");
    }
  }

  /** The sessions there are, for the one that takes over. */
  records(): SessionRecord[] {
    return Array.from(this.#sessions.values(), ({ record }) => record);
  }

  /** Goes on with a session that was begun elsewhere. */
  async adopt(record: SessionRecord): Promise<void> {
    if (this.#sessions.has(record.id)) return;
    const { session } = await this.#begin(record);
    const request = new Request("http://localhost/mcp", { method: "POST" });
    await session.post(request, [record.initialize], false);
    await session.post(request, [{ jsonrpc: "2.0", method: "notifications/initialized" }], false);
  }

  /** Ends the standing streams; their clients open new ones. */
  closeStreams(): void {
    for (const { session } of this.#sessions.values()) session.closeStream();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    for (const { session } of this.#sessions.values()) await session.close();
    await this.#modern.close();
  }

  async #post(request: Request): Promise<Response> {
    const type = request.headers.get("content-type") ?? "";
    if (!/^application\/json\s*(;|$)/i.test(type)) {
      return rpcError(415, -32000, "Unsupported Media Type: Content-Type must be application/json");
    }
    const body = await readBody(request, this.#options.body);
    if (body.kind === "too-large") {
      const { maxBytes } = this.#options.body;
      return rpcError(413, -32600, `Request too large: at most ${maxBytes} bytes are allowed (--max-size)`, {
        connection: "close",
      });
    }
    if (body.kind === "too-slow") {
      return rpcError(408, -32600, "Request Timeout: the body took too long", { connection: "close" });
    }
    if (body.kind === "garbled") return rpcError(400, -32700, "Parse error: the body is not valid UTF-8");
    let value: unknown;
    try {
      value = JSON.parse(body.text);
    } catch {
      return rpcError(400, -32700, "Parse error: the body is not valid JSON");
    }
    if (await isLegacyRequest(request, value)) return await this.#postToSession(request, value);
    this.#options.stats.request();
    this.#modernCalls++;
    try {
      return await this.#modern.fetch(request, { parsedBody: value });
    } finally {
      this.#modernCalls--;
    }
  }

  async #postToSession(request: Request, value: unknown): Promise<Response> {
    const batch = Array.isArray(value);
    const values: unknown[] = batch ? value : [value];
    if (values.length === 0) return rpcError(400, -32600, "Invalid Request: an empty batch");
    let messages: JSONRPCMessage[];
    try {
      messages = values.map((item) => parseJSONRPCMessage(item));
    } catch {
      return rpcError(400, -32600, "Invalid Request: not a JSON-RPC 2.0 message");
    }
    const [first] = messages;
    if (first !== undefined && messages.some((message) => isInitializeRequest(message))) {
      if (batch) return rpcError(400, -32600, "Invalid Request: initialize must stand alone");
      return await this.#initialize(request, first);
    }
    return await this.#withSession(request, ({ session, revision }) => {
      if (batch && !isBatchRevision(request.headers.get("mcp-protocol-version") ?? revision)) {
        return rpcError(400, -32600, `Invalid Request: revision ${revision} has no batches`);
      }
      return session.post(request, messages, batch);
    });
  }

  async #initialize(request: Request, message: JSONRPCMessage): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null && this.#sessions.has(id)) {
      return rpcError(400, -32600, "Invalid Request: the session is initialized already");
    }
    if (this.#sessions.size >= this.#options.maxSessions && !this.#makeRoom()) {
      return rpcError(503, -32000, "Too many sessions, all of them in use; try again later", {
        "retry-after": "5",
      });
    }
    const { session } = await this.#begin({ id: crypto.randomUUID(), initialize: message });
    return await session.post(request, [message], false);
  }

  async #begin(record: SessionRecord): Promise<Entry> {
    const session = new HttpSession(record.id, {
      maxCalls: this.#options.maxCalls,
      stats: this.#options.stats,
    });
    const params = "params" in record.initialize ? record.initialize.params : undefined;
    const entry: Entry = { session, record, revision: String(params?.protocolVersion) };
    this.#sessions.set(record.id, entry);
    session.onclose = () => void this.#sessions.delete(record.id);
    await this.#options.createServer().connect(session);
    return entry;
  }

  #withSession(
    request: Request,
    use: (entry: Entry) => Response | Promise<Response>,
  ): Response | Promise<Response> {
    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
      return rpcError(400, -32000, `Bad Request: unsupported protocol version; supported: ${supported}`);
    }
    const id = request.headers.get("mcp-session-id");
    if (id === null) return rpcError(400, -32000, "Bad Request: Mcp-Session-Id header is required");
    const entry = this.#sessions.get(id);
    return entry === undefined ? rpcError(404, -32001, "Session not found") : use(entry);
  }

  #endIdle(): void {
    for (const { session } of this.#sessions.values()) {
      if (session.idleMs >= this.#options.idleMs) session.close();
    }
  }

  /** Ends the session that has been idle longest. False when all are in use. */
  #makeRoom(): boolean {
    let oldest: HttpSession | undefined;
    for (const { session } of this.#sessions.values()) {
      if (session.idleMs > (oldest?.idleMs ?? 0)) oldest = session;
    }
    oldest?.close();
    return oldest !== undefined;
  }
}
