/** HTTP as a listener of the run loop: the address, the pages behind it, and the guard in front of them. */
import type { Server } from "@modelcontextprotocol/server";
import type { Config, HttpConfig } from "../base/config.ts";
import { ByteBudget } from "../base/byte_budget.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { Stats } from "../base/stats.ts";
import { CallsInFlight } from "../server/calls_in_flight.ts";
import { ABORTED_MS, FLUSH_MS, type Listener } from "../server/lifecycle.ts";
import { createMcpServer, type McpOptions } from "../server/mcp.ts";
import { type BareMethods, Methods, type Tools } from "../server/methods.ts";
import { Notices } from "../server/notices.ts";
import { rpcError } from "./http/answers.ts";
import type { BodyLimits } from "./http/body.ts";
import { type ConnectionLimits, connectionsFor, type Visit } from "./http/connections.ts";
import { Deadlines } from "../base/deadlines.ts";
import { Guard } from "./http/guard.ts";
import { Loads } from "./http/loads.ts";
import { healthPage, metricsPage, type PageSources } from "./http/pages.ts";
import { serveOnConnection } from "./http/runtime_http.ts";
import { serveConnections, type Serving } from "./http/serve_connections.ts";
import { type Visitor, Visitors } from "./http/visitors.ts";
import { LegacySse } from "./legacy_sse.ts";
import { Rest } from "./rest.ts";
import { StreamableHttp } from "./streamable_http.ts";

export interface HttpListenerOptions {
  config: HttpConfig;
  tools: Tools;
  /** Methods in addition to MCP's own, which are also pages of their own. */
  bare?: BareMethods;
  /** The methods about resources, where the surface has them. */
  resources?: Tools | undefined;
  notices?: Notices;
  instructions: string;
  /** Whether the tools want to know which folders a client works in. */
  wantsRoots?: boolean | undefined;
  maxBody: number;
  stats: Stats;
  metrics: Metrics;
  log: Logger;
  lockWaits: () => Promise<number>;
  /** What keeps the server inside its directories, in words. */
  fences: readonly string[];
  limits?: Partial<HttpLimits>;
  /** Counts the bodies and answers in flight. */
  budget?: ByteBudget;
  /** The pages below /console, if there is one. */
  console?: ConsolePages | undefined;
}

/** Pages with a guard of their own. */
export interface ConsolePages {
  handle(request: Request, welcome: () => void): Promise<Response>;
  /** Called for requests that were turned away. */
  refused(status: number, pathname: string): void;
  close(): Promise<void>;
}

export interface HttpLimits extends ConnectionLimits {
  bodyTimeoutMs: number;
  maxSessions: number;
  maxCallsPerSession: number;
  /** How many requests may have answers that are not completely sent yet. */
  maxRequests: number;
  sessionIdleMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  maxConnections: connectionsFor(),
  firstRequestMs: 10_000,
  quietMs: 120_000,
  latelyMs: 60_000,
  bodyTimeoutMs: 30_000,
  maxSessions: 500,
  maxCallsPerSession: 1_000,
  maxRequests: 2_000,
  sessionIdleMs: 30 * 60_000,
};

/** Refused connections are logged at most once in this time: there may be thousands. */
const TROUBLE_MS = 10_000;

export class HttpListener implements Listener {
  readonly #options: HttpListenerOptions;
  readonly #limits: HttpLimits;
  readonly #body: BodyLimits;
  readonly #deadlines: Deadlines;
  #guard: Guard;
  readonly #streamable: StreamableHttp;
  readonly #sse: LegacySse;
  readonly #rest: Rest | undefined;
  readonly #pages: PageSources;
  readonly #inFlight: CallsInFlight;
  readonly #tools: Tools;
  readonly #visitors = new Visitors();
  readonly #loads: Loads;
  readonly #ended = Promise.withResolvers<string>();
  #requests = 0;
  #server: Serving | undefined;
  #troubleToldAt = -TROUBLE_MS;
  #stopping = false;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#limits = { ...HTTP_LIMITS, ...options.limits };
    const { bodyTimeoutMs, maxSessions, maxCallsPerSession, sessionIdleMs } = this.#limits;
    const { instructions, log } = options;
    const clientRoots = options.wantsRoots ? { log } : undefined;
    this.#inFlight = new CallsInFlight(options);
    const tools = this.#inFlight.of(options.tools);
    const bare = options.bare && { ...options.bare, tools: this.#inFlight.of(options.bare.tools) };
    const resources = options.resources && this.#inFlight.of(options.resources);
    const notices = options.notices ?? new Notices();
    this.#tools = tools;
    const served = { instructions, clientRoots, resources, notices, ...(bare === undefined ? {} : { bare }) };
    const createServer = (method?: string, session?: string) =>
      method === undefined
        ? this.#connected("http", { ...served, session })
        : createMcpServer(tools, { ...served, method });
    const isBare = bare !== undefined && bare.methods.length > 0;
    const wrongType = isBare ? 400 as const : 415 as const; // what the bare methods' contract says
    this.#deadlines = new Deadlines(bodyTimeoutMs);
    const budget = options.budget ?? new ByteBudget();
    const loads = new Loads(budget);
    this.#loads = loads;
    const body: BodyLimits = {
      room: (request, bytes, signal) => loads.room(request, bytes, signal),
      maxBytes: options.maxBody,
      timeoutMs: bodyTimeoutMs,
      deadlines: this.#deadlines,
      wrongType,
    };
    this.#body = body;
    this.#guard = new Guard(options.config);
    this.#streamable = new StreamableHttp({
      createServer,
      // Notifications and requests to the client are left to the SDK.
      plain: options.wantsRoots ? undefined : new Methods(tools, {}),
      notices,
      resources,
      stats: options.stats,
      body,
      maxSessions,
      maxCalls: maxCallsPerSession,
      idleMs: sessionIdleMs,
      latelyMs: this.#limits.latelyMs,
      budget,
      weigh: (request, answer) => loads.weigh(request, answer),
      bare: (message, request) => this.#rest?.answer(message, request),
      onerror: (error) => options.log.debug("protocol_error", { error: error.message }),
    });
    this.#rest = isBare ? new Rest(bare, { body, stats: options.stats }) : undefined;
    this.#sse = new LegacySse({
      createServer: () => this.#connected("sse", served),
      stats: options.stats,
      body,
      maxSessions,
      maxCalls: maxCallsPerSession,
      budget,
    });
    this.#pages = {
      stats: options.stats,
      metrics: options.metrics,
      state: () => this.#stopping ? "stopping" : "running",
      sessions: () => this.#streamable.sessions.size + this.#sse.sessions,
      calls: () => this.#calls(),
      lockWaits: options.lockWaits,
      fences: options.fences,
    };
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  open(): Promise<void> {
    const { host, port } = this.#options.config;
    try {
      this.#server = serveConnections({
        hostname: host,
        port,
        limits: this.#limits,
        handler: (request, visit) => this.#handle(request, visit),
        onError: (error) => this.#failed(error),
        onTrouble: (what) => this.#tellTrouble(what),
        serveOn: serveOnConnection(),
      });
    } catch (error) {
      return Promise.reject(
        error instanceof Deno.errors.AddrInUse
          ? new Error(
            `port ${port} on ${host} is already in use; stop what listens there, or choose another --port`,
          )
          : error,
      );
    }
    return Promise.resolve();
  }

  /** The listening address, with names resolved. */
  get address(): { host: string; port: number } | undefined {
    const { hostname: host, port } = this.#server?.address ?? {};
    return host === undefined || port === undefined ? undefined : { host, port };
  }

  /** Adopts who may connect from now on; the address stays. */
  reload({ transport, maxSize }: Config): void {
    if (transport.kind === "http") this.#guard = new Guard(transport);
    this.#body.maxBytes = maxSize;
  }

  get settled(): Promise<unknown> {
    return Promise.resolve();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const isIdle = () => this.#calls() === 0 && this.#requests === 0;
    await this.#options.console?.close();
    await until(isIdle, graceMs);
    await this.#inFlight.stop(ABORTED_MS);
    await until(isIdle, FLUSH_MS);
    this.#deadlines.close();
    await this.#streamable.close();
    await this.#sse.close();
    // Connections that are still open then, of clients that do not read or send, end with the process.
    await Promise.race([this.#server?.shutdown(), pause(FLUSH_MS)]);
    this.#ended.resolve("the address was closed");
  }

  /** Who is connected. */
  visitors(): Visitor[] {
    return this.#visitors.list();
  }

  #connected(transport: string, options: McpOptions): Server {
    const { session = crypto.randomUUID() } = options;
    const server = createMcpServer(this.#tools, { ...options, session });
    this.#visitors.add(session, server, transport);
    return server;
  }

  #calls(): number {
    return this.#streamable.calls + this.#sse.calls + (this.#rest?.calls ?? 0);
  }

  async #handle(request: Request, visit: Visit): Promise<Response> {
    const pathname = pathOf(request);
    if (pathname === "/health") return healthPage(request, this.#pages);
    const { console: pages } = this.#options;
    if (pages !== undefined && /^\/console(?:\/|$)/.test(pathname)) {
      return await pages.handle(request, () => visit.welcome());
    }
    if (request.method === "POST") {
      this.#requests++;
      this.#loads.begin(request, visit);
      const sent = () => void this.#requests--;
      visit.completed.then(sent, sent);
    }
    const checking = this.#guard.preflight(request) ?? this.#guard.check(request);
    const refusal = checking instanceof Promise ? await checking : checking;
    if (refusal === undefined) visit.welcome();
    else pages?.refused(refusal.status, pathname);
    const response = refusal ?? await this.#route(request, pathname);
    // Answers with an error status are counted here, and only here.
    if (response.status >= 400) {
      this.#options.stats.request();
      this.#options.stats.error();
    }
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
      default: {
        const answer = await this.#rest?.handle(request, pathname);
        if (answer !== undefined) return await this.#loads.weigh(request, answer);
        return rpcError(
          404,
          -32000,
          "Not Found: MCP is at /mcp; there are /mcp/stream, /health and /metrics too",
        );
      }
    }
  }

  #tellTrouble(reason: string): void {
    if (performance.now() - this.#troubleToldAt < TROUBLE_MS) return;
    this.#troubleToldAt = performance.now();
    this.#options.log.warn("connections_refused", { reason });
  }

  #failed(error: unknown): Response {
    this.#options.stats.request();
    this.#options.stats.error();
    this.#options.log.error("server_error", {
      error: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
    return rpcError(500, -32603, "Internal error");
  }
}

/** A path that is its own normal form. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/** The requested path. A Host header that no URL can have matters to the guard, but not here. */
function pathOf({ url, headers }: Request): string {
  const rest = url.slice(url.indexOf("//") + 2);
  const host = headers.get("host") ?? "";
  const target = host !== "" && rest.startsWith(host) ? rest.slice(host.length) : rest.replace(/^[^/]*/, "");
  if (PLAIN_PATH.test(target)) return target;
  return URL.parse(`http://localhost${target}`)?.pathname ?? "";
}

async function until(done: () => boolean, maxMs: number): Promise<void> {
  const deadline = performance.now() + maxMs;
  while (!done() && performance.now() < deadline) await pause(10);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
