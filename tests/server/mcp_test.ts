/** The protocol as a client sees it, over streams in memory: methods, tools, revisions. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { SERVER_INFO } from "../../src/server/server_info.ts";
import type { Message } from "../support/server.ts";
import { runningToy, toyCall } from "../support/toy_server.ts";

const CLIENT = { name: "test", version: "1" };

/** Sends one message after the other, each when the one before is answered, and returns the answers. */
async function converse(...requests: { id: string | number }[]): Promise<Message[]> {
  const { input, output, ended } = runningToy();
  const answers: Message[] = [];
  for (const request of requests) {
    input.send(request);
    answers.push(await output.answerTo(request.id));
  }
  input.end();
  await ended;
  return answers;
}

function request(method: string, params?: unknown, id: string | number = 1) {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
}

for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
  Deno.test(`createMcpServer negotiates ${protocolVersion} and serves it`, async () => {
    const [welcome, listing, called] = await converse(
      request("initialize", { protocolVersion, capabilities: {}, clientInfo: CLIENT }),
      request("tools/list", {}, 2),
      toyCall(3, "echo", "hello"),
    );
    assertEquals(welcome?.result, {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: SERVER_INFO,
      instructions: "toys",
    });
    assertEquals(listing?.result.tools[0].name, "echo");
    assertEquals(called?.result.structuredContent, { text: "hello" });
  });
}

Deno.test("createMcpServer supports revision 2024-11-05, and offers a newer one for an unknown one", async () => {
  assertEquals(SUPPORTED_PROTOCOL_VERSIONS.includes("2024-11-05"), true);
  const params = { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: CLIENT };
  const [welcome] = await converse(request("initialize", params));
  assertMatch(welcome?.result.protocolVersion, /^202[5-9]-/);
});

Deno.test("createMcpServer serves 2026-07-28, which has server/discover and no initialize", async () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
  };
  const call = { name: "echo", arguments: { text: "hello" } };
  const [discovered, listing, called, unknown, bare] = await converse(
    request("server/discover", { _meta }, 1),
    request("tools/list", { _meta }, 2),
    request("tools/call", { ...call, _meta }, 3),
    request("tools/call", { ...call, name: "nobody", _meta }, 4),
    request("tools/call", call, 5),
  );
  assertEquals(discovered?.result.supportedVersions, ["2026-07-28"]);
  assertEquals(discovered?.result.instructions, "toys");
  assertEquals(listing?.result.tools[0].name, "echo");
  assertEquals(called?.result.structuredContent, { text: "hello" });
  assertEquals(unknown?.error?.code, -32602);
  assertEquals(bare?.error?.code, -32602);
});

Deno.test("createMcpServer falls back to initialize when a client has only tried server/discover", async () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const [, welcome, called] = await converse(
    request("server/discover", { _meta }, 1),
    request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT }, 2),
    toyCall(3, "echo", "hello"),
  );
  assertEquals(welcome?.result.protocolVersion, "2025-06-18");
  assertEquals(called?.result.content[0].text, "hello");
});

const NO_TOOLS = ["nobody", "", "constructor", "__proto__", "toString", "hasOwnProperty", "ECHO", "echo "];

for (const name of NO_TOOLS) {
  Deno.test(`createMcpServer answers -32602 when the tool is ${JSON.stringify(name)}`, async () => {
    const [answer] = await converse(toyCall(1, name));
    assertEquals(answer?.error?.code, -32602);
    assertStringIncludes(answer?.error?.message ?? "", `Unknown tool: ${name}; known: echo, `);
  });
}

Deno.test("createMcpServer cuts the name of an unknown tool in its answer", async () => {
  const [answer] = await converse(toyCall(1, "x".repeat(100_000)));
  assertEquals((answer?.error?.message.length ?? Infinity) < 500, true);
});

for (const params of [undefined, {}, { name: 7 }, { name: null }, { name: ["echo"] }]) {
  Deno.test(`createMcpServer answers -32602 when tools/call has the params ${JSON.stringify(params)}`, async () => {
    const [answer] = await converse(request("tools/call", params));
    assertEquals(answer?.error?.code, -32602);
  });
}

for (const method of ["nobody/knows", "constructor", "__proto__", "resources/list", "prompts/list"]) {
  Deno.test(`createMcpServer answers -32601 when the method is ${method}`, async () => {
    const [answer] = await converse(request(method));
    assertEquals(answer?.error?.code, -32601);
  });
}

const ARGUMENTS: [json: string, isError: boolean | undefined][] = [
  ["null", undefined],
  ["{}", undefined],
  ['{"text":"a"}', undefined],
  ["7", true],
  ['"text"', true],
  ['["a"]', true],
  ['{"text":7}', true],
  ['{"text":"a","more":true}', true],
  ['{"__proto__":{"text":"a"}}', true],
  ['{"constructor":"a"}', true],
];

for (const [json, isError] of ARGUMENTS) {
  Deno.test(`createMcpServer answers isError ${isError} when the arguments are ${json}`, async () => {
    const { input, output, ended } = runningToy();
    input.put(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${json}}}\n`,
    );
    assertEquals((await output.answerTo(1)).result.isError, isError);
    input.end();
    await ended;
  });
}

Deno.test("createMcpServer answers ping while a call that changes something is running", async () => {
  const { input, output, host, ended } = runningToy();
  input.send(toyCall(1, "hold", "long"), toyCall(2, "echo", "behind"), request("ping", undefined, 3));
  assertEquals((await output.answerTo(3)).result, {});
  assertEquals(output.lines.length, 1);
  host.open("long");
  input.end();
  await ended;
  assertEquals(output.messages.map(({ id }) => id), [3, 1, 2]);
});

Deno.test("createMcpServer returns a tool's own error as isError, and an unexpected one without its message", async () => {
  const [offline, buggy] = await converse(toyCall(1, "offline"), toyCall(2, "buggy"));
  assertEquals([offline?.result.isError, offline?.result.content[0].text], [
    true,
    "the disk is gone; try again later",
  ]);
  assertEquals(buggy?.result.isError, true);
  assertEquals(buggy?.result.content[0].text.includes("Unexpected bug"), false);
});

Deno.test("createMcpServer answers with the error that a tool returns, whatever its code", async () => {
  for (const code of [-32002, -32010, -32600, -32001]) {
    const [, answer] = await converse(
      request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT }),
      toyCall(2, "coded", String(code)),
    );
    assertEquals(answer?.error, { code, message: "as the tool says", data: { more: 1 } });
    assertEquals(answer?.result, undefined);
  }
});
