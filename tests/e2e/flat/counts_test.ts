/** What is counted: every request once, and every failure once, however it arrives. */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { initializeMessage, ModernClient, post, rawExchange } from "../../support/http_client.ts";
import { HttpServer } from "../../support/http_server.ts";
import { onUnix } from "../../support/needs.ts";
import { linesOf, totals } from "../../support/run_log.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

const MISSING = { name: "missing.txt" };

Deno.test("a failing call over stdio is one request and one error, as a tool and as a bare method", async () => {
  using folder = tempFolder();
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio", "--log-format=json"]);
  await server.request("read_file", MISSING);
  await server.request("tools/call", { name: "read_file", arguments: MISSING });
  await server.request("no/such/method");
  await server.sendRaw("{not JSON\n");
  await server.next();
  await server.request("list_files");
  assertEquals(await server.end(), 0);
  assertEquals(totals(server.log), { requests: 5, errors: 4 });
});

Deno.test("a failing request over HTTP is one request and one error, through every entry", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "a");
  await using server = await HttpServer.start([`--dir=${folder.path}`, "--log-format=json"]);
  const { url } = server;
  const grown = async (send: () => Promise<unknown>) => {
    const counts = async () => [await server.metric("requests_total"), await server.metric("errors_total")];
    const [requests = 0, errors = 0] = await counts();
    await send();
    const [more = 0, failed = 0] = await counts();
    return { requests: more - requests, errors: failed - errors };
  };
  const sent = async (response: Promise<Response>) => await (await response).text();
  const headers = { "mcp-session-id": "" };
  await grown(async () => {
    const response = await post(`${url}/mcp`, initializeMessage());
    headers["mcp-session-id"] = response.headers.get("mcp-session-id") ?? "";
    await response.text();
  });
  const rpc = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
  const call = (args: unknown) => rpc("tools/call", { name: "read_file", arguments: args });
  const foreign = "POST /mcp HTTP/1.1\r\nHost: evil.com\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  const modern = new ModernClient(url);
  const failing: [name: string, send: () => Promise<unknown>][] = [
    ["a REST call", () => sent(post(`${url}/read_file`, MISSING))],
    ["a REST call with bad arguments", () => sent(post(`${url}/read_file`, { name: 5 }))],
    ["a REST body that is not JSON", () => sent(post(`${url}/read_file`, "{"))],
    ["a bare method", () => sent(post(`${url}/mcp`, rpc("read_file", MISSING)))],
    ["a bare method in a session", () => sent(post(`${url}/mcp`, rpc("read_file", MISSING), { headers }))],
    ["a tool in a session", () => sent(post(`${url}/mcp`, call(MISSING), { headers }))],
    ["an unknown method", () => sent(post(`${url}/mcp`, rpc("no/such", {}), { headers }))],
    [
      "a tool without sessions",
      () => modern.request("tools/call", { name: "read_file", arguments: MISSING }),
    ],
    ["a bare method without sessions", () => modern.request("read_file", MISSING)],
    ["an unknown method without sessions", async () => void await (await modern.send("no/such")).text()],
    ["a body that is not JSON", () => sent(post(`${url}/mcp`, "{", { headers }))],
    ["a body that is not a message", () => sent(post(`${url}/mcp`, { a: 1 }, { headers }))],
    [
      "a missing session",
      () => sent(post(`${url}/mcp`, call(MISSING), { headers: { "mcp-session-id": "x" } })),
    ],
    ["an unknown path", () => sent(post(`${url}/nowhere`, {}))],
    ["an unknown Host", () => rawExchange(server.port, foreign)],
  ];
  for (const [name, send] of failing) {
    assertEquals({ name, ...await grown(send) }, { name, requests: 1, errors: 1 });
  }
  const fine: [name: string, send: () => Promise<unknown>][] = [
    ["a REST call", () => sent(post(`${url}/list_files`, {}))],
    ["a bare method", () => sent(post(`${url}/mcp`, rpc("list_files", {})))],
    ["a tool in a session", () => sent(post(`${url}/mcp`, call({ name: "a.txt" }), { headers }))],
    ["a tool without sessions", () => modern.call("read_file", { name: "a.txt" })],
  ];
  for (const [name, send] of fine) {
    assertEquals({ name, ...await grown(send) }, { name, requests: 1, errors: 0 });
  }
});

Deno.test({
  ...onUnix("an input that fails is an error: it is logged and counted, and the exit code says so"),
  fn: async () => {
    using folder = tempFolder();
    await using server = new TestServer(["--log-format=json", folder.path], { shell: "$SERVER < /" });
    assertEquals(await server.exit(), 1);
    const [error] = linesOf(server.log, "server_error");
    assertEquals(error?.level, "error");
    assertStringIncludes(String(error?.error), "the input failed: ");
    assertEquals(totals(server.log), { requests: 0, errors: 1 });
  },
});

Deno.test("the log says why a call failed, and nothing about file contents; the start line says how long the start took", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "one\nTOPSECRET\n");
  await using server = new TestServer(["--log-format=json", folder.path]);
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  await server.call("read_file", { root, path: "missing.txt" });
  const patch = "@@ -1,2 +1,2 @@\n one\n-TOPSECRET or not\n+two\n";
  await server.call("patch_file", { root, path: "a.txt", patch });
  await server.call("patch_file", { root, path: "a.txt", patch: "@@ -1 +1 @@\n-TOPSECRET\n*TOPSECRET\n" });
  await server.call("write_file", { root, path: "b.txt", content: ["TOPSECRET"] });
  assertEquals(await server.end(), 0);
  const errors = linesOf(server.log, "tool_call").map(({ error }) => String(error));
  assertStringIncludes(errors[0] ?? "", "file not found: missing.txt");
  assertStringIncludes(errors[1] ?? "", "patch failed: hunk 1 cannot be placed at line 2");
  assertStringIncludes(errors[2] ?? "", "invalid patch");
  assertEquals(errors[3], "invalid arguments: content");
  assertEquals(server.log.includes("TOPSECRET"), false);
  assertGreater(Number(linesOf(server.log, "server_starting")[0]?.startup_ms), 0);
});
