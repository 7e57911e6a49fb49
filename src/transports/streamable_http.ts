/**
 * The `/mcp` endpoint: Streamable HTTP for the revisions with sessions and for 2026-07-28, which has none,
 * distinguished by what each request carries.
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { type Id, isBatchRevision } from "./batches.ts";
import { methodNotAllowed, type Refusal, refusal, rpcError } from "./http/answers.ts";
import { type BodyLimits, readJson } from "./http/body.ts";
import { Deadlines } from "../base/deadlines.ts";
import { LISTEN } from "../server/listen.ts";
import { ListenStreams, type ListenStreamsOptions } from "./http/listen_streams.ts";
import { SOON_MS, withoutWaiting } from "./http/late_answer.ts";
import { Asked } from "./http/asked.ts";
import { parseMessage } from "./judged_message.ts";
import { idOf, plainMessage, withoutExtras } from "./messages.ts";
import { type SessionEntry, SessionTable, type SessionTableOptions } from "./http/session_table.ts";

export interface StreamableHttpOptions extends SessionTableOptions, ListenStreamsOptions {
  /** Creates a server for one request with this method, if known, or for a session with this name. */
  createServer: (method?: string, session?: string) => Server;
  body: BodyLimits;
  onerror: (error: Error) => void;
  /** Counts an answer to a request, and may replace it to do so. */
  weigh?: (request: Request, answer: Response) => Promise<Response>;
  /** Answers a message that needs no session: undefined for any other. */
  bare?: ((message: JSONRPCMessage, request: Asked) => Promise<Response> | undefined) | undefined;
}

/** The first revision without sessions, and so without GET and DELETE. */
const SESSIONLESS = "2026-07-28";
/** Every message of a batch may have a long answer, and all answers are sent together. */
const MAX_BATCH = 100;

export class StreamableHttp {
  readonly #options: StreamableHttpOptions;
  readonly #modern: McpHttpHandler;
  /** For calls that report progress. */
  readonly #modernStreams: McpHttpHandler;
  readonly #listening: ListenStreams;
  readonly #soon = new Deadlines(SOON_MS);
  readonly sessions: SessionTable;
  #modernCalls = 0;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
    this.sessions = new SessionTable(options);
    this.#listening = new ListenStreams(options);
    const modern = {
      legacy: "reject",
      maxRequestBodySize: options.body.maxBytes,
      onerror: options.onerror,
    } as const;
    const createServer = ({ requestInfo }: { requestInfo?: Request | undefined }) =>
      this.#countedServer(requestInfo?.headers.get("mcp-method") ?? undefined);
    this.#modern = createMcpHandler(createServer, modern);
    this.#modernStreams = createMcpHandler(createServer, { ...modern, responseMode: "sse" });
  }

  get calls(): number {
    return this.#modernCalls + this.sessions.calls;
  }

  async handle(request: Request): Promise<Response> {
    const sessionless = (request.headers.get("mcp-protocol-version") ?? "") >= SESSIONLESS;
    switch (request.method) {
      case "POST":
        return await this.#post(request);
      case "GET":
        if (sessionless) return methodNotAllowed("POST");
        return await this.#withSession(
          request,
          ({ session }) =>
            request.headers.get("accept")?.toLowerCase().includes("text/event-stream")
              ? session.get()
              : rpcError(406, -32000, "Not Acceptable: the client must accept text/event-stream"),
        );
      case "DELETE":
        if (sessionless) return methodNotAllowed("POST");
        return await this.#withSession(request, ({ session }) => {
          session.close();
          return new Response(null, { status: 200 });
        });
      default:
        return methodNotAllowed("GET, POST, DELETE");
    }
  }

  async close(): Promise<void> {
    this.#soon.close();
    await this.sessions.close();
    this.#listening.close();
    await this.#modern.close();
    await this.#modernStreams.close();
  }

  async #post(request: Request): Promise<Response> {
    const body = await readJson(request, this.#options.body);
    if (body instanceof Response) return body;
    const { weigh } = this.#options;
    const value = Array.isArray(body.value) ? body.value : withoutExtras(body.value);
    const asked = new Asked(request.headers);
    const made = this.#answer(request, value, asked);
    const answer = weigh === undefined ? made : made.then((response) => weigh(request, response));
    // The answer to initialize needs its headers, and a stream of notifications has no end to wait for.
    const method = methodOf(value);
    return await (method === "initialize" || method === LISTEN
      ? answer
      : withoutWaiting(answer, { onGone: () => asked.gone(), soon: this.#soon }));
  }

  async #answer({ url, method, headers }: Request, value: unknown, asked: Asked): Promise<Response> {
    if (isOfSession(headers, value)) return await this.#postToSession(asked, value);
    const request = new Request(url, { method, headers, signal: asked.signal });
    if (await isLegacyRequest(request, value)) return await this.#postToSession(asked, value);
    const handler = wantsProgress(headers, value) ? this.#modernStreams : this.#modern;
    const response = methodOf(value) === LISTEN
      ? await this.#listening.serve(request, value, handler)
      : await handler.fetch(request, { parsedBody: value });
    if (response.status < 400) this.#options.stats.request(); // otherwise it is counted where it is sent
    return response;
  }

  async #postToSession(request: Asked, value: unknown): Promise<Response> {
    const batch = Array.isArray(value);
    const values: unknown[] = batch ? value : [value];
    const id = idOf(value);
    const refuse = (code: number, message: string) => refusal({ id, status: 400, code, message });
    if (values.length > MAX_BATCH) {
      return refuse(-32600, `Invalid Request: at most ${MAX_BATCH} messages in a batch`);
    }
    let messages: JSONRPCMessage[];
    try {
      messages = values.map((each) => plainMessage(each) ?? parseMessage(each));
    } catch {
      return refuse(-32600, "Invalid Request: not a JSON-RPC 2.0 message");
    }
    const opening = messages.find((message) => "method" in message && message.method === "initialize");
    if (opening !== undefined) {
      if (batch) return refuse(-32600, "Invalid Request: initialize must stand alone");
      return await this.#initialize(request, opening);
    }
    const [first] = messages;
    const bare = batch || first === undefined ? undefined : this.#options.bare?.(first, request);
    if (bare !== undefined) return await bare;
    return await this.#withSession(request, ({ session, revision }) => {
      if (batch && !isBatchRevision(revision)) {
        return refuse(-32600, `Invalid Request: revision ${revision} has no batches`);
      }
      return session.post(request, messages, batch);
    }, id);
  }

  async #initialize(request: Asked, message: JSONRPCMessage): Promise<Response> {
    const refuse = (why: Omit<Refusal, "id">) => refusal({ id: idOf(message), ...why });
    if (!isInitializeRequest(message)) {
      const needs = "initialize needs an id, protocolVersion, capabilities and clientInfo";
      return refuse({ status: 400, code: -32602, message: `Invalid params: ${needs}` });
    }
    const session = request.headers.get("mcp-session-id");
    if (session !== null && this.sessions.find(session) !== undefined) {
      const why = "Invalid Request: the session is initialized already";
      return refuse({ status: 400, code: -32600, message: why });
    }
    const entry = await this.sessions.begin(message);
    if (entry === undefined) {
      const why = "Too many sessions, all of them in use or used lately; try again later";
      return refuse({ status: 503, code: -32000, message: why, headers: { "retry-after": "5" } });
    }
    return await entry.session.post(request, [message], false);
  }

  async #withSession(
    request: Pick<Request, "headers">,
    use: (entry: SessionEntry) => Response | Promise<Response>,
    id: Id | null = null,
  ): Promise<Response> {
    const refuse = (status: number, code: number, message: string) => refusal({ id, status, code, message });
    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
      return refuse(400, -32000, `Bad Request: unsupported protocol version; supported: ${supported}`);
    }
    const session = request.headers.get("mcp-session-id");
    if (session === null) return refuse(400, -32000, "Bad Request: Mcp-Session-Id header is required");
    const entry = this.sessions.find(session);
    return entry === undefined ? refuse(404, -32001, "Session not found") : await use(entry);
  }

  /** A server for one request, whose calls and errors are counted like those of a session. */
  #countedServer(method: string | undefined): Server {
    const server = this.#options.createServer(method);
    const handle = server.fallbackRequestHandler;
    if (handle === undefined) return server;
    server.fallbackRequestHandler = async (request, context) => {
      this.#modernCalls++;
      try {
        return await handle(request, context);
      } catch (error) {
        this.#options.stats.error();
        throw error;
      } finally {
        this.#modernCalls--;
      }
    };
    return server;
  }
}

function methodOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "method" in value ? value.method : undefined;
}

/** Recognises requests that are plainly for a session without asking the SDK. */
function isOfSession(headers: Headers, value: unknown): boolean {
  return headers.has("mcp-session-id") && (headers.get("mcp-protocol-version") ?? "") < SESSIONLESS &&
    methodOf(value) !== undefined && metaOf(value)?.[PROTOCOL_VERSION_META_KEY] === undefined;
}

function metaOf(value: unknown): Record<string, unknown> | undefined {
  const { params } = value as { params?: { _meta?: Record<string, unknown> } | null };
  return params?._meta;
}

function wantsProgress(headers: Headers, value: unknown): boolean {
  return methodOf(value) !== undefined && metaOf(value)?.progressToken !== undefined &&
    (headers.get("accept")?.toLowerCase().includes("text/event-stream") ?? false);
}
