/** /health and /metrics, and what a person sees who starts the server. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/base/version.ts";
import { ModernClient, rawExchange, SessionClient } from "../support/http_client.ts";
import { HttpServer } from "../support/http_server.ts";
import { parsePrometheus, valueOf } from "../support/prometheus.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

let folder: TempFolder;
let server: HttpServer;
let root: string;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  folder.write("a.txt", "hello\n");
  root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  server = await HttpServer.start([folder.path]);
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

Deno.test("/health is 200 and ok", async () => {
  const response = await fetch(`${server.url}/health`);
  assertEquals([response.status, await response.text()], [200, "ok"]);
  assertEquals(response.headers.get("content-type"), "text/plain");
  assertEquals(response.headers.get("cache-control"), "no-store");
});

const STRANGE_HOSTS = ["evil.com", "[::", "a b@c:99999999", "localhost/mcp?", "", "x".repeat(5_000)];

for (const host of STRANGE_HOSTS) {
  Deno.test(`/health is 200 and ok when the Host is ${JSON.stringify(host.slice(0, 20))}`, async () => {
    const answer = await rawExchange(
      server.port,
      `GET /health HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://evil.com\r\nConnection: close\r\n\r\n`,
    );
    assert(answer.startsWith("HTTP/1.1 200 OK\r\n") && answer.endsWith("\r\n\r\nok"), answer);
    assertEquals(server.log.includes("ERROR"), false);
  });
}

Deno.test("/health is 200 and ok without a Host at all", async () => {
  const answer = await rawExchange(server.port, "GET /health HTTP/1.0\r\n\r\n");
  assert(answer.startsWith("HTTP/1.0 200 OK\r\n") && answer.endsWith("\r\n\r\nok"), answer);
});

Deno.test("/health says more to those who accept JSON", async () => {
  const response = await fetch(`${server.url}/health`, { headers: { accept: "application/json" } });
  const { uptime_seconds, requests, errors, fences, ...rest } = await response.json();
  assertEquals([response.status, rest], [200, { status: "ok", state: "running", version: VERSION }]);
  assert(uptime_seconds > 0 && requests >= 0 && errors >= 0);
  assert(fences.length === 2 && fences.every((words: unknown) => typeof words === "string"), String(fences));
});

Deno.test("/health answers HEAD without a body, and 405 to methods other than GET and HEAD", async () => {
  const head = await fetch(`${server.url}/health`, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
  for (const method of ["POST", "PUT", "DELETE"]) {
    const response = await fetch(`${server.url}/health`, { method });
    assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD"]);
    assertStringIncludes(await response.text(), "Method not allowed; allowed: GET, HEAD");
  }
});

Deno.test("/metrics counts calls, bytes and denials as they happen", async () => {
  const samples = async () => parsePrometheus(await (await fetch(`${server.url}/metrics`)).text());
  const before = await samples();
  const [client, modern] = [await SessionClient.begin(server.url), new ModernClient(server.url)];
  for (let i = 0; i < 3; i++) await client.call("read_file", { root, path: "a.txt" });
  await modern.call("read_file", { root, path: "a.txt" });
  await client.call("read_file", { root, path: "missing.txt" });
  await client.call("read_file", { root, path: "../../etc/passwd" });
  await modern.call("write_file", { root, path: "b.txt", content: "b", mode: "overwrite" });
  await modern.request("tools/call", { name: "no_such_tool" });
  await client.request("no/such/method");
  const after = await samples();
  const calls = (tool: string, outcome: string) =>
    valueOf(after, "paddock_tool_calls_total", { tool, outcome });
  assertEquals([calls("read_file", "success"), calls("read_file", "error")], [4, 2]);
  assertEquals([calls("write_file", "success"), calls("write_file", "error")], [1, 0]);
  assertEquals(valueOf(after, "paddock_tool_call_duration_seconds_count", { tool: "read_file" }), 6);
  assertEquals(valueOf(after, "paddock_denials_total"), 1);
  assert(valueOf(after, "paddock_response_bytes_total") > 4 * "hello\n".length);
  const grown = (name: string) => valueOf(after, `paddock_${name}`) - valueOf(before, `paddock_${name}`);
  assertEquals([grown("sessions"), grown("requests_total"), grown("errors_total")], [1, 10, 4]);
  assertEquals([valueOf(after, "paddock_calls_in_flight"), valueOf(after, "paddock_lock_waits_total")], [
    0,
    0,
  ]);
  await (await client.end()).body?.cancel();
  assertEquals(valueOf(await samples(), "paddock_sessions"), valueOf(before, "paddock_sessions"));
});

Deno.test("/metrics is plain text, for GET and HEAD, and only for a known Host", async () => {
  const response = await fetch(`${server.url}/metrics`);
  assertEquals(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  await response.body?.cancel();
  const head = await fetch(`${server.url}/metrics`, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
  const posted = await fetch(`${server.url}/metrics`, { method: "POST" });
  assertEquals(posted.status, 405);
  await posted.body?.cancel();
  const foreign = await rawExchange(
    server.port,
    "GET /metrics HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n",
  );
  assertStringIncludes(foreign, "HTTP/1.1 403 Forbidden");
});

Deno.test("the server prints its address and what to paste into a client", async () => {
  await server.logged("server_starting");
  const url = `${server.url}/mcp`;
  assertStringIncludes(server.log, `paddock is at ${url}`);
  assertStringIncludes(server.log, `claude mcp add --transport http paddock ${url}`);
  assertStringIncludes(server.log, `{"mcpServers":{"paddock":{"url":"${url}"}}}`);
  assertStringIncludes(server.log, `{"servers":{"paddock":{"type":"http","url":"${url}"}}}`);
});

Deno.test("an unknown path is answered with 404 and the paths that exist", async () => {
  const response = await fetch(`${server.url}/nothing/here`);
  assertEquals(response.status, 404);
  assertStringIncludes((await response.json()).error.message, "MCP is at /mcp");
});
