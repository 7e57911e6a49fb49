import { assert, assertEquals, assertRejects } from "@std/assert";
import { ByteBudget } from "../../../src/base/byte_budget.ts";
import { EventStream } from "../../../src/transports/http/event_stream.ts";

const decoder = new TextDecoder();

async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string | undefined> {
  const { value } = await reader.read();
  return value && decoder.decode(value);
}

function stream(options: { keepAliveMs?: number; budget?: ByteBudget } = {}) {
  const seen = { gone: 0, taken: 0 };
  const events = new EventStream({
    onGone: () => seen.gone++,
    onTaken: () => seen.taken++,
    keepAliveMs: 60_000,
    ...options,
  });
  return { events, seen, reader: events.body.getReader() };
}

Deno.test("EventStream.send writes one event, and close ends the stream after it", async () => {
  const { events, reader, seen } = stream();
  events.send('{"a":1}');
  events.send("/messages?sessionId=1", "endpoint");
  events.retryAfter(500);
  events.close();
  assertEquals(await next(reader), 'event: message\ndata: {"a":1}\n\n');
  assertEquals(await next(reader), "event: endpoint\ndata: /messages?sessionId=1\n\n");
  assertEquals(await next(reader), "retry: 500\n\n");
  assertEquals(await next(reader), undefined);
  assertEquals([events.open, seen.gone], [false, 0]);
});

Deno.test("EventStream.response is an event stream that no proxy holds back", async () => {
  const { events, reader } = stream();
  reader.releaseLock();
  events.close();
  const response = events.response({ "mcp-session-id": "1" });
  const { headers } = response;
  assertEquals(headers.get("content-type"), "text/event-stream");
  assertEquals(headers.get("cache-control"), "no-cache, no-transform");
  assertEquals(headers.get("x-accel-buffering"), "no");
  assertEquals(headers.get("mcp-session-id"), "1");
  assertEquals(await response.text(), "");
});

Deno.test("EventStream reports once that the client has gone away, and drops what is sent afterwards", async () => {
  const { events, reader, seen } = stream();
  await reader.cancel();
  events.send("late");
  events.close();
  assertEquals([seen.gone, events.open, events.waiting], [1, false, 0]);
});

Deno.test("EventStream.close can be called twice, and after the client has gone", async () => {
  const { events, reader, seen } = stream();
  events.close();
  events.close();
  await reader.cancel();
  assertEquals(seen.gone, 0);
});

Deno.test("EventStream.waiting counts what the client has not read, and onTaken reports when it has", async () => {
  const { events, reader, seen } = stream();
  events.send("x".repeat(1_000));
  events.send("y".repeat(1_000));
  const all = events.waiting;
  assert(all > 2_000);
  seen.taken = 0;
  await next(reader);
  assertEquals(events.waiting, all / 2);
  await next(reader);
  assertEquals(events.waiting, 0);
  assert(seen.taken > 0);
  events.close();
});

Deno.test("EventStream sends keep-alives as long as the client reads", async () => {
  const { events, reader, seen } = stream({ keepAliveMs: 2 });
  for (let i = 0; i < 5; i++) assertEquals(await next(reader), ": keepalive\n\n");
  assertEquals(seen.gone, 0);
  events.close();
});

Deno.test("EventStream accepts a single message of any size", async () => {
  const { events, reader } = stream();
  events.send("x".repeat(100 * 1024 * 1024));
  events.close();
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) length += read.value.length;
  assertEquals(length, 100 * 1024 * 1024 + "event: message\ndata: \n\n".length);
});

Deno.test("EventStream gives up on a client that reads nothing of what is waiting", async () => {
  const { events, reader, seen } = stream({ keepAliveMs: 2 });
  for (let i = 0; seen.gone === 0 && i < 1_000; i++) await new Promise((resolve) => setTimeout(resolve, 2));
  assertEquals([seen.gone, events.open], [1, false]);
  await assertRejects(() => reader.read(), Error, "the client does not read");
});

Deno.test("EventStream counts what is waiting for the client until it is read, even after it was closed", async () => {
  const budget = new ByteBudget();
  const { events, reader } = stream({ budget });
  events.send("x".repeat(200_000));
  const all = 200_000 + "event: message\ndata: \n\n".length;
  assertEquals(budget.used, all);
  events.close();
  assertEquals(budget.used, all);
  while (!(await reader.read()).done);
  for (let i = 0; budget.used > 0 && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(budget.used, 0);
});

Deno.test("EventStream gives up on a client that reads nothing of what is waiting when the stream is closed", async () => {
  const budget = new ByteBudget();
  const { events, reader } = stream({ budget, keepAliveMs: 60 });
  events.send("x".repeat(200_000));
  events.close();
  for (let i = 0; budget.used > 0 && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(budget.used, 0);
  await assertRejects(() => reader.read(), Error, "the client does not read");
});

Deno.test("EventStream releases what is waiting for a client that goes away when the stream is closed", async () => {
  const budget = new ByteBudget();
  const { events, reader, seen } = stream({ budget });
  events.send("x".repeat(200_000));
  events.close();
  await reader.cancel();
  assertEquals([budget.used, seen.gone], [0, 0]);
});
