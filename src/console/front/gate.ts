/**
 * Who may ask at all, before it is looked at what. A web page that a person visits can make their browser send requests
 * to this machine, and by DNS rebinding even read the answers. So the Host must be a name that the server is known by,
 * an Origin must be the console's own, and a browser that says where a request comes from must say: from here.
 */
import { type HttpConfig } from "../../base/config.ts";
import { hostname, knownHosts } from "../../transports/http/guard.ts";
import { failure } from "./answers.ts";

export type GateConfig = Pick<HttpConfig, "host" | "allowedHosts">;

export class Gate {
  readonly #hosts: ReadonlySet<string>;

  constructor(config: GateConfig) {
    this.#hosts = knownHosts(config);
  }

  /** The refusal, or undefined when it may pass. `isApi` for what is no page. */
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

/** The same name and port; the scheme is the business of whoever stands in front of the server. */
function isOwn(origin: string, host: string): boolean {
  const [, authority] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return authority !== undefined && authority.toLowerCase() === host.toLowerCase();
}

/** What no browser has sent says nothing about itself. A page may be come to from anywhere, but not shown inside another. */
function comesFromHere(headers: Headers, { isApi, method }: { isApi: boolean; method: string }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin") return true;
  const isReading = method === "GET" || method === "HEAD";
  if (site === "none") return isReading; // typed, or from a bookmark
  return !isApi && isReading && headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}
