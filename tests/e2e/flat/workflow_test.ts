/** Section 6.4: the complete MCP workflow of the specification, step by step, against the real process. */
import { assert, assertEquals, assertExists, assertStringIncludes } from "@std/assert";
import { SessionClient } from "../../support/http_client.ts";
import { HttpServer } from "../../support/http_server.ts";
import { type Message, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

interface Client {
  /** `initialize`, then the notification that it is done. */
  initialize(revision: string): Promise<Message>;
  request(method: string, params?: unknown): Promise<Message>;
}

interface ToolDefinition {
  name: string;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

async function completeWorkflow(client: Client): Promise<void> {
  const init = await client.initialize("2024-11-05");
  assertEquals(init.error, undefined);
  assertEquals(init.result.protocolVersion, "2024-11-05");
  assertExists(init.result.capabilities.tools);

  const listed = await client.request("tools/list", {});
  const tools: ToolDefinition[] = listed.result.tools;
  assertEquals(tools.length, 3);
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  for (const name of ["list_files", "read_file", "edit_file"]) {
    assert(
      hints[name] !== undefined && "readOnlyHint" in hints[name] && "destructiveHint" in hints[name],
      name,
    );
  }
  assertEquals([hints.list_files?.readOnlyHint, hints.list_files?.destructiveHint], [true, false]);
  assertEquals([hints.read_file?.readOnlyHint, hints.read_file?.destructiveHint], [true, false]);
  assertEquals([hints.edit_file?.readOnlyHint, hints.edit_file?.destructiveHint], [false, false]);

  const call = async (name: string, args: unknown, isError = false): Promise<string> => {
    const { result, error } = await client.request("tools/call", { name, arguments: args });
    assertEquals(error, undefined);
    assertEquals(result.isError, isError, result.content[0].text);
    return result.content[0].text;
  };
  assertStringIncludes(await call("list_files", {}), "Total files: 0");

  const edits = [0, 1, 2, 3, 4].map((line) => ({ line, content: `line${line + 1}`, operation: "insert" }));
  assertStringIncludes(await call("edit_file", { name: "test.txt", edits }), "File created: true");

  const updated = await call("list_files", {});
  assertStringIncludes(updated, "Total files: 1");
  assertStringIncludes(updated, "name: test.txt");

  const read = await call("read_file", { name: "test.txt" });
  assertStringIncludes(read, "line1");
  assertStringIncludes(read, "line5");

  const replace = { line: 2, content: "modified line 3", operation: "replace" };
  await call("edit_file", { name: "test.txt", edits: [replace] });
  const verified = await call("read_file", { name: "test.txt", start_line: 2, end_line: 2 });
  assertStringIncludes(verified, "modified line 3");

  const missing = await call("read_file", { name: "missing.txt" }, true);
  assertStringIncludes(missing, "Error: File 'missing.txt' not found");
}

const LINES = "line1\nline2\nmodified line 3\nline4\nline5\n";

Deno.test("6.4 test_complete_mcp_workflow over stdio", async () => {
  using folder = tempFolder();
  await using server = new TestServer([`--dir=${folder.path}`, "--transport=stdio"]);
  await completeWorkflow(server);
  assertEquals(folder.read("test.txt"), LINES);
  assertEquals(await server.end(), 0);
});

Deno.test("6.4 test_complete_mcp_workflow over HTTP", async () => {
  using folder = tempFolder();
  await using server = await HttpServer.start([`--dir=${folder.path}`]);
  await completeWorkflow(new SessionClient(server.url));
  assertEquals(folder.read("test.txt"), LINES);
  server.kill("SIGTERM");
  assertEquals(await server.exit(), 0);
});
