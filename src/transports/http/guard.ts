/**
 * Guards every page except /health. A web page that a user visits can make their browser send requests to a
 * server on their own machine; by DNS rebinding it can even read the answers. So the Host must be a name this
 * server is known by, and an Origin must be an allowed one. A token, if there is one, must be right.
 */
import type { HttpConfig } from "../../base/config.ts";
import { rpcError } from "./answers.ts";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
const WILDCARDS = ["0.0.0.0", "[::]"];

export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #token: Promise<Uint8Array> | undefined;

  constructor(config: HttpConfig) {
    this.#hosts = knownHosts(config);
    this.#origins = new Set(config.corsOrigins);
    this.#token = config.token === undefined ? undefined : digest(config.token);
  }

  /** The answer to a request that must not pass, or undefined for one that may; a token takes a while to check. */
  check(request: Request): Response | undefined | Promise<Response | undefined> {
    const host = request.headers.get("host");
    if (host === null || !this.#hosts.has(hostname(host))) {
      return rpcError(
        403,
        -32000,
        "Forbidden: unknown Host header; the operator can add it to --allowed-hosts",
      );
    }
    const origin = request.headers.get("origin");
    if (origin !== null && !this.#isAllowed(origin)) {
      return rpcError(
        403,
        -32000,
        "Forbidden: this Origin is not allowed; the operator can add it to --cors-origin",
      );
    }
    return this.#token === undefined ? undefined : this.#checkToken(request, this.#token);
  }

  async #checkToken(request: Request, token: Promise<Uint8Array>): Promise<Response | undefined> {
    if (await this.#isAuthorized(request, token)) return undefined;
    return rpcError(401, -32000, "Unauthorized: send the token as `Authorization: Bearer …`", {
      "www-authenticate": 'Bearer realm="paddock"',
    });
  }

  /** The answer to a browser's preflight request; undefined for anything else. */
  preflight(request: Request): Response | undefined {
    if (request.method !== "OPTIONS") return undefined;
    const origin = request.headers.get("origin");
    if (origin === null || !this.#origins.has(origin)) {
      return rpcError(403, -32000, "Forbidden: this Origin is not allowed");
    }
    return new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
        "access-control-allow-headers":
          "authorization, content-type, accept, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id",
        "access-control-max-age": "600",
      },
    });
  }

  /** Lets an allowed web page read the answer. */
  withCors(request: Request, response: Response): Response {
    const origin = request.headers.get("origin");
    if (origin === null || !this.#origins.has(origin)) return response;
    response.headers.set("access-control-allow-origin", origin);
    response.headers.set("access-control-expose-headers", "mcp-session-id");
    response.headers.append("vary", "origin");
    return response;
  }

  #isAllowed(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    const [, host] = /^https?:\/\/(.+)$/i.exec(origin) ?? [];
    return host !== undefined && this.#hosts.has(hostname(host));
  }

  /** Digests of equal length are compared without stopping at the first difference. */
  async #isAuthorized(request: Request, token: Promise<Uint8Array>): Promise<boolean> {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (given === undefined) return false;
    const [a, b] = await Promise.all([digest(given), token]);
    let difference = 0;
    for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
    return difference === 0;
  }
}

/** The names a server is known by. */
export function knownHosts(
  { host, allowedHosts }: Pick<HttpConfig, "host" | "allowedHosts">,
): ReadonlySet<string> {
  const own = urlForm(host);
  const names = [...LOCAL, ...allowedHosts];
  return new Set(WILDCARDS.includes(own) ? names : [...names, own]);
}

/** An address as in a URL, and so in a Host header: lower case, IPv6 in its short form and in brackets. */
function urlForm(host: string): string {
  const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return URL.parse(`http://${authority}`)?.hostname ?? host.toLowerCase();
}

/** A Host header without its port, in lower case; anything malformed is left as it is and matches nothing. */
export function hostname(host: string): string {
  const [, name] = /^(\[[0-9a-f:.]+\]|[^:\s/@]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  return (name ?? host).toLowerCase();
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
