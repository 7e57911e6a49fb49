/** Sections 3.2, 3.3.2 and 6.2: the operations as separate JSON-RPC methods, and what the protocol refuses. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ModernClient, post, SessionClient } from "../../support/http_client.ts";
import { type Message, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--max-size=1"] });

function toMcp(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return post(`${flat().http.url}/mcp`, body, { headers });
}

async function statusAndError(response: Response) {
  const { id, error }: Message = await response.json();
  return { status: response.status, id, code: error?.code, message: error?.message ?? "" };
}

const HUNDRED = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join("");

Deno.test("3.2 the specification's example of a request and its answer", async () => {
  flat().folder.write("example.txt", HUNDRED);
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "read_file",
    params: { name: "example.txt", start_line: 5, end_line: 10 },
  };
  const answer = {
    jsonrpc: "2.0",
    id: 1,
    result: {
      content: "line 5\nline 6\nline 7\nline 8\nline 9\nline 10",
      total_lines: 100,
      range_requested: { start_line: 5, end_line: 10 },
    },
  };
  assertEquals(await (await toMcp(request)).json(), answer);
  assertEquals(await flat().stdio.request("read_file", request.params, 1_000_001), {
    ...answer,
    id: 1_000_001,
  });
});

Deno.test("6.3 bare methods are served before any initialize, and initialize still works after them", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "one\n");
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio"]);
  const health = await server.request("read_file", { name: ".health_check_file" });
  assertEquals(health.error, { code: -32001, message: "File '.health_check_file' not found" });
  const { result } = await server.request("read_file", { name: "a.txt" }, "text id");
  assertEquals(result, { content: "one", total_lines: 1 });
  assertEquals((await server.request("list_files")).result.total_count, 1);
  const edited = await server.request("edit_file", { name: "a.txt", append: "two\n" });
  assertEquals(edited.result.new_total_lines, 2);
  assertEquals((await server.initialize("2024-11-05")).result.protocolVersion, "2024-11-05");
  assertEquals((await server.call("read_file", { name: "a.txt" })).text, "File: a.txt (2 lines)\n\none\ntwo");
  assertEquals((await server.request("read_file", { name: "a.txt" })).result.total_lines, 2);
  assertEquals(await server.end(), 0);
});

Deno.test("3.2 bare methods work in sessions and in the revision without sessions", async () => {
  flat().folder.write("session.txt", "one\n");
  const read = { name: "session.txt" };
  const session = await SessionClient.begin(flat().http.url);
  assertEquals((await session.request("read_file", read)).result, { content: "one", total_lines: 1 });
  const { content, total_lines } =
    (await new ModernClient(flat().http.url).request("read_file", read)).result;
  assertEquals({ content, total_lines }, { content: "one", total_lines: 1 });
  const refused = await new ModernClient(flat().http.url).request("read_file", { name: "gone.txt" });
  assertEquals([refused.error?.code, refused.error?.message], [-32001, "File 'gone.txt' not found"]);
  // A call's metadata is not one of its arguments.
  const params = { ...read, _meta: { progressToken: 1 } };
  assertEquals((await flat().stdio.request("read_file", params)).result.total_lines, 1);
  const response = await toMcp({ jsonrpc: "2.0", id: 2, method: "read_file", params });
  assertEquals((await response.json()).result.total_lines, 1);
});

Deno.test("3.2 calls keep their order on stdio, both tools and methods", async () => {
  const { stdio } = flat();
  const append = (i: number) => ({ name: "order.txt", append: `${i}\n`, create_if_missing: true });
  const calls = Array.from(
    { length: 20 },
    (_, i) =>
      i % 2 === 0
        ? stdio.request("edit_file", append(i))
        : stdio.request("tools/call", { name: "edit_file", arguments: append(i) }),
  );
  const read = stdio.request("read_file", { name: "order.txt" });
  await Promise.all(calls);
  assertEquals((await read).result.content, Array.from({ length: 20 }, (_, i) => i).join("\n"));
});

Deno.test("3.3.2 codes on stdio: -32700, -32600, -32601, -32602, and -32001 for the file system", async () => {
  const { stdio } = flat();
  await stdio.sendRaw('{"jsonrpc":"2.0","id":7,"method"\n');
  const garbled = await stdio.next();
  assertEquals([garbled.id, garbled.error?.code], [null, -32700]);
  assertMatch(garbled.error?.message ?? "", /^Parse error/);
  for (
    const wrong of [{ id: "w1", method: "read_file" }, { jsonrpc: "1.0", id: "w2", method: "read_file" }]
  ) {
    const answer = stdio.answerTo(wrong.id);
    await stdio.send(wrong);
    const { error } = await answer;
    assertEquals(error?.code, -32600);
    assertMatch(error?.message ?? "", /^Invalid Request/);
  }
  const codes: [method: string, params: unknown, code: number][] = [
    ["write_file", {}, -32601],
    ["tools/delete", {}, -32601],
    ["constructor", {}, -32601],
    ["read_file", {}, -32602],
    ["read_file", { name: "../etc/passwd" }, -32602],
    ["read_file", { name: "gone.txt" }, -32001],
    ["edit_file", { name: "gone.txt", append: "x" }, -32001],
    ["tools/call", { name: "delete_file", arguments: {} }, -32602],
    ["tools/call", {}, -32602],
  ];
  for (const [method, params, code] of codes) {
    assertEquals((await stdio.request(method, params)).error?.code, code, method);
  }
  const unknown = await stdio.request("tools/call", { name: "delete_file" });
  assertMatch(
    unknown.error?.message ?? "",
    /^Unknown tool: delete_file; known: edit_file, list_files, read_file$/,
  );
});

Deno.test("3.2 a notification of a method gets no answer", async () => {
  const { stdio } = flat();
  const lines = stdio.lines.length;
  await stdio.notify("read_file", { name: "gone.txt" });
  assertEquals((await stdio.request("ping")).result, {});
  assertEquals(stdio.lines.length, lines + 1);
});

Deno.test("3.3.3 statuses of /mcp: 200, 400, 405 and 413", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "read_file", params: { name: "gone.txt" } };
  const failed = await statusAndError(await toMcp(call));
  assertEquals([failed.status, failed.id, failed.code], [200, 1, -32001]);
  const bad: [body: string, headers: Record<string, string>, status: number, code: number][] = [
    ["{", {}, 400, -32700],
    ['{"id":1,"method":"read_file"}', {}, 400, -32600],
    ['"read_file"', {}, 400, -32600],
    ["{}", { "content-type": "text/plain" }, 400, -32000],
    [JSON.stringify({ ...call, pad: "x".repeat(1024 * 1024) }), {}, 413, -32600],
  ];
  for (const [body, headers, status, code] of bad) {
    const answer = await statusAndError(await toMcp(body, headers));
    assertEquals([answer.status, answer.code], [status, code], body.slice(0, 50));
    assertNotEquals(answer.message, "");
  }
  const type = await statusAndError(await toMcp("{}", { "content-type": "text/plain" }));
  assertMatch(type.message, /Content-Type must be application\/json$/);
  for (const method of ["PUT", "PATCH"]) {
    const response = await fetch(`${flat().http.url}/mcp`, { method, body: "{}" });
    assertEquals(response.status, 405);
    assertMatch((await response.json()).error.message, /^Method not allowed/);
  }
});

Deno.test("4.2 a line over the limit is refused on stdio, and the connection stays open", async () => {
  const { stdio } = flat();
  const { error } = await stdio.request("edit_file", { name: "x.txt", append: "x".repeat(1024 * 1024) });
  assertEquals(error?.code, -32600);
  assertMatch(error?.message ?? "", /^Request too large: .*1048576 are allowed \(--max-size\)$/);
  assertEquals((await stdio.request("read_file", { name: "x.txt" })).error?.code, -32001);
  assert(!flat().folder.names().includes("x.txt"));
});
