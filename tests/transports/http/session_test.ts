import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { Stats } from "../../../src/base/stats.ts";
import { Asked } from "../../../src/transports/http/asked.ts";
import { HttpSession } from "../../../src/transports/http/session.ts";
import { BOTH, eventsIn } from "../../support/http_client.ts";

function session(options: { maxCalls?: number } = {}) {
  const stats = new Stats();
  const seen: JSONRPCMessage[] = [];
  const http = new HttpSession("the-id", { maxCalls: 10, stats, ...options });
  http.onmessage = (message) => void seen.push(message);
  return { http, seen, stats };
}

function call(id: number | string, progressToken?: number): JSONRPCMessage {
  const _meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "x", ..._meta } };
}

function result(id: number | string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, result: { of: id } };
}

function posting(accept: string | undefined = BOTH): { request: Asked; leave: () => void } {
  const request = new Asked(new Headers(accept === "" ? {} : { accept }));
  return { request, leave: () => request.gone() };
}

Deno.test("HttpSession.post answers each POST with the answer to its own request", async () => {
  const { http, seen, stats } = session();
  const first = http.post(posting().request, [call(1)], false);
  const second = http.post(posting().request, [call("1")], false);
  assertEquals(http.calls, 2);
  await http.send(result("1"));
  await http.send(result(1));
  assertEquals(await (await first).json(), result(1));
  assertEquals(await (await second).json(), result("1"));
  assertEquals((await first).headers.get("mcp-session-id"), "the-id");
  assertEquals([http.calls, seen.length, stats.snapshot().requests], [0, 2, 2]);
});

Deno.test("HttpSession.post accepts what needs no answer with 202", async () => {
  const { http, seen } = session();
  const notification: JSONRPCMessage = { jsonrpc: "2.0", method: "notifications/initialized" };
  for (const messages of [[notification], [result(9)], [notification, notification]]) {
    const response = await http.post(posting().request, messages, messages.length > 1);
    assertEquals([response.status, response.body], [202, null]);
  }
  assertEquals(seen.length, 4);
});

const FORMS: [accept: string, progress: boolean, type: string][] = [
  [BOTH, false, "application/json"],
  [BOTH, true, "text/event-stream"],
  ["text/event-stream, application/json", false, "application/json"],
  ["Text/Event-Stream, Application/JSON", true, "text/event-stream"],
  ["text/event-stream", false, "text/event-stream"],
  ["application/json", true, "application/json"],
  ["*/*", true, "application/json"],
  ["text/event-stream, */*", false, "application/json"],
  ["text/event-stream, application/*", true, "text/event-stream"],
  ["", true, "application/json"],
  ["text/html", false, "application/json"],
];

for (const [accept, progress, type] of FORMS) {
  const token = progress ? "with" : "without";
  Deno.test(`HttpSession.post answers as ${type} when Accept is ${JSON.stringify(accept)} ${token} progress`, async () => {
    const { http } = session();
    const answer = http.post(posting(accept).request, [call(1, progress ? 7 : undefined)], false);
    await http.send(result(1));
    const response = await answer;
    assertEquals(response.headers.get("content-type"), type);
    const text = await response.text();
    assertEquals(type === "application/json" ? [JSON.parse(text)] : eventsIn(text), [result(1)]);
  });
}

Deno.test("HttpSession.send puts a call's progress on its own stream, before the answer", async () => {
  const { http } = session();
  const answer = await http.post(posting().request, [call(1, 7)], false);
  const other = await http.post(posting().request, [call(2, 8)], false);
  const progress: JSONRPCMessage = {
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: 7 },
  };
  await http.send(progress, { relatedRequestId: 1 });
  await http.send(result(1));
  await http.send(result(2));
  assertEquals(eventsIn(await answer.text()), [progress, result(1)] as unknown[]);
  assertEquals(eventsIn(await other.text()), [result(2)] as unknown[]);
});

Deno.test("HttpSession.send puts messages that answer nothing only on the standing stream", async () => {
  const { http } = session();
  const note: JSONRPCMessage = { jsonrpc: "2.0", method: "notifications/message", params: {} };
  await http.send(note); // nobody listens yet
  const standing = http.get();
  await http.send(note);
  await http.send(result(5)); // nobody asked
  http.closeStream();
  assertEquals(eventsIn(await standing.text()), [note] as unknown[]);
});

Deno.test("HttpSession.get allows one standing stream, and another when that is closed", async () => {
  const { http } = session();
  const first = http.get();
  const second = http.get();
  assertEquals([first.status, second.status], [200, 409]);
  await second.body?.cancel();
  await first.body?.cancel();
  const third = http.get();
  assertEquals(third.status, 200);
  await third.body?.cancel();
});

Deno.test("HttpSession.post answers a batch as one array, whatever the order of the answers", async () => {
  const { http } = session();
  const notification: JSONRPCMessage = { jsonrpc: "2.0", method: "notifications/x" };
  const answer = http.post(posting().request, [call(1), notification, call(2)], true);
  await http.send(result(2));
  await http.send(result(1));
  assertEquals(await (await answer).json(), [result(2), result(1)]);
  const single = http.post(posting().request, [call(3)], true);
  await http.send(result(3));
  assertEquals(await (await single).json(), [result(3)]);
});

Deno.test("HttpSession.post leaves cancelled requests out of the answer", async () => {
  const { http } = session();
  const cancelled = (requestId: number): JSONRPCMessage => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId },
  });
  const batch = http.post(posting().request, [call(1), call(2)], true);
  const alone = http.post(posting().request, [call(3)], false);
  const streamed = await http.post(posting().request, [call(4, 1)], false);
  for (const id of [1, 3, 4, 99]) await http.post(posting().request, [cancelled(id)], false);
  await http.send(result(2));
  await http.send(result(3)); // too late
  assertEquals(await (await batch).json(), [result(2)]);
  assertEquals([(await alone).status, await (await alone).text()], [202, ""]);
  assertEquals([await streamed.text(), http.calls], ["", 0]);
});

Deno.test("HttpSession.post cancels the calls of a client that goes away", async () => {
  const { http, seen } = session();
  const { request, leave } = posting();
  void http.post(request, [call(1), call(2)], true);
  const streamed = await http.post(posting().request, [call(3, 1)], false);
  await http.send(result(2));
  leave();
  await streamed.body?.cancel();
  const ids = seen.flatMap((message) =>
    "method" in message && message.method === "notifications/cancelled" ? [message.params?.requestId] : []
  );
  assertEquals(ids, [1, 3]);
  assertEquals(http.calls, 0);
});

Deno.test("HttpSession.post cancels at once when the client has gone before its body was read", async () => {
  for (const token of [undefined, 1]) {
    const { http, seen } = session();
    const { request, leave } = posting();
    leave();
    const answer = await http.post(request, [call(1, token)], false);
    await answer.body?.cancel();
    assertEquals([seen.length, http.calls], [2, 0]);
  }
});

const REFUSALS: [name: string, messages: JSONRPCMessage[], status: number, id: number | null, why: string][] =
  [
    ["an id that is in flight", [call(1)], 400, 1, "a request with the id 1 is still in flight"],
    ["the same id twice", [call(2), call(2)], 400, null, "a request with the id 2 is still in flight"],
    ["more calls than allowed", [call(2), call(3), call(4)], 429, null, "Too many calls in flight"],
  ];

for (const [name, messages, status, id, why] of REFUSALS) {
  Deno.test(`HttpSession.post answers ${status} to ${name}, and delivers none of it`, async () => {
    const { http, seen } = session({ maxCalls: 3 });
    const running = http.post(posting().request, [call(1)], false);
    const refused = await http.post(posting().request, messages, messages.length > 1);
    assertEquals([refused.status, seen.length, http.calls], [status, 1, 1]);
    const answer = await refused.json();
    assertEquals(answer.id, id);
    assertStringIncludes(answer.error.message, why);
    await http.send(result(1));
    assertEquals((await running).status, 200);
    await (await running).body?.cancel();
  });
}

Deno.test("HttpSession.close ends calls, with an answer to each, and streams, and informs its server", async () => {
  const { http } = session();
  let closed = 0;
  http.onclose = () => closed++;
  const waiting = http.post(posting().request, [call(1)], false);
  const streamed = await http.post(posting().request, [call(2, 1)], false);
  const standing = http.get();
  await http.close();
  await http.close();
  const { id, error } = await (await waiting).json();
  assertEquals([id, error.code, error.message], [1, -32001, "Session not found: it was closed"]);
  assertStringIncludes(await streamed.text(), '"id":2,"error":{"code":-32001');
  assertEquals([await standing.text(), closed, http.calls], ["", 1, 0]);
  const late = await http.post(posting().request, [call(3)], false);
  assertEquals(late.status, 404);
  await late.body?.cancel();
});

Deno.test("HttpSession.idleMs is 0 as long as there is a call or a stream", async () => {
  const { http } = session();
  const running = http.post(posting().request, [call(1)], false);
  assertEquals(http.idleMs, 0);
  await http.send(result(1));
  await (await running).body?.cancel();
  await new Promise((resolve) => setTimeout(resolve, 2));
  assert(http.idleMs > 0);
  const standing = http.get();
  assertEquals(http.idleMs, 0);
  await standing.body?.cancel();
});

Deno.test("HttpSession.send of an unrequested notification keeps no session in use", async () => {
  const { http } = session();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const before = http.idleMs;
  await http.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "a:b" } });
  assert(http.idleMs >= before);
});

Deno.test("HttpSession.send gives up the stream of a client that leaves a megabyte of notifications unread", async () => {
  const { http } = session();
  const { body } = http.get();
  const notice = (uri: string): JSONRPCMessage => ({
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri },
  });
  await http.send(notice("a".repeat(1_100_000)));
  assertEquals(http.idleMs, 0);
  await http.send(notice("b"));
  assert(http.idleMs > 0);
  await body?.cancel();
});
