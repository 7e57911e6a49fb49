/** The early answer to `initialize` compared with the SDK's own, and how the SDK learns about it. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { createLogger } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { greet, GREETED_REVISIONS } from "../../src/server/greeting.ts";
import { LineReader } from "../../src/transports/line_reader.ts";
import { LineWriter } from "../../src/transports/line_writer.ts";
import { serveBySdk } from "../../src/transports/sdk_stdio.ts";
import { StdioSession } from "../../src/transports/stdio_session.ts";
import type { Message } from "../support/server.ts";
import { MemoryInput, MemoryOutput } from "../support/streams.ts";
import { runningToy, toyCall } from "../support/toy_server.ts";

const INSTRUCTIONS = "Be kind to files.";
const PLAIN = { instructions: INSTRUCTIONS, hasResources: false };
const RICH = { instructions: INSTRUCTIONS, hasResources: true };
const NO_TOOLS = { list: () => [], accessOf: () => undefined, call: () => Promise.resolve(undefined) };
const CLIENT = { name: "test", version: "1" };
const META = "io.modelcontextprotocol/";

function initialize(params: object = {}) {
  const usual = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT };
  return { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...usual, ...params } };
}

function discover(envelope: object = {}) {
  const _meta = { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: {}, ...envelope };
  return { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta } };
}

/** What the SDK itself answers. */
async function answerOfSdk(message: unknown, hasResources = false): Promise<unknown> {
  const [input, output] = [new MemoryInput(), new MemoryOutput()];
  const session = new StdioSession({
    reader: new LineReader(input, 10_000),
    writer: new LineWriter(output),
    tools: NO_TOOLS,
    resources: hasResources ? NO_TOOLS : undefined,
    instructions: INSTRUCTIONS,
    stats: new Stats(),
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    serveBySdk,
  });
  input.send(message);
  const [answer] = await output.atLeast(1);
  input.end();
  await session.stop(0);
  return answer;
}

/** Fails unless the message is greeted, in the SDK's words. */
async function assertGreeted(message: unknown): Promise<void> {
  for (const introduction of [PLAIN, RICH]) {
    const greeting = greet(JSON.stringify(message), introduction);
    assert(greeting !== undefined);
    const answer = await answerOfSdk(message, introduction.hasResources);
    assertEquals(JSON.stringify(greeting), JSON.stringify(answer));
  }
}

Deno.test("GREETED_REVISIONS are the SDK's revisions that have an initialize", () => {
  assertEquals([...GREETED_REVISIONS], SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < "2026"));
});

const GREETED: [name: string, params: object][] = [
  ...GREETED_REVISIONS.map((protocolVersion): [string, object] => [protocolVersion, { protocolVersion }]),
  ["roots", { capabilities: { roots: {} } }],
  ["roots that change", { capabilities: { roots: { listChanged: true } } }],
  ["sampling and elicitation", { capabilities: { sampling: {}, elicitation: { form: {}, url: {} } } }],
  ["tasks", { capabilities: { tasks: { list: {}, requests: { sampling: { createMessage: {} } } } } }],
  ["extensions", {
    capabilities: { extensions: { "io.x/ui": { mimeTypes: ["text/html"], deep: [1, null] } } },
  }],
  ["experimental", { capabilities: { experimental: { a: {} } } }],
  ["all of a client's names", {
    clientInfo: { ...CLIENT, title: "T", websiteUrl: "https://example.com", description: "D" },
  }],
];

for (const [name, params] of GREETED) {
  Deno.test(`greet answers as the SDK does when a client has ${name}`, async () => {
    await assertGreeted(initialize(params));
  });
}

const DISCOVERED: [name: string, envelope: object][] = [
  ["says nothing about itself", {}],
  ["says its name", { [`${META}clientInfo`]: { ...CLIENT, title: "T" } }],
  ["can do much", {
    [`${META}clientCapabilities`]: {
      elicitation: { form: {} },
      sampling: {},
      extensions: { "a/b": { c: [1] } },
    },
  }],
];

for (const [name, envelope] of DISCOVERED) {
  Deno.test(`greet answers server/discover as the SDK does when a client ${name}`, async () => {
    await assertGreeted(discover(envelope));
  });
}

const { jsonrpc, id, method, params } = initialize();
const LEFT: [name: string, line: string][] = [
  ["is no JSON", "{"],
  ["is a batch", JSON.stringify([initialize()])],
  ["is null", "null"],
  ["has another method", JSON.stringify({ jsonrpc, id, method: "ping" })],
  ["is a notification", JSON.stringify({ jsonrpc, method, params })],
  ["has another JSON-RPC version", JSON.stringify({ ...initialize(), jsonrpc: "1.0" })],
  ["has one more member", JSON.stringify({ ...initialize(), more: 1 })],
  ["has a null id", JSON.stringify({ ...initialize(), id: null })],
  ["has a fraction as its id", JSON.stringify({ ...initialize(), id: 1.5 })],
  ["has no params", JSON.stringify({ jsonrpc, id, method })],
  ["has an envelope", JSON.stringify(initialize({ _meta: {} }))],
  ["asks for an unknown revision", JSON.stringify(initialize({ protocolVersion: "1999-01-01" }))],
  ["asks for a revision without it", JSON.stringify(initialize({ protocolVersion: "2026-07-28" }))],
  ["has a number as its revision", JSON.stringify(initialize({ protocolVersion: 1 }))],
  ["has no client", JSON.stringify(initialize({ clientInfo: undefined }))],
  ["has a client without a version", JSON.stringify(initialize({ clientInfo: { name: "a" } }))],
  ["has a client with icons", JSON.stringify(initialize({ clientInfo: { ...CLIENT, icons: [] } }))],
  ["has a list of capabilities", JSON.stringify(initialize({ capabilities: [] }))],
  ["has an unknown capability", JSON.stringify(initialize({ capabilities: { fly: {} } }))],
  ["has wrong roots", JSON.stringify(initialize({ capabilities: { roots: { listChanged: 1 } } }))],
  ["has wrong sampling", JSON.stringify(initialize({ capabilities: { sampling: { tools: true } } }))],
  ["has wrong extensions", JSON.stringify(initialize({ capabilities: { extensions: { a: 1 } } }))],
  [
    "has a number that is not finite",
    JSON.stringify(initialize({ capabilities: { experimental: { a: { b: 0 } } } }))
      .replace('"b":0', '"b":1e999'),
  ],
  ["discovers another revision", JSON.stringify(discover({ [`${META}protocolVersion`]: "2027-01-01" }))],
  ["discovers without capabilities", JSON.stringify(discover({ [`${META}clientCapabilities`]: undefined }))],
  ["discovers with more in its envelope", JSON.stringify(discover({ progressToken: 1 }))],
  ["discovers without an envelope", JSON.stringify({ jsonrpc, id, method: "server/discover", params: {} })],
  ["is long", JSON.stringify(initialize({ clientInfo: { ...CLIENT, title: "x".repeat(5_000) } }))],
];

for (const [name, line] of LEFT) {
  Deno.test(`greet leaves a message to the SDK when it ${name}`, () => {
    assertEquals(greet(line, PLAIN), undefined);
  });
}

Deno.test("greet answers as the SDK does whenever it answers, whatever a client sends", async () => {
  const leaf = fc.oneof(fc.boolean(), fc.integer(), fc.string({ maxLength: 3 }), fc.constant(null));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.dictionary(fc.constantFrom("form", "url", "a", "listChanged", "__proto__"), tie("tree"), {
        maxKeys: 2,
      }),
    ),
  }));
  const names = ["roots", "sampling", "elicitation", "tasks", "experimental", "extensions", "b"];
  const parts = fc.record({
    protocolVersion: fc.constantFrom(...SUPPORTED_PROTOCOL_VERSIONS, "x"),
    capabilities: fc.dictionary(fc.constantFrom(...names), tree, { maxKeys: 2 }),
    clientInfo: fc.dictionary(fc.constantFrom("title", "description"), leaf, { maxKeys: 1 })
      .map((more) => ({ ...CLIENT, ...more })),
  });
  const message = fc.oneof(
    parts.map(initialize),
    parts.map(({ capabilities, clientInfo }) =>
      discover({ [`${META}clientCapabilities`]: capabilities, [`${META}clientInfo`]: clientInfo })
    ),
  );
  let greeted = 0;
  await fc.assert(
    fc.asyncProperty(message, async (message) => {
      const greeting = greet(JSON.stringify(message), PLAIN);
      if (greeting === undefined) return;
      greeted++;
      await assertGreeted(message);
    }),
    { numRuns: 300 },
  );
  assert(greeted > 20, `only ${greeted} of 300 were greeted`);
});

Deno.test("StdioListener tells the SDK about the greeted client, and answers it once", async () => {
  const { input, output, registry, stats, logLines, ended } = runningToy();
  const clients: unknown[] = [];
  const call = registry.call.bind(registry);
  registry.call = (name, args, options) => (clients.push(options.client), call(name, args, options));
  // The id of the greeted message is used again at once; its answer must not be lost.
  input.send(initialize(), { jsonrpc, method: "notifications/initialized" }, toyCall(1, "echo", "hello"));
  const answers: Message[] = await output.atLeast(2);
  assertEquals(answers[0]?.result.protocolVersion, "2025-06-18");
  assertEquals(answers[1]?.result.structuredContent, { text: "hello" });
  assertEquals(clients, ["test"]);
  input.end();
  await ended;
  assertEquals(output.lines.length, 2);
  const { requests, errors } = stats.snapshot();
  assertEquals([requests, errors], [2, 0]);
  assertEquals(logLines.filter(({ event }) => event === "protocol_error"), []);
});

Deno.test("StdioListener greets a client that discovers, and continues with it in either era", async () => {
  const listing = { jsonrpc, id: 2, method: "tools/list", params: discover().params };
  for (const next of [listing, { ...initialize(), id: 2 }]) {
    const { input, output, logLines, ended } = runningToy();
    input.send(discover(), next);
    const [first, second] = await output.atLeast(2);
    assertEquals([first?.id, second?.id, second?.error], [1, 2, undefined]);
    input.send([toyCall(3, "echo")]);
    assertEquals((await output.answerTo(null)).error?.code, -32600); // no revision from 2025-06-18 on has batches
    input.end();
    await ended;
    assertEquals(output.lines.length, 3);
    assertEquals(logLines.filter(({ event }) => event === "protocol_error"), []);
  }
});

Deno.test("StdioListener passes a second initialize on to the SDK", async () => {
  const { input, output, ended } = runningToy();
  input.send(initialize(), { ...initialize(), id: 2 });
  const [first, second] = await output.atLeast(2);
  assertEquals([first?.id, second?.id], [1, 2]);
  input.end();
  await ended;
});

Deno.test("StdioListener counts a greeted request when it is stopped before the SDK has it", async () => {
  const { input, output, loop, stats, ended } = runningToy();
  input.send(initialize());
  await output.answerTo(1);
  loop.shutdown("test");
  await ended;
  assertEquals(stats.snapshot().requests, 1);
});
