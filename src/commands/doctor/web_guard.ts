/** Checks that an HTTP server rejects requests from web pages: a foreign Host, a foreign Origin. */
import type { Config } from "../../base/config.ts";
import { isGranted } from "../../cli/permissions.ts";
import { type Check, type Finding, finding } from "./finding.ts";

const NAME = "requests from foreign web pages";
const HOST = "127.0.0.1";

/** Starts the server with this configuration; the returned function stops it. */
type StartHttp = (config: Config) => Promise<() => Promise<void>>;

export function webGuardCheck(config: Config, start: StartHttp): Check {
  return {
    name: NAME,
    run: async () => {
      if (!isGranted({ name: "net" })) {
        return [finding(NAME, "skipped", "the process has no permission to use the network")];
      }
      const port = freePort();
      const http = { host: HOST, port, allowedHosts: [], corsOrigins: [], token: undefined };
      const stop = await start({ ...config, transport: { kind: "http", ...http } });
      try {
        return [await guarded(port)];
      } finally {
        await stop();
      }
    },
  };
}

async function guarded(port: number): Promise<Finding> {
  const own = `${HOST}:${port}`;
  const foreign: [what: string, headers: string[]][] = [
    ["a foreign Host", ["Host: evil.example"]],
    ["a foreign Host with our port", [`Host: evil.example:${port}`]],
    ["a foreign Origin", [`Host: ${own}`, "Origin: http://evil.example"]],
    ["the Origin null", [`Host: ${own}`, "Origin: null"]],
  ];
  const ping = await statusOf(port, [`Host: ${own}`]);
  if (ping === 403) return finding(NAME, "failed", "the server refuses its own address");
  for (const [what, headers] of foreign) {
    const status = await statusOf(port, headers);
    if (status !== 403) return finding(NAME, "failed", `${what} was answered with ${status}, not 403`);
  }
  return finding(NAME, "ok", `${foreign.length} kinds, each answered with 403`);
}

/** Written by hand: HTTP clients do not let the caller set the Host. */
async function statusOf(port: number, headers: readonly string[]): Promise<number> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const head = [
    "POST /mcp HTTP/1.1",
    ...headers,
    "Accept: application/json, text/event-stream",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  using connection = await Deno.connect({ hostname: HOST, port });
  const request = new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`);
  for (let at = 0; at < request.length;) at += await connection.write(request.subarray(at));
  const bytes = new Uint8Array(1024);
  const count = await connection.read(bytes) ?? 0;
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(new TextDecoder().decode(bytes.subarray(0, count)))?.[1] ?? 0);
}

/** Below the ports that the system assigns by itself: one of those could be taken at any moment. */
const [LOWEST, HIGHEST] = [10_000, 32_000];

function freePort(): number {
  for (let attempt = 0;; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    try {
      Deno.listen({ hostname: HOST, port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || attempt >= 20) throw error;
    }
  }
}
