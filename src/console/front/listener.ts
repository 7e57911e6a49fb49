/** The address of a console that runs as its own process. */
import type { HttpConfig } from "../../base/config.ts";
import type { Logger } from "../../base/log.ts";
import { connectionsFor, type Visit } from "../../transports/http/connections.ts";
import { serveOnConnection } from "../../transports/http/runtime_http.ts";
import { serveConnections, type Serving } from "../../transports/http/serve_connections.ts";
import { answer, failure } from "./answers.ts";
import { type ConsoleFront, isConsolePath } from "./front.ts";

export interface ConsoleListenerOptions {
  readonly config: HttpConfig;
  readonly front: ConsoleFront;
  readonly log: Logger;
  readonly openFiles: number | undefined;
}

const LIMITS = { firstRequestMs: 10_000, quietMs: 120_000, latelyMs: 60_000 };
const MOST_CONNECTIONS = 512;
const TROUBLE_MS = 10_000;
const CLOSE_MS = 500;

export class ConsoleListener {
  readonly #options: ConsoleListenerOptions;
  #server: Serving | undefined;
  #troubleToldAt = -TROUBLE_MS;

  constructor(options: ConsoleListenerOptions) {
    this.#options = options;
  }

  /** The port it listens on. */
  open(): number {
    const { config: { host, port }, openFiles, log } = this.#options;
    try {
      this.#server = serveConnections({
        hostname: host,
        port,
        limits: { ...LIMITS, maxConnections: Math.min(MOST_CONNECTIONS, connectionsFor(openFiles)) },
        handler: (request, visit) => this.#handle(request, visit),
        onError: (error) => {
          log.error("console_error", { error: error instanceof Error ? error.message : String(error) });
          return failure("INTERNAL", "something went wrong here; the log says more");
        },
        onTrouble: (reason) => this.#tellTrouble(reason),
        serveOn: serveOnConnection(),
      });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
      throw new Error(
        `port ${port} on ${host} is already in use; stop what listens there, or choose another --port`,
      );
    }
    return this.#server.address.port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => setTimeout(resolve, CLOSE_MS));
    await Promise.race([this.#server?.shutdown(), closed]);
  }

  async #handle(request: Request, visit: Visit): Promise<Response> {
    const pathname = URL.parse(request.url)?.pathname ?? "";
    if (isConsolePath(pathname)) return await this.#options.front.handle(request, () => visit.welcome());
    if (pathname === "/") return answer(null, { status: 303, headers: { location: "/console" } });
    return failure("NOT_FOUND", "the console is at /console");
  }

  #tellTrouble(reason: string): void {
    if (performance.now() - this.#troubleToldAt < TROUBLE_MS) return;
    this.#troubleToldAt = performance.now();
    this.#options.log.warn("connections_refused", { reason });
  }
}
