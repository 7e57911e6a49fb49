import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ByteBudget } from "../../src/base/byte_budget.ts";
import { BOTH, ModernClient, post, rawExchange, SessionClient } from "../support/http_client.ts";
import { eventually, freePort } from "../support/http_server.ts";
import { openToyHttp, toyHttp } from "../support/toy_http.ts";

async function textOf(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.body?.cancel();
  return response.status;
}

Deno.test("HttpListener answers 408 to a body that does not arrive in time, and continues without it", async () => {
  await using toy = await openToyHttp({ limits: { bodyTimeoutMs: 50, maxRequests: 1 } });
  const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  for (const slow of ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]) {
    const answer = await rawExchange(toy.port, head + slow, { until: "too long" });
    assertStringIncludes(answer, "HTTP/1.1 408 ");
    assertStringIncludes(answer, "connection: close");
    assertStringIncludes(answer, "Request Timeout: the body took too long");
    const other = () => statusOf(new ModernClient(toy.url).send("server/discover"));
    assertEquals(await eventually(other, (status) => status === 200), 200);
  }
});

Deno.test("HttpListener answers 413 to a body over its limit, announced or not", async () => {
  await using toy = await openToyHttp({ maxBody: 1_000 });
  const body = new TextEncoder().encode(" ".repeat(1_001));
  assertEquals(await statusOf(post(`${toy.url}/mcp`, body)), 413);
  assertEquals(await statusOf(post(`${toy.url}/mcp`, ReadableStream.from([body]))), 413);
  assertEquals(await statusOf(post(`${toy.url}/mcp`, " ".repeat(1_000))), 400);
});

Deno.test("HttpListener ends sessions that are idle", async () => {
  await using toy = await openToyHttp({ limits: { sessionIdleMs: 20 } });
  const opened = async () => {
    const client = await SessionClient.begin(toy.url);
    return { client, stream: await client.stream() };
  };
  // On a busy machine a session may have ended before its stream is open.
  const { client, stream } = await eventually(opened, ({ stream }) => stream.ok);
  const ping = () => statusOf(client.send({ jsonrpc: "2.0", id: 1, method: "ping" }));
  await new Promise((resolve) => setTimeout(resolve, 60));
  assertEquals(await ping(), 200); // a stream is open
  await stream.body?.cancel();
  const sessions = async () => /^paddock_sessions (\d+)$/m.exec(await textOf(`${toy.url}/metrics`))?.[1];
  assertEquals(await eventually(sessions, (count) => count === "0"), "0");
  assertEquals(await ping(), 404);
});

Deno.test("HttpListener answers 503 when every session is in use, and makes room when one is not", async () => {
  await using toy = await openToyHttp({ limits: { maxSessions: 2, latelyMs: 0 } });
  const clients = [await SessionClient.begin(toy.url), await SessionClient.begin(toy.url)];
  const streams = await Promise.all(clients.map((client) => client.stream()));
  await assertRejects(() => SessionClient.begin(toy.url), Error, "503");
  await streams[0]?.body?.cancel();
  const third = await eventually(
    () => SessionClient.begin(toy.url).catch(() => undefined),
    (client) => client !== undefined,
  );
  assertEquals((await third?.request("ping"))?.result, {});
  await streams[1]?.body?.cancel();
});

Deno.test("HttpListener answers 503 to one stream too many of the old transport", async () => {
  await using toy = await openToyHttp({ limits: { maxSessions: 1 } });
  const first = await fetch(`${toy.url}/sse`);
  assertEquals([first.status, await statusOf(fetch(`${toy.url}/mcp/stream`))], [200, 503]);
  await first.body?.cancel();
  const again = await eventually(() => statusOf(fetch(`${toy.url}/sse`)), (status) => status === 200);
  assertEquals(again, 200);
});

Deno.test("HttpListener answers 429 to one call too many in a session, and 503 to one request too many in total", async () => {
  await using toy = await openToyHttp({ limits: { maxCallsPerSession: 2, maxRequests: 3 } });
  const client = await SessionClient.begin(toy.url);
  const waiting = ["a", "b"].map((text) => client.call("wait", { text }));
  await eventually(() => toy.host.journal.length, (length) => length === 2);
  assertEquals(await statusOf(client.send({ jsonrpc: "2.0", id: 90, method: "ping" })), 429);
  const modern = new ModernClient(toy.url);
  const third = modern.call("wait", { text: "c" });
  await eventually(() => toy.host.journal.length, (length) => length === 3);
  const refused = await modern.send("server/discover");
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  assertStringIncludes(await refused.text(), "too many requests in flight");
  assertEquals(await statusOf(fetch(`${toy.url}/health`)), 200);
  for (const text of ["a", "b", "c"]) toy.host.open(text);
  assertEquals((await Promise.all([...waiting, third])).map(({ text }) => text), ["a", "b", "c"]);
});

Deno.test("HttpListener.stop answers the calls in flight, refuses new ones and closes the streams", async () => {
  await using toy = await openToyHttp();
  const [client, modern] = [await SessionClient.begin(toy.url), new ModernClient(toy.url)];
  const [stream, sse] = [await client.stream(), await fetch(`${toy.url}/sse`)];
  const calls = [client.call("wait", { text: "a" }), modern.call("hold", { text: "b" })];
  await eventually(() => toy.host.journal.length, (length) => length === 2);
  const stopped = toy.listener.stop(5_000);
  const refused = await client.send({ jsonrpc: "2.0", id: 90, method: "ping" });
  assertEquals([refused.status, refused.headers.get("connection")], [503, "close"]);
  assertStringIncludes(await refused.text(), "the server is stopping");
  const health = await fetch(`${toy.url}/health`, { headers: { accept: "application/json" } });
  assertEquals((await health.json()).state, "stopping");
  for (const text of ["a", "b"]) toy.host.open(text);
  assertEquals((await Promise.all(calls)).map(({ text }) => text), ["a", "b"]);
  await stopped;
  assertEquals(await stream.text(), "");
  assertStringIncludes(await sse.text(), "event: endpoint");
  await assertRejects(() => fetch(`${toy.url}/health`), TypeError);
});

Deno.test("HttpListener.stop ends calls that do not end in time, and answers them", async () => {
  await using toy = await openToyHttp();
  const [client, modern] = [await SessionClient.begin(toy.url), new ModernClient(toy.url)];
  const waiting = [client.call("wait", { text: "a" }), modern.call("wait", { text: "a" })];
  await eventually(() => toy.host.journal.length, (length) => length === 2);
  await toy.listener.stop(20);
  for (const { isError, text } of await Promise.all(waiting)) {
    assert(isError);
    assertStringIncludes(text, "the server is stopping: the call could not finish in time");
  }
  assertEquals(await eventually(() => toy.host.journal.at(-1), (last) => last === "a ends"), "a ends");
});

Deno.test("HttpListener.open refuses a port that is in use", async () => {
  const port = freePort();
  await using _first = await openToyHttp({ port });
  const second = toyHttp({ port });
  await assertRejects(() => second.listener.open(), Error, `port ${port} on 127.0.0.1 is already in use`);
  await second.listener.stop(0);
});

Deno.test("HttpListener serves a stream to a client that does not read it, and the others as well", async () => {
  await using toy = await openToyHttp();
  const lazy = await Deno.connect({ hostname: "127.0.0.1", port: toy.port });
  const client = await SessionClient.begin(toy.url);
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 77,
    method: "tools/call",
    params: { name: "large", arguments: { text: "20000000" }, _meta: { progressToken: 1 } },
  });
  const head =
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${BOTH}\r\n`;
  const session = `Mcp-Session-Id: ${client.sessionId}\r\nContent-Length: ${body.length}\r\n\r\n`;
  await lazy.write(new TextEncoder().encode(head + session + body));
  assertEquals((await client.call("echo", { text: "hello" })).text, "hello");
  const small = new Uint8Array(16);
  assert(await lazy.read(small));
  assertStringIncludes(new TextDecoder().decode(small), "HTTP/1.1 200 OK");
  lazy.close();
  assertEquals((await client.call("echo", { text: "hello" })).text, "hello");
});

/** The beginning of a request whose body has this many bytes, of which one is never sent. */
async function unfinished(port: number, bytes: number): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  const sent = `${head}Content-Length: ${bytes}\r\n\r\n${" ".repeat(bytes - 1)}`;
  connection.write(new TextEncoder().encode(sent)).catch(() => {}); // it may not be accepted at all
  return connection;
}

Deno.test("HttpListener accepts no more bytes of bodies than its budget has, and small requests beside them", async () => {
  const budget = new ByteBudget(1_000_000);
  await using toy = await openToyHttp({ budget });
  const client = await SessionClient.begin(toy.url);
  const first = await unfinished(toy.port, 700_000);
  await eventually(() => budget.used, (used) => used === 700_000);
  const second = await unfinished(toy.port, 600_000);
  await eventually(() => budget.waiting, (waiting) => waiting === 1);
  assertEquals([budget.used, budget.waiting], [700_000, 1]);
  assertEquals((await client.call("echo", { text: "hello" })).text, "hello");
  first.close();
  await eventually(() => budget.used, (used) => used === 600_000);
  assertEquals([budget.used, budget.waiting], [600_000, 0]);
  second.close();
  assertEquals(await eventually(() => budget.used, (used) => used === 0), 0);
});

Deno.test("HttpListener answers 503 to a large body for which there is no room in time", async () => {
  const budget = new ByteBudget(1_000_000);
  await using toy = await openToyHttp({ budget, limits: { bodyTimeoutMs: 50 } });
  budget.add(900_000);
  const refused = await post(`${toy.url}/mcp`, " ".repeat(600_000));
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  assertStringIncludes(await refused.text(), "too many large requests and answers are in flight; try again");
  assertEquals([budget.used, budget.waiting], [900_000, 0]);
});

Deno.test("HttpListener counts an answer until it is sent or the client has gone, and one in a stream", async () => {
  const budget = new ByteBudget(100_000_000);
  await using toy = await openToyHttp({ budget });
  const client = await SessionClient.begin(toy.url);
  for (const _meta of [{}, { progressToken: 1 }]) {
    const params = { name: "large", arguments: { text: "20000000" }, _meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "tools/call", params });
    const lazy = await Deno.connect({ hostname: "127.0.0.1", port: toy.port });
    const head =
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${BOTH}\r\n`;
    const session = `Mcp-Session-Id: ${client.sessionId}\r\nContent-Length: ${body.length}\r\n\r\n`;
    await lazy.write(new TextEncoder().encode(head + session + body));
    assert(await eventually(() => budget.used, (used) => used > 20_000_000) > 20_000_000);
    lazy.close();
    if ("progressToken" in _meta) continue; // a stream eventually gives up on the client
    assertEquals(await eventually(() => budget.used, (used) => used === 0), 0);
  }
});
