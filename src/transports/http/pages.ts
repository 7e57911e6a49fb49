/** Pages for people and programs that monitor the server: /health and /metrics. */
import type { Metrics } from "../../base/metrics.ts";
import type { Stats } from "../../base/stats.ts";
import { VERSION } from "../../base/version.ts";
import { methodNotAllowed } from "./answers.ts";

export interface PageSources {
  stats: Stats;
  metrics: Metrics;
  state: () => string;
  sessions: () => number;
  calls: () => number;
  lockWaits: () => Promise<number>;
  /** What keeps the server inside its directories, in words. */
  fences: readonly string[];
}

/** 200 and `ok` as long as the server runs; it checks nothing else. */
export function healthPage(request: Request, { stats, state, fences }: PageSources): Response {
  if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed("GET, HEAD");
  const headers = { "cache-control": "no-store" };
  if (!request.headers.get("accept")?.includes("application/json")) {
    return new Response("ok", { headers: { ...headers, "content-type": "text/plain" } });
  }
  const { requests, errors, uptimeSeconds } = stats.snapshot();
  const facts = {
    status: "ok",
    state: state(),
    uptime_seconds: uptimeSeconds,
    requests,
    errors,
    version: VERSION,
    fences,
  };
  return Response.json(facts, { headers });
}

export async function metricsPage(request: Request, sources: PageSources): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed("GET, HEAD");
  const { requests, errors, uptimeSeconds } = sources.stats.snapshot();
  const text = sources.metrics.render({
    sessions: sources.sessions(),
    calls_in_flight: sources.calls(),
    lock_waits_total: await sources.lockWaits(),
    requests_total: requests,
    errors_total: errors,
    uptime_seconds: uptimeSeconds,
  });
  return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
}
