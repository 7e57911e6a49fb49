/** Which request an HTTP answer belongs to, including refusals, and messages that deviate from the protocol. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { initializeMessage, MODERN, modernMessage, post, SessionClient } from "../support/http_client.ts";
import { HttpServer } from "../support/http_server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

let folder: TempFolder;
let server: HttpServer;
let client: SessionClient;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  folder.write("a.txt", "a");
  server = await HttpServer.start([folder.path]);
  client = await SessionClient.begin(server.url);
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const PING = { jsonrpc: "2.0", id: "mine", method: "ping" };
const NOWHERE = { "mcp-session-id": "nowhere" };

const REFUSED: [name: string, status: number, body: unknown, headers: () => Record<string, string>][] = [
  ["no session", 400, PING, () => ({})],
  ["an unknown session", 404, PING, () => NOWHERE],
  ["an unknown revision", 400, PING, () => ({ ...client.headers, "mcp-protocol-version": "1999-01-01" })],
  ["a message without a version", 400, { id: "mine", method: "ping" }, () => client.headers],
  ["an initialize without parameters", 400, { ...PING, method: "initialize" }, () => ({})],
  ["a second initialize", 400, { ...initializeMessage(), id: "mine" }, () => client.headers],
];

for (const [name, status, body, headers] of REFUSED) {
  Deno.test(`${name} is refused with the id of the request`, async () => {
    const response = await post(`${server.url}/mcp`, body, { headers: headers() });
    const { id, error } = await response.json();
    assertEquals([response.status, id, typeof error.code], [status, "mine", "number"]);
  });
}

Deno.test("a message without a known id is refused with a null id", async () => {
  for (const body of ["{", "5", { jsonrpc: "2.0", id: {}, method: "ping" }, [PING]]) {
    const response = await post(`${server.url}/mcp`, body, { headers: client.headers });
    assertEquals([response.status, (await response.json()).id], [400, null]);
  }
});

Deno.test("a message to a missing stream is answered with 404, and an invalid message with its id", async () => {
  const stream = await fetch(`${server.url}/sse`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let head = "";
  while (!head.includes("sessionId=")) head += (await reader?.read())?.value ?? "";
  const [, path = ""] = /data: (\S+)/.exec(head) ?? [];
  const response = await post(server.url + path, { id: "mine", method: "ping" });
  assertEquals([response.status, (await response.json()).id], [400, "mine"]);
  const taken = await post(server.url + path, { ...PING, params: null, extra: 1 });
  assertEquals([taken.status, await taken.text()], [202, "Accepted"]);
  let answer = "";
  while (!answer.includes("\n\n")) answer += (await reader?.read())?.value ?? "";
  assertStringIncludes(answer, '"id":"mine"');
  await reader?.cancel();
});

Deno.test("null params and unknown members are accepted, with and without a session", async () => {
  for (const extra of [{ params: null }, { trace: "abc" }, { params: null, a: { b: 1 } }]) {
    const response = await client.send({ ...PING, ...extra });
    assertEquals(await response.json(), { jsonrpc: "2.0", id: "mine", result: {} });
  }
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/list" };
  const message = { ...modernMessage("tools/list", {}, "mine"), trace: "abc" };
  const { id, result } = await (await post(`${server.url}/mcp`, message, { headers })).json();
  assertEquals([id, Array.isArray(result.tools)], ["mine", true]);
});

Deno.test("of two concurrent calls with one id in a session, one is refused, by its id, and does not run", async () => {
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  using held = Deno.openSync(`${folder.path}/a.txt`, { read: true, write: true });
  held.lockSync(true);
  const write = (path: string) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "write_file", arguments: { root, path, content: "new", mode: "overwrite" } },
  });
  const first = client.send(write("a.txt"));
  while (await server.metric("calls_in_flight") < 1) { /* until it waits for the lock */ }
  const second = await client.send(write("b.txt"));
  const { id, error } = await second.json();
  assertEquals([second.status, id, error.code], [400, 7, -32600]);
  assertStringIncludes(error.message, "a request with the id 7 is still in flight");
  held.unlockSync();
  assertEquals((await (await first).json()).result.isError ?? false, false);
  assertEquals([folder.read("a.txt"), [...Deno.readDirSync(folder.path)].length], ["new", 1]);
});
