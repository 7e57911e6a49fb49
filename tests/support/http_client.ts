/**
 * HTTP clients that do exactly what they are told: one with a session, one for the revision without sessions, and raw
 * bytes over TCP for what no HTTP library sends.
 */
import type { Message, ToolAnswer } from "./server.ts";

export const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol";

export function initializeMessage(protocolVersion = "2025-06-18", id: string | number = 0): Message {
  const clientInfo = { name: "test", version: "1" };
  return {
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo },
  };
}

export function post(url: string, body: unknown, init: PostInit = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: BOTH, ...init.headers },
    body: typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream
      ? body as BodyInit
      : JSON.stringify(body),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
    ...(init.client === undefined ? {} : { client: init.client }),
  });
}

export interface PostInit {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  client?: Deno.HttpClient;
}

export const BOTH = "application/json, text/event-stream";

/** A client of the revisions with sessions. */
export class SessionClient {
  readonly #url: string;
  readonly #init: PostInit;
  #nextId = 1;
  /** Empty before initialize(). */
  sessionId = "";

  constructor(url: string, init: PostInit = {}) {
    this.#url = `${url}/mcp`;
    this.#init = init;
  }

  static async begin(url: string, revision = "2025-06-18", init: PostInit = {}): Promise<SessionClient> {
    const client = new SessionClient(url, init);
    await client.initialize(revision);
    return client;
  }

  get headers(): Record<string, string> {
    return { ...this.#init.headers, "mcp-session-id": this.sessionId };
  }

  async initialize(revision = "2025-06-18"): Promise<Message> {
    const response = await post(this.#url, initializeMessage(revision), this.#init);
    const message: Message = await response.json();
    const id = response.headers.get("mcp-session-id");
    if (id === null) throw new Error(`no session: ${response.status} ${JSON.stringify(message)}`);
    this.sessionId = id;
    await (await this.send({ jsonrpc: "2.0", method: "notifications/initialized" })).body?.cancel();
    return message;
  }

  send(body: unknown, init: PostInit = {}): Promise<Response> {
    return post(this.#url, body, { ...this.#init, ...init, headers: { ...this.headers, ...init.headers } });
  }

  async request(method: string, params?: unknown, id: string | number = this.#nextId++): Promise<Message> {
    const message = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
    return await answerOf(await this.send(message), id);
  }

  async call(name: string, args: Record<string, unknown> = {}, id?: number): Promise<ToolAnswer> {
    return toolAnswer(await this.request("tools/call", { name, arguments: args }, id));
  }

  /** The standing stream. */
  stream(init: { signal?: AbortSignal } = {}): Promise<Response> {
    return fetch(this.#url, { headers: { ...this.headers, accept: "text/event-stream" }, ...init });
  }

  end(): Promise<Response> {
    return fetch(this.#url, { method: "DELETE", headers: this.headers });
  }
}

/** A client of the revision without sessions: every request carries everything it needs. */
export class ModernClient {
  readonly #url: string;
  readonly #init: PostInit;
  #nextId = 1;

  constructor(url: string, init: PostInit = {}) {
    this.#url = `${url}/mcp`;
    this.#init = init;
  }

  send(method: string, params: Record<string, unknown> = {}, init: PostInit = {}): Promise<Response> {
    const headers: Record<string, string> = { "mcp-protocol-version": MODERN, "mcp-method": method };
    if (typeof params.name === "string") headers["mcp-name"] = params.name;
    const body = modernMessage(method, params, this.#nextId++);
    return post(this.#url, body, {
      ...this.#init,
      ...init,
      headers: { ...this.#init.headers, ...headers, ...init.headers },
    });
  }

  async request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    return await answerOf(await this.send(method, params), this.#nextId - 1);
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const id = this.#nextId;
    return toolAnswer(await answerOf(await this.send("tools/call", { name, arguments: args }), id));
  }
}

export function modernMessage(method: string, params: Record<string, unknown>, id: string | number): Message {
  const _meta = {
    [`${META}/protocolVersion`]: MODERN,
    [`${META}/clientCapabilities`]: {},
    [`${META}/clientInfo`]: { name: "test", version: "1" },
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta } };
}

/** The one answer in a response, whether JSON or a stream; throws if it answers another request. */
export async function answerOf(response: Response, id: string | number): Promise<Message> {
  const text = await response.text();
  const streamed = response.headers.get("content-type")?.startsWith("text/event-stream");
  const messages: Message[] = streamed ? eventsIn(text) : [JSON.parse(text)];
  const answer = messages.find((message) => message.method === undefined);
  if (answer === undefined || answer.id !== id) {
    throw new Error(`${response.status}, and no answer to ${id}: ${text.slice(0, 500)}`);
  }
  return answer;
}

/** The messages of a stream of server-sent events. */
export function eventsIn(text: string): Message[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

export function toolAnswer({ result, error }: Message): ToolAnswer {
  if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
  const { content, isError = false, structuredContent } = result;
  return { text: content[0]?.text ?? "", isError, value: structuredContent };
}

/** Sends bytes as they are and reads until the server closes, or for this long. */
export async function rawExchange(port: number, request: string, options: RawOptions = {}): Promise<string> {
  const { hostname = "127.0.0.1", waitMs = 5_000 } = options;
  const connection = await Deno.connect({ hostname, port });
  const timer = setTimeout(() => connection.close(), waitMs);
  const decoder = new TextDecoder();
  let answer = "";
  try {
    await connection.write(new TextEncoder().encode(request));
    for await (const chunk of connection.readable) {
      answer += decoder.decode(chunk, { stream: true });
      if (options.until !== undefined && answer.includes(options.until)) break;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted)) {
      answer += `[${error}]`;
    }
  } finally {
    clearTimeout(timer);
    try {
      connection.close();
    } catch { /* closed with its stream */ }
  }
  return answer;
}

export interface RawOptions {
  hostname?: string;
  waitMs?: number;
  /** Stops reading when this has come. */
  until?: string;
}
