/**
 * Decides who may ask at all, before looking at the question. A web page that a person visits can make their browser
 * send requests to this machine, and by DNS rebinding even read the answers. So the Host must be a name the server is
 * known by, an Origin must be the console's own, and a browser that says where a request comes from must say: from
 * here.
 */
import type { HttpConfig } from "../../base/config.ts";
import { hostname, knownHosts } from "../../transports/http/guard.ts";
import { failure } from "./answers.ts";

export type GateConfig = Pick<HttpConfig, "host" | "allowedHosts">;

export class Gate {
  readonly #hosts: ReadonlySet<string>;

  constructor(config: GateConfig) {
    this.#hosts = knownHosts(config);
  }

  /** The refusal, or undefined if the request may pass. `isApi` is for everything except pages. */
  check(request: Request, { isApi }: { isApi: boolean }): Response | undefined {
    const { headers, method } = request;
    const host = headers.get("host");
    if (host === null || !this.#hosts.has(hostname(host))) {
      return failure("FORBIDDEN", "unknown Host header; the operator can add it to --allowed-hosts");
    }
    const origin = headers.get("origin");
    if (origin !== null && !isOwn(origin, host)) {
      return failure("FORBIDDEN", "this Origin is not the console's own");
    }
    if (!comesFromHere(headers, { isApi, method })) {
      return failure("FORBIDDEN", "the request was made by another site");
    }
    return undefined;
  }
}

/** The same name and port; the scheme is up to the proxy in front of the server. */
function isOwn(origin: string, host: string): boolean {
  const [, authority] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return authority !== undefined && authority.toLowerCase() === host.toLowerCase();
}

/**
 * Requests that no browser sent say nothing about their origin. A page may be opened from anywhere, but not shown
 * inside another one.
 */
function comesFromHere(headers: Headers, { isApi, method }: { isApi: boolean; method: string }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin") return true;
  const isReading = method === "GET" || method === "HEAD";
  if (site === "none") return isReading; // typed, or from a bookmark
  return !isApi && isReading && headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}
