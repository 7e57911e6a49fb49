import { assert, assertEquals } from "@std/assert";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { Stats } from "../../../src/base/stats.ts";
import { SseSession } from "../../../src/transports/http/sse_session.ts";

const decoder = new TextDecoder();

function session(maxCalls = 1_000) {
  const seen: JSONRPCMessage[] = [];
  const sse = new SseSession({ maxCalls, stats: new Stats() });
  sse.onmessage = (message) => void seen.push(message);
  const reader = sse.open("/messages").body?.getReader();
  assert(reader !== undefined);
  return { sse, seen, reader };
}

function call(id: number): JSONRPCMessage {
  return { jsonrpc: "2.0", id, method: "tools/call", params: {} };
}

function result(id: number, text = ""): JSONRPCMessage {
  return { jsonrpc: "2.0", id, result: { text } };
}

async function take(sse: SseSession, message: JSONRPCMessage): Promise<number> {
  const response = sse.take(message);
  await response.body?.cancel();
  return response.status;
}

Deno.test("SseSession.open names the address to post to", async () => {
  const { sse, reader } = session();
  assertEquals(decoder.decode((await reader.read()).value), "retry: 500\n\n");
  const endpoint = `event: endpoint\ndata: /messages?sessionId=${sse.sessionId}\n\n`;
  assertEquals(decoder.decode((await reader.read()).value), endpoint);
  await reader.cancel();
});

Deno.test("SseSession.take runs a limited number of calls at once, in the order of arrival", async () => {
  const { sse, seen, reader } = session();
  for (let id = 0; id < 40; id++) assertEquals(await take(sse, call(id)), 202);
  assertEquals([seen.length, sse.calls], [16, 40]);
  for (let id = 0; id < 40; id++) await sse.send(result(id));
  assertEquals([seen.map((message) => "id" in message && message.id), sse.calls], [
    Array.from({ length: 40 }, (_, id) => id),
    0,
  ]);
  await reader.cancel();
});

Deno.test("SseSession.take holds back calls as long as the client does not read", async () => {
  const { sse, seen, reader } = session();
  await take(sse, call(1));
  await sse.send(result(1, "x".repeat(17 * 1024 * 1024)));
  await take(sse, call(2));
  assertEquals([seen.length, sse.calls], [1, 1]);
  while (seen.length === 1) await reader.read();
  assertEquals(seen[1], call(2));
  await reader.cancel();
});

Deno.test("SseSession.take refuses an id that is in flight, and more calls than allowed", async () => {
  const { sse, reader } = session(20);
  for (let id = 0; id < 20; id++) await take(sse, call(id));
  assertEquals(await take(sse, call(20)), 429);
  await sse.send(result(0));
  assertEquals([await take(sse, call(5)), await take(sse, call(19))], [400, 400]);
  await reader.cancel();
});

Deno.test("SseSession.take drops a call that is cancelled before it could begin", async () => {
  const { sse, seen, reader } = session();
  for (let id = 0; id < 18; id++) await take(sse, call(id));
  await take(sse, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 16 } });
  assertEquals(sse.calls, 17);
  await sse.send(result(0));
  assertEquals(seen.filter((message) => "id" in message).at(-1), call(17));
  await reader.cancel();
});

Deno.test("SseSession closes when its client goes away, and informs its server", async () => {
  const { sse, reader } = session();
  let closed = 0;
  sse.onclose = () => closed++;
  await take(sse, call(1));
  await reader.cancel();
  assertEquals(closed, 1);
  assertEquals(await take(sse, call(2)), 404);
});
