/** The HTTP listener in this process, around toy tools, with limits as small as a test needs. */
import { createLogger } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics.ts";
import { Stats } from "../../src/base/stats.ts";
import { Registry } from "../../src/tools/registry.ts";
import { HttpListener, type HttpListenerOptions } from "../../src/transports/http_listener.ts";
import { freePort } from "./http_server.ts";
import { ToyHost } from "./toy_server.ts";

export interface ToyHttpOptions extends Pick<HttpListenerOptions, "limits" | "budget"> {
  port?: number;
  maxBody?: number;
}

/** A listener that is not open yet. */
export function toyHttp(options: ToyHttpOptions = {}) {
  const { port = freePort(), maxBody = 1_000_000, ...rest } = options;
  const log = createLogger({ level: "error", format: "json", write: () => {} });
  const stats = new Stats();
  const metrics = new Metrics();
  const host = new ToyHost();
  const tools = new Registry(host, { log, stats, metrics, timeoutMs: 10_000, callLogLevel: "info" });
  const listener = new HttpListener({
    config: { kind: "http", host: "127.0.0.1", port, allowedHosts: [], corsOrigins: [], token: undefined },
    tools,
    instructions: "toys",
    maxBody,
    stats,
    metrics,
    log,
    lockWaits: () => Promise.resolve(0),
    fences: ["path checks"],
    ...rest,
  });
  return { listener, host, stats, port, url: `http://127.0.0.1:${port}` };
}

/** A listener that is open until it is disposed of. */
export async function openToyHttp(options: ToyHttpOptions = {}) {
  for (let attempt = 0;; attempt++) {
    const toy = toyHttp(options);
    try {
      await toy.listener.open();
      return { ...toy, [Symbol.asyncDispose]: () => toy.listener.stop(0) };
    } catch (error) {
      await toy.listener.stop(0);
      if (attempt === 5 || options.port !== undefined) throw error;
    }
  }
}
