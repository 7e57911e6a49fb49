/** The life of a session over Streamable HTTP, and the two forms of an answer. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { eventsIn, ModernClient, post, SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import type { Message } from "../support/server.ts";
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

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

async function failure(
  answer: Promise<Response> | Response,
): Promise<[status: number, code: number, text: string]> {
  const response = await answer;
  const { error } = await response.json() as Message;
  return [response.status, error?.code ?? 0, error?.message ?? ""];
}

Deno.test("a session begins with initialize, is identified by its id and ends with DELETE", async () => {
  const client = new SessionClient(server.url);
  const { result } = await client.initialize("2025-06-18");
  assertEquals([result.protocolVersion, result.serverInfo.name], ["2025-06-18", "paddock"]);
  assert(/^[0-9a-f-]{36}$/.test(client.sessionId));
  assertEquals((await client.call("read_file", { root, path: "a.txt" })).text, "hello\n");
  const ended = await client.end();
  assertEquals([ended.status, await ended.text()], [200, ""]);
  assertEquals(await failure(client.send(PING)), [404, -32001, "Session not found"]);
  assertEquals(await failure(client.stream()), [404, -32001, "Session not found"]);
  assertEquals(await failure(client.end()), [404, -32001, "Session not found"]);
});

Deno.test("a session has one standing stream; a second is refused until the first is closed", async () => {
  const client = await SessionClient.begin(server.url);
  const stream = await client.stream();
  assertEquals([stream.status, stream.headers.get("content-type")], [200, "text/event-stream"]);
  assertEquals(await failure(client.stream()), [409, -32000, "Conflict: only one stream per session"]);
  await stream.body?.cancel();
  const again = await eventually(
    async () => {
      const response = await client.stream();
      if (response.status !== 200) await response.body?.cancel();
      return response;
    },
    ({ status }) => status === 200,
  );
  assertEquals(again.status, 200);
  const ended = await client.end();
  await ended.body?.cancel();
  assertEquals(await again.text(), ""); // DELETE closes it
});

Deno.test("a request needs a known session and a known revision", async () => {
  const client = await SessionClient.begin(server.url);
  const url = `${server.url}/mcp`;
  const missing = [400, -32000, "Bad Request: Mcp-Session-Id header is required"] as const;
  assertEquals(await failure(post(url, PING)), [...missing]);
  assertEquals(await failure(fetch(url, { headers: { accept: "text/event-stream" } })), [...missing]);
  assertEquals(await failure(fetch(url, { method: "DELETE" })), [...missing]);
  const unknown = { "mcp-session-id": crypto.randomUUID() };
  assertEquals((await failure(post(url, PING, { headers: unknown })))[0], 404);
  const [status, , text] = await failure(
    client.send(PING, { headers: { "mcp-protocol-version": "1999-01-01" } }),
  );
  assertEquals(status, 400);
  assertStringIncludes(text, "unsupported protocol version; supported: 2025-11-25, ");
  const good = await client.send(PING, { headers: { "mcp-protocol-version": "2025-06-18" } });
  assertEquals([good.status, (await good.json()).result], [200, {}]);
});

Deno.test("a standing stream needs a client that accepts it", async () => {
  const client = await SessionClient.begin(server.url);
  const answer = fetch(`${server.url}/mcp`, { headers: { ...client.headers, accept: "application/json" } });
  assertEquals((await failure(answer))[0], 406);
});

Deno.test("initialize begins a session only once, alone, and with everything it requires", async () => {
  const client = await SessionClient.begin(server.url);
  const opening = { jsonrpc: "2.0", id: 1, method: "initialize" };
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  assertEquals(
    (await failure(client.send({ ...opening, params })))[2],
    "Invalid Request: the session is initialized already",
  );
  assertEquals(
    (await failure(post(`${server.url}/mcp`, [{ ...opening, params }])))[2],
    "Invalid Request: initialize must stand alone",
  );
  const [status, code, text] = await failure(post(`${server.url}/mcp`, { ...opening, params: {} }));
  assertEquals([status, code], [400, -32602]);
  assertStringIncludes(text, "initialize needs an id, protocolVersion, capabilities and clientInfo");
});

Deno.test("an answer is JSON, or a stream if progress was requested or nothing else is accepted", async () => {
  const client = await SessionClient.begin(server.url);
  // Each has its own id: a stream begins before its call is answered.
  const call = (id: number, _meta: Record<string, unknown>) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "read_file", arguments: { root, path: "a.txt" }, _meta },
  });
  const plain = await client.send(call(5, {}));
  assertEquals(plain.headers.get("content-type"), "application/json");
  assertEquals((await plain.json()).result.content[0].text, "hello\n");
  const streams = [
    await client.send(call(6, { progressToken: "p" })),
    await client.send(call(7, {}), { headers: { accept: "text/event-stream" } }),
  ];
  const types = streams.map(({ headers }) => headers.get("content-type"));
  assertEquals(types, ["text/event-stream", "text/event-stream"]);
  const events = (await Promise.all(streams.map((response) => response.text()))).flatMap(eventsIn);
  assertEquals(events.map(({ id, result }) => [id, result.content[0].text]), [[6, "hello\n"], [
    7,
    "hello\n",
  ]]);
});

const BATCHES: [revision: string, taken: boolean][] = [
  ["2024-11-05", true],
  ["2025-03-26", true],
  ["2025-06-18", false],
  ["2025-11-25", false],
  ["1999-01-01", false],
];

for (const [revision, taken] of BATCHES) {
  Deno.test(`a batch is ${taken ? "answered" : "refused"} when ${revision} was requested`, async () => {
    const client = await SessionClient.begin(server.url, revision);
    const batch = [PING, { jsonrpc: "2.0", method: "notifications/x" }, { ...PING, id: 2 }];
    // The header of a single request does not change what was agreed on.
    const response = await client.send(batch, { headers: { "mcp-protocol-version": "2025-03-26" } });
    if (!taken) {
      assertEquals((await failure(response)).slice(0, 2), [400, -32600]);
      return;
    }
    const answers: Message[] = await response.json();
    assertEquals(answers.map(({ id, result }) => [id, result]).sort(), [[1, {}], [2, {}]]);
    const notes = await client.send([{ jsonrpc: "2.0", method: "notifications/x" }]);
    assertEquals([notes.status, await notes.text()], [202, ""]);
    const many = await client.send(Array.from({ length: 101 }, (_, id) => ({ ...PING, id })));
    assertEquals(await failure(many), [400, -32600, "Invalid Request: at most 100 messages in a batch"]);
  });
}

Deno.test("the revision without sessions needs none, and has no GET and no DELETE", async () => {
  const modern = new ModernClient(server.url);
  const { result } = await modern.request("server/discover");
  assertEquals(result.supportedVersions, ["2026-07-28"]);
  const response = await modern.send("tools/call", { name: "read_file", arguments: { root, path: "a.txt" } });
  assertEquals([response.status, response.headers.has("mcp-session-id")], [200, false]);
  assertEquals((await response.json()).result.content[0].text, "hello\n");
  for (const method of ["GET", "DELETE"]) {
    const refused = await fetch(`${server.url}/mcp`, {
      method,
      headers: { "mcp-protocol-version": "2026-07-28" },
    });
    assertEquals([refused.status, refused.headers.get("allow")], [405, "POST"]);
    await refused.body?.cancel();
  }
});
