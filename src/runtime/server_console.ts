/**
 * A server's console: calls are counted from the start, and the rest is loaded when the page is first opened.
 * The server itself reads no store for it: a separate Worker does, which may only read.
 */
import type { Config, HttpConfig } from "../base/config.ts";
import type { Logger } from "../base/log.ts";
import type { CallRecord, Metrics } from "../base/metrics.ts";
import type { SpawnConsole } from "../base/spawn.ts";
import { consoleUrl } from "../console/front/address.ts";
import type { ConsoleFront } from "../console/front/front.ts";
import { LiveCalls } from "../console/front/live_calls.ts";
import { newSecret } from "../console/front/secret.ts";
import type { Visitor } from "../transports/http/visitors.ts";

export interface ServerConsoleOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly spawn: SpawnConsole;
}

/** The tool arguments that name a place, as in the log. */
const PATHS = ["path", "source_path", "dest_path", "source", "destination"];
const ROOTS = ["root", "source_root"];
/** How many printed but unused tokens are kept until the page is first opened. */
const MOST_TOKENS = 16;

export class ServerConsole {
  readonly #options: ServerConsoleOptions;
  readonly #calls = new LiveCalls();
  readonly #startedAt = Date.now();
  #tokens: string[] = [];
  #front: Promise<ConsoleFront> | undefined;
  #transport: HttpConfig;
  /** The address it listens on, and who is connected, once known. */
  #address: Pick<HttpConfig, "host" | "port">;
  connected: () => readonly Visitor[] = () => [];

  constructor(options: ServerConsoleOptions, transport: HttpConfig) {
    this.#options = options;
    this.#transport = transport;
    this.#address = transport;
    options.metrics.onRecord = (record) => this.#calls.add(callOf(record));
  }

  /** An address that opens the page once. */
  async newAddress(address: Pick<HttpConfig, "host" | "port">): Promise<string> {
    this.#address = { ...this.#address, port: address.port };
    if (this.#front !== undefined) return consoleUrl(this.#address, await (await this.#front).newToken());
    const token = newSecret();
    this.#tokens = [...this.#tokens.slice(1 - MOST_TOKENS), token];
    return consoleUrl(this.#address, token);
  }

  async handle(request: Request, welcome: () => void): Promise<Response> {
    return await (await this.#load()).handle(request, welcome);
  }

  /** Records a request that the server turned away. */
  refused(status: number, pathname: string): void {
    this.#calls.add({
      time: new Date().toISOString(),
      session: null,
      client: null,
      tool: "http",
      source: null,
      paths: [pathname.slice(0, 200)],
      outcome: "refused",
      code: String(status),
      duration_ms: 0,
    });
  }

  reload({ transport }: Config): void {
    if (transport.kind !== "http") return;
    this.#transport = transport;
    this.#front?.then((front) => front.reload(transport));
  }

  async close(): Promise<void> {
    (await this.#front)?.close();
  }

  #load(): Promise<ConsoleFront> {
    return this.#front ??= import("../console/front/front.ts").then(async ({ ConsoleFront }) => {
      const { spawn, log, config: { surface } } = this.#options;
      const front = new ConsoleFront({
        gate: this.#transport,
        port: () => this.#address.port,
        spawn,
        log,
        live: {
          calls: this.#calls,
          surface: surface.kind,
          startedAt: this.#startedAt,
          connected: () => this.connected(),
        },
      });
      for (const token of this.#tokens.splice(0)) await front.newToken(token);
      return front;
    });
  }
}

/** Names and paths, never contents. */
function callOf({ tool, outcome, denied, durationMs, code, client, session, where = {} }: CallRecord) {
  const text = (key: string): string[] => typeof where[key] === "string" ? [where[key]] : [];
  const [root] = ROOTS.flatMap(text);
  const [workspace] = text("workspaceId");
  return {
    time: new Date().toISOString(),
    session: session ?? null,
    client: client ?? null,
    tool,
    source: root !== undefined ? `root:${root}` : workspace !== undefined ? `workspace:${workspace}` : null,
    paths: PATHS.flatMap(text),
    outcome: denied ? "refused" as const : outcome,
    code: code ?? null,
    duration_ms: Math.round(durationMs * 100) / 100,
  };
}
