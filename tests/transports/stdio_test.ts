/** The stdio transport under the real listener, registry and run loop, over streams in memory. */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { ByteBudget } from "../../src/base/byte_budget.ts";
import { Stats } from "../../src/base/stats.ts";
import { LineReader } from "../../src/transports/line_reader.ts";
import { LineWriter } from "../../src/transports/line_writer.ts";
import { StdioTransport } from "../../src/transports/stdio.ts";
import { MemoryInput, MemoryOutput } from "../support/streams.ts";
import { cancelled, runningToy, toyCall } from "../support/toy_server.ts";

function initialize(protocolVersion: string) {
  const clientInfo = { name: "test", version: "1" };
  return {
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo },
  };
}

/** Long enough for everything to happen that waits for nothing outside. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Fails rather than wait for what a broken transport waits for: its own limits are far longer. */
async function soon(promise: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) =>
    timer = setTimeout(() => reject(new Error("waits too long")), 10_000)
  );
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const REFUSALS: [name: string, line: string, id: string | number | null, code: number][] = [
  ["broken JSON", '{"jsonrpc":"2.0","id":1,', null, -32700],
  ["no JSON at all", "hello", null, -32700],
  ["a string", '"hello"', null, -32600],
  ["null", "null", null, -32600],
  ["an object of something else", "{}", null, -32600],
  ["another version", '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600],
  ["no version", '{"id":"seven","method":"ping"}', "seven", -32600],
  ["an id of the wrong type", '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
  ["a null id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ["a method of the wrong type", '{"jsonrpc":"2.0","id":7,"method":1}', 7, -32600],
  ["an empty batch", "[]", null, -32600],
  ["deep nesting", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${nested(200_000)}}}`, 7, -32600],
  ["deep nesting without an id", nested(200_000), null, -32600],
  [
    "too many parts",
    `{"method":"ping","params":{"a":[${Array(60_000).fill(1)}]},"id":"x","jsonrpc":"2.0"}`,
    "x",
    -32600,
  ],
];

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

Deno.test("StdioTransport answers what it cannot accept, with the id if there is one, and continues", async () => {
  const { input, output, stats, ended } = runningToy();
  for (const [name, line, id, code] of REFUSALS) {
    const before = output.lines.length;
    input.put(`${line}\n`);
    const answer = (await output.atLeast(before + 1)).at(-1);
    assertEquals([answer?.jsonrpc, answer?.id, answer?.error?.code], ["2.0", id, code], name);
  }
  input.put(new Uint8Array([0x22, 0xff, 0x22, 10]));
  assertEquals((await output.atLeast(REFUSALS.length + 1)).at(-1)?.error?.code, -32700);
  input.send(toyCall(1, "echo", "still here"));
  assertEquals((await output.answerTo(1)).result.content[0].text, "still here");
  input.end();
  await ended;
  const { requests, errors } = stats.snapshot();
  assertEquals([requests, errors], [REFUSALS.length + 2, REFUSALS.length + 1]);
});

Deno.test("StdioTransport refuses a line over the limit briefly, with its id, and continues", async () => {
  const { input, output, ended } = runningToy({ maxLine: 100_000 });
  input.send(toyCall("big", "echo", "x".repeat(200_000)), toyCall(2, "echo", "small"));
  const { error } = await output.answerTo("big");
  assertEquals(error?.code, -32600);
  assertLess(output.lines[0]?.length ?? Infinity, 1024);
  assertEquals((await output.answerTo(2)).result.content[0].text, "small");
  input.end();
  await ended;
});

for (const revision of ["2024-11-05", "2025-03-26"]) {
  Deno.test(`StdioTransport answers a batch with a batch when the revision is ${revision}`, async () => {
    const { input, output, ended } = runningToy();
    input.send(initialize(revision));
    assertEquals((await output.answerTo("init")).result.protocolVersion, revision);
    input.send([
      toyCall(1, "echo", "one"),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { id: 3, method: "ping" },
      toyCall(2, "echo", "two"),
    ]);
    await output.atLeast(2);
    const batch = JSON.parse(output.lines[1] ?? "");
    assertEquals(batch.map(({ id }: { id: number }) => id).sort(), [1, 2, 3]);
    assertEquals((await output.answerTo(3)).error?.code, -32600);
    input.end();
    await ended;
    assertEquals(output.lines.length, 2);
  });
}

for (const revision of ["2025-06-18", "2025-11-25"]) {
  Deno.test(`StdioTransport refuses a batch and runs nothing of it when the revision is ${revision}`, async () => {
    const { input, output, host, ended } = runningToy();
    input.send(initialize(revision));
    await output.answerTo("init");
    input.send([toyCall(1, "note", "from a batch")], toyCall(2, "echo", "after"));
    const { error } = await output.answerTo(null);
    assertEquals(error?.code, -32600);
    assertStringIncludes(error?.message ?? "", revision);
    await output.answerTo(2);
    input.end();
    await ended;
    assertEquals([host.journal, output.lines.length], [[], 3]);
  });
}

Deno.test("StdioTransport refuses a batch when the revision is 2026-07-28, which has no initialize", async () => {
  const { input, output, ended } = runningToy();
  const call = toyCall(1, "echo", "a");
  input.send({ ...call, params: { ...call.params, _meta: MODERN } });
  assertEquals((await output.answerTo(1)).result.content[0].text, "a");
  input.send([{ ...call, id: 2, params: { ...call.params, _meta: MODERN } }]);
  assertEquals((await output.answerTo(null)).error?.code, -32600);
  input.end();
  await ended;
});

Deno.test("StdioTransport gives a cancelled call no answer, and does not wait for it at the end", async () => {
  const { input, output, host, ended, logLines } = runningToy();
  input.send(toyCall(1, "wait", "never"), toyCall(2, "hold", "queued"), cancelled(2), cancelled(1));
  input.send(toyCall(3, "echo", "three"));
  await output.answerTo(3);
  input.end();
  await ended;
  assertEquals(output.messages.map(({ id }) => id), [3]);
  assertEquals(host.journal, ["never begins", "never ends"]);
  assertEquals(logLines.at(-1)?.event, "server_stopped");
});

Deno.test("StdioTransport leaves a cancelled call out of its batch", async () => {
  const { input, output, ended } = runningToy();
  input.send([toyCall(1, "wait", "never"), toyCall(2, "echo", "two")]);
  input.send(toyCall(3, "echo", "three"));
  await output.answerTo(3);
  assertEquals(output.lines.length, 1);
  input.send(cancelled(1));
  await output.answerTo(2);
  input.end();
  await ended;
  assertEquals(output.messages.map(({ id }) => id), [3, 2]);
});

Deno.test("StdioTransport answers every call that arrived before the input ended", async () => {
  const { input, output, host, ended } = runningToy();
  input.send(toyCall(1, "wait", "slow"), toyCall(2, "note", "a"), toyCall(3, "note", "b"));
  input.put(JSON.stringify(toyCall(4, "echo", "without a line break")));
  input.end();
  await settle();
  assertEquals(output.lines, []);
  host.open("slow");
  await ended;
  assertEquals(output.messages.map(({ id }) => id), [1, 2, 3, 4]);
  assertEquals(host.journal, ["slow begins", "slow ends", "a", "b"]);
});

Deno.test("StdioTransport does not wait for a subscription when the input ends, but answers it", async () => {
  const { input, output, ended } = runningToy();
  const params = { notifications: { toolsListChanged: true }, _meta: MODERN };
  input.send({ jsonrpc: "2.0", id: "sub", method: "subscriptions/listen", params });
  const [acknowledged] = await output.atLeast(1);
  assertEquals(acknowledged?.method, "notifications/subscriptions/acknowledged");
  input.end();
  await soon(ended);
  assertEquals((await output.answerTo("sub")).result.resultType, "complete");
});

/** A running server whose client reads nothing until the gate is opened. */
function unreadServer() {
  const gate = Promise.withResolvers<void>();
  const output = new MemoryOutput((bytes) => gate.promise.then(() => bytes.length));
  return { ...runningToy({ output }), gate };
}

Deno.test("StdioTransport stops accepting calls while the client reads no answers", async () => {
  const { input, output, gate, ended } = unreadServer();
  for (let i = 0; i < 40; i++) input.send(toyCall(i, "large", "1000000"));
  await settle();
  for (const id of ["last", "very last"]) {
    input.send(toyCall(id, "echo", "last"));
    await settle();
  }
  assert(input.unread > 0, "calls are taken in though 16 MB wait to be sent");
  gate.resolve();
  input.end();
  await ended;
  assertEquals(output.lines.length, 42);
});

Deno.test("StdioTransport begins no accepted call while the client reads no answers", async () => {
  const { input, output, host, gate, ended } = unreadServer();
  input.send(toyCall("first", "hold", "first"));
  for (let i = 0; i < 40; i++) input.send(toyCall(i, "large", "1000000"));
  input.send(toyCall("note", "note", "after them all"));
  await settle();
  assertEquals(input.unread, 0);
  host.open("first");
  await settle();
  assertEquals(host.journal, ["first begins", "first ends"]);
  gate.resolve();
  input.end();
  await ended;
  assertEquals(host.journal.at(-1), "after them all");
  assertEquals(output.lines.length, 42);
});

Deno.test("StdioTransport answers with an error when an answer cannot be turned into a line", async () => {
  const output = new MemoryOutput();
  const transport = new StdioTransport({
    reader: new LineReader(new MemoryInput(), 100),
    writer: new LineWriter(output),
    stats: new Stats(),
  });
  const tooLong = {
    toJSON() {
      throw new RangeError("Invalid string length");
    },
  };
  await transport.send({ jsonrpc: "2.0", id: 5, result: { tooLong } });
  const { error } = await output.answerTo(5);
  assertEquals(error?.code, -32603);
  assertStringIncludes(error?.message ?? "", "ask for less");
});

Deno.test("StdioTransport.drain no longer waits for calls that nobody will answer once it is closed", async () => {
  const input = new MemoryInput();
  const [reader, writer] = [new LineReader(input, 1_000), new LineWriter(new MemoryOutput())];
  const transport = new StdioTransport({ reader, writer, stats: new Stats() });
  const taken = new Promise<unknown>((resolve) => transport.onmessage = resolve);
  await transport.start();
  input.send(toyCall(1, "echo"));
  await taken;
  const draining = [transport.drain(600_000), transport.drain(600_000)];
  await transport.close();
  await soon(Promise.all([...draining, transport.drain(600_000)]));
});

Deno.test("StdioTransport refuses a request whose id is in flight, by that id, and does not run it", async () => {
  const { input, output, host, stats, ended } = runningToy();
  input.send(toyCall("a", "hold", "gate"));
  while (host.journal.length === 0) await settle();
  input.send(toyCall("a", "note", "twice"));
  const { error } = await output.answerTo("a");
  assertEquals(error?.code, -32600);
  assertStringIncludes(error?.message ?? "", 'a request with the id "a" is still in flight');
  host.open("gate");
  const [, answer] = await output.atLeast(2);
  assertEquals([answer?.id, answer?.result.content[0].text], ["a", "gate"]);
  input.send(toyCall("a", "note", "again")); // it is free now
  assertEquals((await output.atLeast(3)).at(-1)?.result.content[0].text, "again");
  input.end();
  await ended;
  assertEquals(host.journal, ["gate begins", "gate ends", "again"]);
  const { requests, errors } = stats.snapshot();
  assertEquals([requests, errors], [3, 1]);
});

Deno.test("StdioTransport refuses a request of a batch whose id is in flight, in the batch or before it, and waits for the others", async () => {
  const { input, output, host, ended } = runningToy();
  input.send(toyCall(1, "wait", "gate"));
  while (host.journal.length === 0) await settle();
  input.send([toyCall(1, "note", "no"), toyCall(2, "echo", "yes"), toyCall(2, "note", "no")]);
  const batch = JSON.parse((await output.atLeast(1), output.lines[0] ?? ""));
  const summary = (batch as { id: number; error?: { code: number } }[]).map((
    { id, error },
  ) => [id, error?.code]);
  assertEquals(summary, [[1, -32600], [2, -32600], [2, undefined]]);
  host.open("gate");
  const last = JSON.parse((await output.atLeast(2), output.lines[1] ?? ""));
  assertEquals([last.id, last.result.content[0].text], [1, "gate"]);
  input.end();
  await ended;
  assertEquals(host.journal, ["gate begins", "gate ends"]);
});

const TOLERATED: [name: string, message: Record<string, unknown>][] = [
  ["params that are null", { params: null }],
  ["unknown members", { trace: "abc", extra: { a: 1 } }],
  ["a result beside the method", { result: null }],
];

Deno.test("StdioTransport accepts what is unambiguous: null params, and unknown members", async () => {
  const { input, output, ended } = runningToy();
  for (const [i, [name, members]] of TOLERATED.entries()) {
    input.send({ jsonrpc: "2.0", id: i, method: "tools/list", ...members });
    const { result, error } = await output.answerTo(i);
    assertEquals([error, Array.isArray(result?.tools)], [undefined, true], name);
  }
  input.send({ ...toyCall("call", "echo", "said"), sentAt: 5 });
  assertEquals((await output.answerTo("call")).result.content[0].text, "said");
  input.send({ jsonrpc: "2.0", method: "notifications/initialized", params: null, extra: 1 });
  input.end();
  await ended;
});

Deno.test("StdioTransport accepts a long request when there is room for it, and counts it until it is answered", async () => {
  const budget = new ByteBudget(1_000_000);
  const { input, output, host, ended } = runningToy({ requests: budget });
  const long = "x".repeat(600_000);
  input.send(toyCall(1, "wait", long));
  await soon(until(() => host.journal.length === 1));
  input.send(toyCall(2, "echo", long));
  await soon(until(() => budget.waiting === 1));
  assertEquals(output.lines.length, 0);
  host.open(long);
  await soon(output.answerTo(1));
  await soon(output.answerTo(2));
  input.put(`{"jsonrpc":"1.0","id":3,"method":"${long}"}\n`);
  await soon(output.answerTo(3));
  input.end();
  await ended;
  assertEquals([budget.used, budget.waiting], [0, 0]);
});

/** A server with one long request in flight, and another that waits for room. */
async function fullServer() {
  const [requests, budget] = [new ByteBudget(1_000_000), new ByteBudget()];
  const server = runningToy({ requests, budget });
  const long = "x".repeat(600_000);
  server.input.send(toyCall("held", "wait", long));
  server.input.send(toyCall("waits", "note", long));
  await soon(until(() => requests.waiting === 1));
  return { ...server, requests, budget, long, open: () => server.host.open(long) };
}

Deno.test("StdioTransport answers a ping while a long request waits for room, and keeps the order of calls", async () => {
  const { input, output, host, requests, long, open, ended } = await fullServer();
  input.send(toyCall("after", "note", "after"));
  input.send({ jsonrpc: "2.0", id: "ping", method: "ping" });
  await soon(output.answerTo("ping"));
  assertEquals(output.lines.length, 1);
  open();
  await soon(output.answerTo("after"));
  assertEquals(host.journal.slice(1), [`${long} ends`, long, "after"]);
  input.end();
  await ended;
  assertEquals([requests.used, requests.waiting], [0, 0]);
});

Deno.test("StdioTransport handles a cancellation while a long request waits for room, even of that request", async () => {
  const { input, output, host, requests, ended } = await fullServer();
  input.send(cancelled("waits"));
  input.send(cancelled("held"));
  input.send(toyCall("after", "note", "after"));
  await soon(output.answerTo("after"));
  input.end();
  await ended;
  assertEquals([host.journal.at(-1), host.journal.length, output.lines.length], ["after", 3, 1]);
  assertEquals([requests.used, requests.waiting], [0, 0]);
});

Deno.test("StdioTransport reads no second long request while one waits for room", async () => {
  const { input, output, long, open, ended } = await fullServer();
  for (let i = 0; i < 5; i++) input.send(toyCall(i, "echo", long));
  await settle();
  assert(input.unread > 2 * long.length);
  open();
  input.end();
  await ended;
  assertEquals(output.lines.length, 7);
});

Deno.test("StdioTransport leaves the answers' budget to them, whatever long requests are in flight", async () => {
  const { input, budget, open, ended } = await fullServer();
  assertEquals(budget.used, 0);
  open();
  input.end();
  await ended;
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
