/** HTTP as a listener of the run loop: the address, the pages behind it, and the guard in front of them. */
import { type HttpConfig } from "../base/config.ts";
import { type Logger } from "../base/log.ts";
import { type Metrics } from "../base/metrics.ts";
import { type Stats } from "../base/stats.ts";
import { type Listener } from "../server/lifecycle.ts";
import { createMcpServer, type Tools } from "../server/mcp.ts";
import { rpcError } from "./http/answers.ts";
import { Guard } from "./http/guard.ts";
import { healthPage, metricsPage, type PageSources } from "./http/pages.ts";
import { LegacySse } from "./legacy_sse.ts";
import { type SessionRecord, StreamableHttp } from "./streamable_http.ts";

export interface HttpListenerOptions {
  config: HttpConfig;
  tools: Tools;
  instructions: string;
  maxBody: number;
  stats: Stats;
  metrics: Metrics;
  log: Logger;
  lockWaits: () => Promise<number>;
  limits?: Partial<HttpLimits>;
  /** Whether another server is still there, whose address and sessions are taken over. */
  takeOver?: boolean;
}

export interface HttpLimits {
  bodyTimeoutMs: number;
  maxSessions: number;
  maxCallsPerSession: number;
  maxCalls: number;
  sessionIdleMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyTimeoutMs: 30_000,
  maxSessions: 500,
  maxCallsPerSession: 1_000,
  maxCalls: 5_000,
  sessionIdleMs: 30 * 60_000,
};

/** Whether a second server can listen on the same address, to take over without a gap. */
const SHARED = Deno.build.os === "linux";
/** How long the old server still accepts connections after the new one does. */
const HAND_OVER_MS = 200;
/** How long the old server waits for its calls and connections to end. */
const DRAIN_MS = 35_000;

export class HttpListener implements Listener {
  readonly #options: HttpListenerOptions;
  readonly #limits: HttpLimits;
  readonly #guard: Guard;
  readonly #streamable: StreamableHttp;
  readonly #sse: LegacySse;
  readonly #pages: PageSources;
  readonly #ended = Promise.withResolvers<string>();
  readonly #abort = new AbortController();
  readonly #adopted = Promise.withResolvers<void>();
  #draining = false;
  #server: Deno.HttpServer | undefined;
  #stopping = false;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#limits = { ...HTTP_LIMITS, ...options.limits };
    const { bodyTimeoutMs, maxSessions, maxCallsPerSession, sessionIdleMs } = this.#limits;
    const createServer = () => createMcpServer(options.tools, { instructions: options.instructions });
    const body = { maxBytes: options.maxBody, timeoutMs: bodyTimeoutMs };
    this.#guard = new Guard(options.config);
    this.#streamable = new StreamableHttp({
      createServer,
      stats: options.stats,
      body,
      maxSessions,
      maxCalls: maxCallsPerSession,
      idleMs: sessionIdleMs,
      onerror: (error) => options.log.debug("protocol_error", { error: error.message }),
    });
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
      sessions: () => this.#streamable.sessions + this.#sse.sessions,
      calls: () => this.#calls(),
      lockWaits: options.lockWaits,
    };
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** The sessions there are, for the server that takes over. */
  records(): SessionRecord[] {
    return this.#streamable.records();
  }

  open(): Promise<void> {
    const { host, port } = this.#options.config;
    if (!this.#options.takeOver) this.#adopted.resolve();
    try {
      // Two servers can share an address only while one takes over from the other.
      if (SHARED && !this.#options.takeOver) Deno.listen({ hostname: host, port }).close();
      this.#server = Deno.serve({
        hostname: host,
        port,
        reusePort: SHARED,
        signal: this.#abort.signal,
        onListen: () => {},
        onError: (error) => this.#failed(error),
      }, (request) => this.#handle(request));
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

  async adopt(sessions: readonly unknown[]): Promise<void> {
    for (const record of sessions) await this.#streamable.adopt(record as SessionRecord);
    this.#adopted.resolve();
  }

  /** Answers what still comes in, but asks every client to come again by a new connection; then closes. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#streamable.closeStreams();
    await new Promise((resolve) => setTimeout(resolve, HAND_OVER_MS));
    const closed = this.#server?.shutdown();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  }

  get settled(): Promise<unknown> {
    return Promise.resolve();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const deadline = performance.now() + graceMs;
    while (this.#calls() > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.#streamable.close();
    await this.#sse.close();
    const closed = this.#server?.shutdown().then(() => true);
    const enough = new Promise<false>((resolve) => setTimeout(() => resolve(false), 200));
    if (await Promise.race([closed, enough]) === false) this.#abort.abort();
  }

  #calls(): number {
    return this.#streamable.calls + this.#sse.calls;
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return healthPage(request, this.#pages);
    const response = this.#guard.preflight(request) ?? await this.#guard.check(request) ??
      await this.#route(request, pathname);
    if (response.status >= 400) this.#options.stats.error();
    if (this.#draining) response.headers.set("connection", "close");
    return this.#guard.withCors(request, response);
  }

  async #route(request: Request, pathname: string): Promise<Response> {
    if (this.#stopping || this.#calls() >= this.#limits.maxCalls) {
      const why = this.#stopping ? "the server is stopping" : "too many calls in flight";
      return rpcError(503, -32000, `Service Unavailable: ${why}`, {
        "retry-after": "1",
        connection: "close",
      });
    }
    switch (pathname) {
      case "/mcp":
        if (request.headers.has("mcp-session-id")) await this.#adopted.promise;
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
        return rpcError(
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
