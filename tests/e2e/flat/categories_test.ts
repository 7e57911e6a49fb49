/** Section 6.4: the test categories that the specification requires, by its own names. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { answerOf, ModernClient, post } from "../../support/http_client.ts";
import { LockHolder } from "../../support/lock_holder.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--max-size=1", "--timeout=30"] });
const MIB = 1024 * 1024;

Deno.test("input_validation: valid_filename_acceptance", async () => {
  await flat().each(async (face, file) => {
    for (const name of [file, "a", "A_b-9.tar.gz", ".dotfile", "x".repeat(255)]) {
      await face.ok("edit_file", { name, append: "x\n", create_if_missing: true });
      await face.ok("read_file", { name });
    }
  });
});

Deno.test("input_validation: invalid_filename_rejection", async () => {
  await flat().each(async (face) => {
    for (const name of ["", "..", ".", "a/b", "../a", "/a", "a b", "é", "x".repeat(256), 1, null]) {
      for (const operation of ["read_file", "edit_file"] as const) {
        assertEquals((await face.refused(operation, { name })).message, "Invalid filename format");
      }
    }
  });
});

Deno.test("input_validation: line_number_validation", async () => {
  flat().folder.write("lines.txt", "a\n");
  await flat().each(async (face) => {
    const wrong = [face.base - 1, -1, 0.5, "1x"];
    for (const line of wrong) {
      const edits = [{ line, operation: "delete" }];
      for (
        const { message } of [
          await face.refused("read_file", { name: "lines.txt", start_line: line }),
          await face.refused("read_file", { name: "lines.txt", end_line: line }),
          await face.refused("edit_file", { name: "lines.txt", edits }),
        ]
      ) assertMatch(message, /^Line numbers must be (non-negative|positive) integers$/);
    }
    const huge = { edits: [{ line: 1e300, operation: "delete" }] };
    assertMatch(
      (await face.refused("edit_file", { name: "lines.txt", ...huge })).message,
      /^Line numbers must/,
    );
    await face.ok("read_file", { name: "lines.txt", end_line: 1e300 });
  });
});

Deno.test("input_validation: request_size_limits", async () => {
  const { http, stdio } = flat();
  const large = { name: "size.txt", append: "x".repeat(MIB), create_if_missing: true };
  const rest = await post(`${http.url}/edit_file`, large);
  assertEquals([rest.status, (await rest.json()).error.message], [413, "Request too large"]);
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "edit_file", arguments: large },
  };
  const mcp = await post(`${http.url}/mcp`, call);
  assertEquals([mcp.status, (await mcp.json()).error.code], [413, -32600]);
  assertEquals((await stdio.request("tools/call", call.params)).error?.code, -32600);
  assert(!flat().folder.names().includes("size.txt"));
});

Deno.test("input_validation: utf8_encoding_validation", async () => {
  flat().folder.write("latin1.txt", new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
  flat().folder.write("utf8.txt", "café 日本 😀\n");
  await flat().each(async (face) => {
    for (const operation of ["read_file", "edit_file"] as const) {
      const { message } = await face.refused(operation, { name: "latin1.txt" });
      assertEquals(message, "File contains invalid UTF-8 encoding");
    }
    assertStringIncludes(JSON.stringify(await face.ok("read_file", { name: "utf8.txt" })), "café 日本 😀");
  });
});

Deno.test("input_validation: mcp_request_structure_validation", async () => {
  const { http, stdio } = flat();
  const wrong = [{ jsonrpc: "2.0", id: "s1" }, { id: "s2", method: "ping" }, {
    jsonrpc: "2.0",
    id: "s3",
    method: 5,
  }];
  for (const message of wrong) {
    const answer = stdio.answerTo(message.id);
    await stdio.send(message);
    assertEquals((await answer).error?.code, -32600);
    const response = await post(`${http.url}/mcp`, message);
    assertEquals([response.status, (await response.json()).error.code], [400, -32600]);
  }
});

Deno.test("mcp_tools: successful_file_listing", async () => {
  flat().folder.write("listed.txt", "a\nb\n");
  const text = await flat().mcp.ok("list_files");
  assertMatch(
    text,
    /^Files in directory:\n\n(name: \S+, modified: \S+Z, lines: -?\d+\n)+\nTotal files: \d+$/,
  );
  assertMatch(text, /^name: listed\.txt, modified: \S+, lines: 2$/m);
});

Deno.test("mcp_tools: successful_file_reading", async () => {
  flat().folder.write("read.txt", "a\nb\n");
  assertEquals(await flat().mcp.ok("read_file", { name: "read.txt" }), "File: read.txt (2 lines)\n\na\nb");
});

Deno.test("mcp_tools: line_range_processing", async () => {
  flat().folder.write("range.txt", "a\nb\nc\nd\n");
  const read = (args: Record<string, number>) => flat().mcp.ok("read_file", { name: "range.txt", ...args });
  assertEquals(await read({ start_line: 1, end_line: 2 }), "File: range.txt (lines 1-2 of 4 total)\n\nb\nc");
  assertEquals(await read({ start_line: 3 }), "File: range.txt (lines 3-3 of 4 total)\n\nd");
  assertEquals(await read({ end_line: 9 }), "File: range.txt (lines 0-3 of 4 total)\n\na\nb\nc\nd");
});

Deno.test("mcp_tools: edit_operation_types", async () => {
  flat().folder.write("types.txt", "a\nb\nc\n");
  const edits = [
    { line: 0, operation: "replace", content: "A" },
    { line: 1, operation: "insert", content: "new" },
    { line: 2, operation: "delete" },
  ];
  const text = await flat().mcp.ok("edit_file", { name: "types.txt", edits, append: "end\n" });
  assertStringIncludes(text, "Lines modified: 4\nTotal lines: 4\nFile created: false");
  assertEquals(flat().folder.read("types.txt"), "A\nnew\nb\nend\n");
});

Deno.test("mcp_tools: atomic_write_behavior", async () => {
  const { folder } = flat();
  const path = folder.write("atomic.txt", "a\nb\n");
  using open = Deno.openSync(path);
  await flat().mcp.refused("edit_file", {
    name: "atomic.txt",
    edits: [{ line: 0, operation: "replace", content: "x" }, { line: 9, operation: "delete" }],
  });
  assertEquals(folder.read("atomic.txt"), "a\nb\n");
  await flat().mcp.ok("edit_file", { name: "atomic.txt", append: "c\n" });
  assertEquals(folder.read("atomic.txt"), "a\nb\nc\n");
  const old = new Uint8Array(100); // a reader that has the old file open still reads the old file, whole
  assertEquals(new TextDecoder().decode(old.subarray(0, open.readSync(old) ?? 0)), "a\nb\n");
  assertEquals(folder.names().filter((name) => name.endsWith(".tmp")), []);
});

Deno.test("mcp_tools: tool_error_handling", async () => {
  const { result, error } = await flat().stdio.request("tools/call", {
    name: "read_file",
    arguments: { name: "none.txt" },
  });
  assertEquals(error, undefined);
  assertEquals(result, {
    content: [{ type: "text", text: "Error: File 'none.txt' not found" }],
    isError: true,
  });
});

Deno.test("concurrency: concurrent_tool_calls", async () => {
  flat().folder.write("many.txt", "x\n");
  const calls = flat().faces.flatMap((face) =>
    Array.from({ length: 20 }, () => face.ok("read_file", { name: "many.txt" }))
  );
  assertEquals((await Promise.all(calls)).length, 100);
});

Deno.test("concurrency: exclusive_write_locking", async () => {
  flat().folder.write("exclusive.txt", "0\n");
  const append = { name: "exclusive.txt", append: "x\n" };
  await Promise.all(flat().faces.flatMap((face) => [1, 2, 3].map(() => face.ok("edit_file", append))));
  assertEquals(flat().folder.read("exclusive.txt"), "0\n" + "x\n".repeat(15));
});

Deno.test("concurrency: filesystem_lock_behavior", async () => {
  await using holder = await LockHolder.start(flat().folder.write("held.txt", "a\n"));
  const edit = flat().rest.ok("edit_file", { name: "held.txt", append: "b\n" });
  await flat().rest.ok("read_file", { name: "held.txt" });
  assertEquals(flat().folder.read("held.txt"), "a\n");
  await holder.release();
  assertEquals((await edit).new_total_lines, 2);
});

Deno.test("concurrency: multi_instance_coordination", async () => {
  const { folder } = flat();
  folder.write("instances.txt", "");
  const append = (who: string) => ({ name: "instances.txt", append: `${who}\n` });
  const calls = [flat().mcp, flat().face("mcp over http")].flatMap((face, i) =>
    Array.from({ length: 10 }, (_, j) => face.ok("edit_file", append(`${i}-${j}`)))
  );
  await Promise.all(calls);
  assertEquals(new Set(folder.read("instances.txt").trimEnd().split("\n")).size, 20);
});

Deno.test("mcp_protocol: mcp_initialization_sequence", async () => {
  using folder = tempFolder();
  for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio"]);
    const { result } = await server.initialize(revision);
    assertEquals([result.protocolVersion, result.capabilities], [revision, { tools: {} }]);
    assertEquals(result.serverInfo.name, "paddock");
    assertStringIncludes(result.instructions, "list_files");
    assertEquals((await server.request("ping")).result, {});
  }
  assertEquals((await new ModernClient(flat().http.url).request("server/discover")).error, undefined);
});

Deno.test("mcp_protocol: tools_list_response", async () => {
  const { result } = await flat().stdio.request("tools/list");
  const names = result.tools.map(({ name }: { name: string }) => name);
  assertEquals(names, ["edit_file", "list_files", "read_file"]);
  for (const { description, inputSchema, annotations } of result.tools) {
    assert(description.length > 0);
    assertEquals([inputSchema.type, inputSchema.additionalProperties], ["object", false]);
    assertEquals([annotations.destructiveHint, annotations.openWorldHint], [false, false]);
  }
});

Deno.test("mcp_protocol: tool_call_execution", async () => {
  flat().folder.write("call.txt", "a\n");
  const text = "File: call.txt (1 lines)\n\na";
  for (const name of ["mcp", "mcp over http"] as const) {
    assertEquals(await flat().face(name).ok("read_file", { name: "call.txt" }), text);
  }
  assertEquals((await new ModernClient(flat().http.url).call("read_file", { name: "call.txt" })).text, text);
});

Deno.test("mcp_protocol: error_response_formatting", async () => {
  const { stdio } = flat();
  const unknown = await stdio.request("tools/call", { name: "remove_file", arguments: {} }, "e1");
  assertEquals([unknown.jsonrpc, unknown.id, unknown.error?.code], ["2.0", "e1", -32602]);
  assertMatch(unknown.error?.message ?? "", /^Unknown tool: remove_file/);
  const method = await stdio.request("files/list", {}, "e2");
  assertEquals([method.error?.code, method.result], [-32601, undefined]);
});

Deno.test("mcp_protocol: jsonrpc_compliance", async () => {
  const { stdio, http } = flat();
  for (const id of [12_345, "text", "", -1, 0]) {
    const answer = await stdio.request("list_files", {}, id);
    assertEquals([answer.jsonrpc, answer.id], ["2.0", id]);
    const response = await post(`${http.url}/mcp`, { jsonrpc: "2.0", id, method: "list_files" });
    assertEquals((await answerOf(response, id)).jsonrpc, "2.0");
  }
  await stdio.sendRaw("not json\n");
  assertEquals((await stdio.next()).error?.code, -32700);
  await stdio.sendRaw('[{"jsonrpc":"2.0","id":"b1","method":"ping"},5]\n'); // 2024-11-05 has batches
  assertEquals((await stdio.answerTo("b1")).result, {});
  assertEquals((await stdio.next()).error?.code, -32600);
});
