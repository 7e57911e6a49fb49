/** What is answered without the SDK, compared with the SDK's own answers to the same messages. */
import { assert, assertEquals } from "@std/assert";
import { greet } from "../../src/server/greeting.ts";
import { Notices } from "../../src/server/notices.ts";
import { LineReader } from "../../src/transports/line_reader.ts";
import { LineWriter } from "../../src/transports/line_writer.ts";
import { serveBySdk } from "../../src/transports/sdk_stdio.ts";
import { StdioSession } from "../../src/transports/stdio_session.ts";
import { MemoryInput, MemoryOutput } from "../support/streams.ts";
import { cancelled, toyCall, toyServer } from "../support/toy_server.ts";

const jsonrpc = "2.0";
const INITIALIZE = {
  jsonrpc,
  id: "first",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const INITIALIZED = { jsonrpc, method: "notifications/initialized" };
const INTRODUCTION = { instructions: "toys", hasResources: true };

/** A session of the toys, which are resources too, through the plain lane or the SDK alone. */
function session(how: "plain" | "sdk") {
  const [input, output, notices] = [new MemoryInput(), new MemoryOutput(), new Notices()];
  const { registry, host, stats, log, logLines } = toyServer();
  const line = JSON.stringify(INITIALIZE);
  const greeting = how === "plain" ? greet(line, INTRODUCTION) : undefined;
  const reader = new LineReader(input, 100_000);
  const lines = reader[Symbol.asyncIterator]();
  input.send(INITIALIZE);
  const resources = {
    list: () => [],
    accessOf: () => "read" as const,
    call: (method: string, args: unknown) =>
      Promise.resolve({
        content: [{ type: "text" as const, text: "" }] as [{ type: "text"; text: string }],
        ...((args as { uri?: string }).uri === "missing"
          ? {
            isError: true,
            rpcError: { code: -32002, message: "Resource not found", data: { uri: "missing" } },
          }
          : { structuredContent: { method, args, places: ["/a"] } }),
      }),
  };
  const opened = new StdioSession({
    reader,
    writer: new LineWriter(output),
    opening: { lines, first: lines.next(), greeting },
    tools: registry,
    bare: { methods: ["echo"], tools: registry },
    resources,
    notices,
    instructions: "toys",
    stats,
    log,
    serveBySdk: how === "sdk" ? serveBySdk : undefined,
  });
  return { input, output, notices, host, stats, logLines, opened };
}

type Outcome = { answers: unknown[]; requests: number; errors: number };

async function outcomeOf(
  how: "plain" | "sdk",
  messages: readonly unknown[],
  count: number,
): Promise<Outcome> {
  const { input, output, stats, opened } = session(how);
  if (how === "sdk") await output.answerTo("first");
  input.send(INITIALIZED, ...messages);
  const all = await output.atLeast(how === "sdk" ? count + 1 : count);
  input.end();
  await opened.stop(0);
  const { requests, errors } = stats.snapshot();
  return { answers: all.slice(how === "sdk" ? 1 : 0), requests, errors };
}

const call = (params: unknown) => ({ jsonrpc, id: 7, method: "tools/call", params });
const ask = (method: string, params?: unknown) => ({
  jsonrpc,
  id: 7,
  method,
  ...(params === undefined ? {} : { params }),
});

const MESSAGES: [name: string, message: unknown][] = [
  ["a list of tools", ask("tools/list")],
  ["a list of tools, with a cursor", ask("tools/list", { cursor: "x" })],
  ["a call", toyCall(7, "echo", "hello")],
  ["a call with a text as its id", toyCall("seven", "echo", "hello")],
  [
    "a call with an envelope",
    call({ name: "echo", arguments: { text: "a" }, _meta: { "x.y/z": [1, { a: null }] } }),
  ],
  [
    "a call that asks for progress",
    call({ name: "echo", arguments: {}, _meta: { progressToken: 0 } }),
  ],
  ["a call as a task", call({ name: "echo", arguments: {}, task: { ttl: 1 } })],
  ["a call with more members", call({ name: "echo", arguments: { text: "a" }, more: 1 })],
  ["a call without arguments", call({ name: "echo" })],
  ["a call with null for arguments", call({ name: "echo", arguments: null })],
  ["a call with a list of arguments", call({ name: "echo", arguments: [] })],
  ["a call with wrong arguments", call({ name: "echo", arguments: { text: 1, more: 2 } })],
  ["a call of an unknown tool", call({ name: "constructor" })],
  ["a call without a name", call({})],
  ["a call with a number for its name", call({ name: 1 })],
  ["a call with no params", ask("tools/call")],
  ["a call with null for params", { jsonrpc, id: 7, method: "tools/call", params: null }],
  ["a call with a list for params", call([])],
  ["a call with a wrong envelope", call({ name: "echo", _meta: 1 })],
  ["a call with a wrong token", call({ name: "echo", _meta: { progressToken: 1.5 } })],
  ["a call with an extra member", { ...toyCall(7, "echo", "hello"), extra: true }],
  ["a call that fails", call({ name: "offline" })],
  ["a call that fails unexpectedly", call({ name: "buggy" })],
  ["a call with an error of its own", call({ name: "coded", arguments: { text: "-32002" } })],
  ["a ping", ask("ping")],
  ["a ping with params", ask("ping", { _meta: {} })],
  ["resources", ask("resources/list", { cursor: "a", _meta: { a: 1 } })],
  ["a resource", ask("resources/read", { uri: "paddock://a/b" })],
  ["a resource that is missing", ask("resources/read", { uri: "missing" })],
  ["a subscription", ask("resources/subscribe", { uri: "paddock://a/b" })],
  ["a subscription to nothing", ask("resources/subscribe", { uri: "missing" })],
  ["the end of a subscription", ask("resources/unsubscribe", { uri: "paddock://a/b" })],
  [
    "a completion",
    ask("completion/complete", {
      ref: { type: "ref/resource", uri: "a" },
      argument: { name: "a", value: "" },
    }),
  ],
  ["a bare method", ask("echo", { text: "bare", _meta: {} })],
  ["a bare method with wrong params", ask("echo", { text: 1 })],
  ["an unknown method", ask("prompts/list")],
  ["a method of the SDK's own", ask("logging/setLevel", { level: "debug" })],
  ["another initialize", { ...INITIALIZE, id: 7 }],
  ["no message at all", { jsonrpc, id: 7 }],
  ["another version of JSON-RPC", { ...toyCall(7, "echo"), jsonrpc: "1.0" }],
];

for (const [name, message] of MESSAGES) {
  Deno.test(`PlainLane answers ${name} as the SDK does`, async () => {
    const plain = await outcomeOf("plain", [message], 1);
    const sdk = await outcomeOf("sdk", [message], 1);
    assertEquals(JSON.stringify(plain.answers), JSON.stringify(sdk.answers));
    assertEquals([plain.requests, plain.errors], [sdk.requests, sdk.errors]);
  });
}

Deno.test("PlainLane keeps the order of calls, and answers pings and others meanwhile", async () => {
  const messages = [toyCall(1, "echo", "a"), ask("ping"), toyCall(3, "echo", "b"), {
    ...ask("prompts/list"),
    id: 4,
  }];
  const { answers } = await outcomeOf("plain", messages, 4);
  assertEquals(new Set(answers.map((answer) => (answer as { id: unknown }).id)), new Set([1, 7, 3, 4]));
});

Deno.test("PlainLane gives no answer to a cancelled call, whichever lane it came through", async () => {
  const { input, output, opened, host } = session("plain");
  input.send(INITIALIZED, toyCall(1, "wait"));
  while (host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  input.send(cancelled(1), cancelled("unknown"), toyCall(1, "echo", "again"));
  const [answer] = await output.atLeast(1);
  assertEquals((answer as { result: { structuredContent: unknown } }).result.structuredContent, {
    text: "again",
  });
  input.end();
  await opened.stop(0);
  assertEquals(output.lines.length, 1);
});

Deno.test("PlainLane reports subscribed files once, even if the SDK was loaded meanwhile", async () => {
  const { input, output, notices, opened, logLines } = session("plain");
  input.send(
    INITIALIZED,
    { ...ask("resources/subscribe", { uri: "paddock://r/a" }), id: 1 },
    ask("prompts/list"),
  );
  await output.answerTo(1);
  await output.answerTo(7);
  notices.changed("/a");
  notices.tellAll({ method: "notifications/tools/list_changed" });
  const all = await output.atLeast(4);
  assertEquals(
    all.filter((message) => (message as { method?: string }).method !== undefined)
      .map((message) => (message as { method: string }).method).sort(),
    ["notifications/resources/updated", "notifications/tools/list_changed"],
  );
  input.end();
  await opened.stop(0);
  assertEquals(output.lines.length, 4);
  assertEquals(logLines.filter(({ event }) => event === "protocol_error"), []);
});

Deno.test("a call that stops with its server is answered by the plain lane", async () => {
  const { input, output, opened, host } = session("plain");
  input.send(INITIALIZED, toyCall(1, "wait"));
  while (host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await opened.stop(0);
  const [answer] = await output.atLeast(1);
  assert(JSON.stringify(answer).includes("the server is stopping"), JSON.stringify(answer));
});
