/** Section 6.2: the flat surface at /mcp, in every era of the protocol, and what that page refuses. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { initializeMessage, ModernClient, post, SessionClient } from "../../support/http_client.ts";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat();
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

async function outcome(response: Response): Promise<{ status: number; code: number | undefined }> {
  const text = await response.text();
  return { status: response.status, code: text.startsWith("{") ? JSON.parse(text).error?.code : undefined };
}

Deno.test("6.2 a session is opened, used and ended, and gone afterwards", async () => {
  const client = await SessionClient.begin(flat().http.url, "2024-11-05");
  assertStringIncludes((await client.call("list_files")).text, "Total files: ");
  const stream = await client.stream();
  assertEquals([stream.status, stream.headers.get("content-type")], [200, "text/event-stream"]);
  await stream.body?.cancel();
  assertEquals(await outcome(await client.end()), { status: 200, code: undefined });
  assertEquals(await outcome(await client.send(PING)), { status: 404, code: -32001 });
});

Deno.test("6.2 requests that do not belong to a session are refused, each with its status", async () => {
  const { url } = flat().http;
  const client = await SessionClient.begin(url);
  const mcp = `${url}/mcp`;
  const known = client.headers;
  const wide = Array.from({ length: 101 }, (_, id) => ({ ...PING, id }));
  const cases: [what: string, response: Promise<Response>, status: number][] = [
    ["no session", post(mcp, PING), 400],
    ["unknown session", post(mcp, PING, { headers: { "mcp-session-id": "x" } }), 404],
    [
      "unknown revision",
      post(mcp, PING, { headers: { ...known, "mcp-protocol-version": "1999-01-01" } }),
      400,
    ],
    ["initialized twice", post(mcp, initializeMessage(), { headers: known }), 400],
    ["initialize without params", post(mcp, { ...PING, method: "initialize", params: {} }), 400],
    ["initialize in a batch", post(mcp, [initializeMessage()]), 400],
    ["a batch where there are none", post(mcp, [PING], { headers: known }), 400],
    ["too many messages", post(mcp, wide, { headers: known }), 400],
    ["a stream without a session", fetch(mcp, { headers: { accept: "text/event-stream" } }), 400],
    ["a stream of another type", fetch(mcp, { headers: known }), 406],
    ["a modern stream", fetch(mcp, { headers: { "mcp-protocol-version": "2026-07-28" } }), 405],
    [
      "a modern end",
      fetch(mcp, { method: "DELETE", headers: { "mcp-protocol-version": "2026-07-28" } }),
      405,
    ],
  ];
  for (const [what, response, status] of cases) {
    assertEquals((await outcome(await response)).status, status, what);
  }
});

Deno.test("6.2 a batch of tools and methods gets one answer, if the revision has batches", async () => {
  flat().folder.write("batch.txt", "a\n");
  const client = await SessionClient.begin(flat().http.url, "2024-11-05");
  const response = await client.send([
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "read_file", arguments: { name: "batch.txt" } },
    },
    { jsonrpc: "2.0", id: 2, method: "read_file", params: { name: "batch.txt" } },
  ]);
  const text = await response.text();
  for (const part of ["File: batch.txt (1 lines)", '"total_lines":1']) assertStringIncludes(text, part);
});

Deno.test("6.2 the revision without sessions calls tools, and gets an error for unknown ones", async () => {
  flat().folder.write("modern.txt", "a\n");
  const client = new ModernClient(flat().http.url);
  assertEquals(
    (await client.call("read_file", { name: "modern.txt" })).text,
    "File: modern.txt (1 lines)\n\na",
  );
  const unknown = await client.request("tools/call", { name: "nothing", arguments: {} });
  assertEquals(unknown.error?.code, -32602);
});

Deno.test("6.2 the transport of 2024-11-05 has its stream and its messages", async () => {
  const { url } = flat().http;
  for (const [open, messages] of [["/sse", "/messages"], ["/mcp/stream", "/mcp/messages"]]) {
    const stream = await fetch(`${url}${open}`, { headers: { accept: "text/event-stream" } });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert(reader !== undefined);
    let text = "";
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? "";
    };
    await until("\n\n");
    const [, endpoint = ""] = /^data: (.*)$/m.exec(text) ?? [];
    assert(endpoint.startsWith(messages ?? "?"), text);
    const accepted = await post(`${url}${endpoint}`, {
      ...PING,
      method: "read_file",
      params: { name: "none.txt" },
    });
    assertEquals((await outcome(accepted)).status, 202);
    await until("File 'none.txt' not found");
    await reader?.cancel();
  }
});
