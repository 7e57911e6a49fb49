/** HTTP as a listener of the run loop: the address, the pages behind it, and the guard in front of them. */
import { type HttpConfig } from "../base/config.ts";
import { type Logger } from "../base/log.ts";
import { type Metrics } from "../base/metrics.ts";
import { type Stats } from "../base/stats.ts";
import { type Listener } from "../server/lifecycle.ts";
import { type BareMethods, createMcpServer, type Tools } from "../server/mcp.ts";
import { rpcError } from "./http/answers.ts";
import { Guard } from "./http/guard.ts";
import { healthPage, metricsPage, type PageSources } from "./http/pages.ts";
import { LegacySse } from "./legacy_sse.ts";
import { Rest } from "./rest.ts";
import { StreamableHttp } from "./streamable_http.ts";

export interface HttpListenerOptions {
  config: HttpConfig;
  tools: Tools;
  /** Methods beside MCP's own, which are pages of their own too. */
  bare?: BareMethods;
  instructions: string;
  maxBody: number;
  stats: Stats;
  metrics: Metrics;
  log: Logger;
  lockWaits: () => Promise<number>;
  limits?: Partial<HttpLimits>;
  /** Whether another server is still there, whose address and sessions are taken over. */
  takeOver?: boolean;
  /** Whether another server may take over from this one. */
  replaceable?: boolean;
}

export interface HttpLimits {
  bodyTimeoutMs: number;
  maxSessions: number;
  maxCallsPerSession: number;
  /** Requests whose answers are not wholly sent yet. */
  maxRequests: number;
  sessionIdleMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyTimeoutMs: 30_000,
  maxSessions: 500,
  maxCallsPerSession: 1_000,
  maxRequests: 2_000,
  sessionIdleMs: 30 * 60_000,
};

/** How long the old server still accepts connections after the new one does. */
const HAND_OVER_MS = 200;
/** How long the old server waits for its calls to end: a little more than the longest `--timeout`. */
const DRAIN_MS = 310_000;
/** How long answers may still take to be sent when all calls have ended or were given up. */
const FLUSH_MS = 200;

export class HttpListener implements Listener {
  readonly #options: HttpListenerOptions;
  readonly #limits: HttpLimits;
  readonly #guard: Guard;
  readonly #streamable: StreamableHttp;
  readonly #sse: LegacySse;
  readonly #rest: Rest | undefined;
  readonly #pages: PageSources;
  readonly #ended = Promise.withResolvers<string>();
  readonly #abort = new AbortController();
  readonly #adopted = Promise.withResolvers<void>();
  #requests = 0;
  #draining = false;
  #server: Deno.HttpServer | undefined;
  #stopping = false;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#limits = { ...HTTP_LIMITS, ...options.limits };
    const { bodyTimeoutMs, maxSessions, maxCallsPerSession, sessionIdleMs } = this.#limits;
    const { instructions, bare } = options;
    const createServer = () =>
      createMcpServer(options.tools, { instructions, ...(bare === undefined ? {} : { bare }) });
    const body = { maxBytes: options.maxBody, timeoutMs: bodyTimeoutMs };
    this.#guard = new Guard(options.config);
    this.#streamable = new StreamableHttp({
      createServer,
      stats: options.stats,
      body,
      maxSessions,
      maxCalls: maxCallsPerSession,
      idleMs: sessionIdleMs,
      ready: this.#adopted.promise,
      bare: (message, request) => this.#rest?.answer(message, request),
      onerror: (error) => options.log.debug("protocol_error", { error: error.message }),
    });
    this.#rest = bare === undefined || bare.methods.length === 0
      ? undefined
      : new Rest(bare, { body, stats: options.stats });
    this.#sse = new LegacySse({
      createServer,
      stats: options.stats,
      body,
      maxSessions,
      maxCalls: maxCallsPerSession,
    });
    this.#pages = {
      stats: options.stats,
      metrics: options.metrics,
      state: () => this.#stopping ? "stopping" : "running",
      sessions: () => this.#streamable.sessions.size + this.#sse.sessions,
      calls: () => this.#calls(),
      lockWaits: options.lockWaits,
    };
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  open(): Promise<void> {
    const { host, port } = this.#options.config;
    const { takeOver = false, replaceable = false } = this.#options;
    if (!takeOver) this.#adopted.resolve();
    try {
      // Two servers can share an address only while one takes over from the other.
      if (replaceable && !takeOver) Deno.listen({ hostname: host, port }).close();
      this.#server = Deno.serve({
        hostname: host,
        port,
        reusePort: replaceable,
        signal: this.#abort.signal,
        onListen: () => {},
        onError: (error) => this.#failed(error),
      }, (request, info) => this.#handle(request, info));
    } catch (error) {
      return Promise.reject(
        error instanceof Deno.errors.AddrInUse
          ? new Error(
            `port ${port} on ${host} is already in use; stop what listens there, or choose another --port`,
          )
          : error,
      );
    }
    this.#server.finished.then(() => this.#ended.resolve("the address was closed"));
    return Promise.resolve();
  }

  /** Takes over from the server at the other end. */
  async takeOver(port: MessagePort): Promise<void> {
    const link = await this.#streamable.sessions.share(port);
    await link.first;
    this.#adopted.resolve();
  }

  /**
   * Gives the address up to the server at the other end. Answers what still comes in, but asks every client to
   * come again by a new connection; then closes.
   */
  async handOver(port: MessagePort): Promise<void> {
    const link = await this.#streamable.sessions.share(port);
    this.#draining = true;
    for (let i = 0; i < 2; i++) {
      this.#streamable.sessions.closeStreams();
      this.#sse.endWhenIdle();
      if (i === 0) await pause(HAND_OVER_MS); // a stream may be opened here again meanwhile
    }
    link.hush();
    await Promise.race([this.#server?.shutdown(), pause(DRAIN_MS)]);
  }

  get settled(): Promise<unknown> {
    return Promise.resolve();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const deadline = performance.now() + graceMs;
    while ((this.#calls() > 0 || this.#requests > 0) && performance.now() < deadline) await pause(10);
    await this.#streamable.close();
    await this.#sse.close();
    const closed = this.#server?.shutdown().then(() => true);
    if (await Promise.race([closed, pause(FLUSH_MS)]) === undefined) this.#abort.abort();
  }

  #calls(): number {
    return this.#streamable.calls + this.#sse.calls + (this.#rest?.calls ?? 0);
  }

  async #handle(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const pathname = pathOf(request);
    if (pathname === "/health") return healthPage(request, this.#pages);
    if (request.method === "POST") {
      this.#requests++;
      const sent = () => void this.#requests--;
      info.completed.then(sent, sent);
    }
    const response = this.#guard.preflight(request) ?? await this.#guard.check(request) ??
      await this.#route(request, pathname);
    if (response.status >= 400) this.#options.stats.error();
    if (this.#draining) response.headers.set("connection", "close");
    return this.#guard.withCors(request, response);
  }

  async #route(request: Request, pathname: string): Promise<Response> {
    if (this.#stopping || this.#requests > this.#limits.maxRequests) {
      const why = this.#stopping ? "the server is stopping" : "too many requests in flight";
      return rpcError(503, -32000, `Service Unavailable: ${why}`, {
        "retry-after": "1",
        connection: "close",
      });
    }
    switch (pathname) {
      case "/mcp":
        return await this.#streamable.handle(request);
      case "/mcp/stream":
        return await this.#sse.open(request, "/mcp/messages");
      case "/sse":
        return await this.#sse.open(request, "/messages");
      case "/mcp/messages":
      case "/messages":
        return await this.#sse.post(request);
      case "/metrics":
        return await metricsPage(request, this.#pages);
      default:
        return await this.#rest?.handle(request, pathname) ?? rpcError(
          404,
          -32000,
          "Not Found: MCP is at /mcp; there are /mcp/stream, /health and /metrics too",
        );
    }
  }

  #failed(error: unknown): Response {
    this.#options.stats.error();
    this.#options.log.error("server_error", {
      error: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
    return rpcError(500, -32603, "Internal error");
  }
}

/** The path that is asked for. A Host header that no URL can have matters to the guard, but not here. */
function pathOf({ url, headers }: Request): string {
  const rest = url.slice(url.indexOf("//") + 2);
  const host = headers.get("host") ?? "";
  const target = host !== "" && rest.startsWith(host) ? rest.slice(host.length) : rest.replace(/^[^/]*/, "");
  return URL.parse(`http://localhost${target}`)?.pathname ?? "";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
