/** A widely used client, the official SDK's, against the server as people start it. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { capabilitiesOf } from "../../src/server/greeting.ts";
import { SERVER_INFO } from "../../src/server/server_info.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import type { ToolListing } from "../../src/tools/tool.ts";
import { onUnix } from "../support/needs.ts";
import { clientEnv, serverCommand } from "../support/server.ts";
import { hexOf } from "../support/sha256.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

let folder: TempFolder;
let client: Client;
let transport: StdioClientTransport;
let root: string;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  folder.write("a.txt", "hello\n");
  root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const [command = "", ...args] = serverCommand([folder.path]);
  transport = new StdioClientTransport({ command, args, env: clientEnv(), stderr: "ignore" });
  client = new Client({ name: "clients_test", version: "1.0.0" });
  await client.connect(transport);
});

Deno.test.afterAll(async () => {
  await client.close();
  folder[Symbol.dispose]();
});

/** The client itself checks structuredContent against the tool's output schema, once it has listed the tools. */
function call(name: string, args: Record<string, unknown>) {
  return client.callTool({ name, arguments: { root, ...args } });
}

Deno.test("Client.connect agrees with the server on a revision and learns who it is", () => {
  assertEquals(client.getServerVersion(), SERVER_INFO);
  assertEquals(client.getServerCapabilities(), capabilitiesOf({ hasResources: true }));
  assertStringIncludes(client.getInstructions() ?? "", "list_roots");
});

Deno.test("Client.listTools gets every tool with both schemas", async () => {
  const answer = await client.listTools();
  assertEquals(answer.nextCursor, undefined);
  const tools = answer.tools as ToolListing[];
  assertEquals(
    tools.map(({ name }) => name).sort(),
    ROOTS_TOOLS.filter(({ needsUndo }) => !needsUndo).map(({ name }) => name).sort(),
  );
  for (const { name, inputSchema, outputSchema } of tools) {
    const wanted = name === "read_media_file" ? undefined : "object"; // its content is all there is
    assertEquals([inputSchema.type, outputSchema?.type], ["object", wanted], name);
  }
});

Deno.test("Client.callTool accepts each tool's result as its output schema describes it", async () => {
  await client.listTools();
  const listed = await client.callTool({ name: "list_roots", arguments: {} });
  assertEquals((listed.structuredContent as { roots: { name: string }[] }).roots[0]?.name, root);
  const written = await call("write_file", { path: "new/b.txt", content: "b\n", mode: "create_only" });
  assertEquals(written.structuredContent, {
    path: "new/b.txt",
    size: 2,
    mode: "create_only",
    created: true,
    file_size: 2,
    hash: await hexOf("b\n"),
  });
  const read = await call("read_file", { path: "a.txt" });
  assertEquals(read.content, [{ type: "text", text: "hello\n" }]);
  assertEquals((read.structuredContent as { size: number }).size, 6);
  await call("read_file", { path: "a.txt", offset_lines: 1, limit_lines: 1 });
  await call("read_file", { path: "a.txt", offset_bytes: 1, limit_bytes: 1 });
  const entries = await call("list_folder", { path: "." });
  assertEquals((entries.structuredContent as { count: number }).count, 2);
  const stat = await call("stat_file", { path: "new" });
  assertEquals((stat.structuredContent as { is_directory: boolean }).is_directory, true);
});

Deno.test("Client.callTool rejects with the code and data of a tool that answers with protocol errors", async () => {
  const edits = [{ old_string: "helo", new_string: "x" }];
  const missing = await assertRejects(() => call("multi_edit_text_file", { path: "a.txt", edits }));
  const { code, data } = missing as { code?: number; data?: { nearest_match?: { text?: string } } };
  assertEquals([code, data?.nearest_match?.text], [-32010, "hello"]);
  const denied = await assertRejects(() => call("multi_edit_text_file", { path: "../a.txt", edits }));
  assertEquals((denied as { code?: number }).code, -32002);
});

Deno.test("Client.callTool returns a tool's refusal as a result, with text only", async () => {
  await client.listTools();
  const refused = await call("read_file", { path: "../etc/passwd" });
  assertEquals([refused.isError, refused.structuredContent], [true, undefined]);
  assertStringIncludes(JSON.stringify(refused.content), "path resolves outside root boundary");
  const invalid = await call("read_file", { path: 5 });
  assertStringIncludes(JSON.stringify(invalid.content), "path must be a string; 5 was given");
});

Deno.test("Client.callTool rejects when there is no such tool", async () => {
  const error = await assertRejects(() => call("rm_rf", {}), Error, "Unknown tool: rm_rf");
  assertEquals((error as { code?: unknown }).code, -32602);
});

Deno.test("Client.ping is answered", async () => {
  assertEquals(await client.ping(), {});
});

Deno.test("Client.callTool can be cancelled while it waits for a lock, and leaves the file as it is", async () => {
  using file = Deno.openSync(folder.write("locked.txt", "before"), { read: true, write: true });
  file.lockSync(true);
  const controller = new AbortController();
  const waiting = client.callTool(
    { name: "write_file", arguments: { root, path: "locked.txt", content: "after" } },
    undefined,
    { signal: controller.signal },
  );
  controller.abort("changed my mind");
  await assertRejects(() => waiting, Error, "changed my mind");
  // A read is queued behind the write, so it is answered only when that has ended.
  assertEquals((await call("read_file", { path: "locked.txt" })).content, [{ type: "text", text: "before" }]);
  file.unlockSync();
  assertEquals(folder.read("locked.txt"), "before");
});

Deno.test("Client.callTool keeps a hundred concurrent calls apart", async () => {
  const paths = Array.from({ length: 100 }, (_, i) => `many/${i}.txt`);
  await Promise.all(paths.map((path) => call("write_file", { path, content: path })));
  const texts = await Promise.all(paths.map(async (path) => (await call("read_file", { path })).content));
  assertEquals(texts, paths.map((text) => [{ type: "text", text }]));
});

Deno.test({
  // Windows has no signal that only asks a process to end.
  ...onUnix("Client.close ends the server"),
  fn: async () => {
    const [command = "", ...args] = serverCommand([folder.path]);
    const shortLived = new StdioClientTransport({ command, args, env: clientEnv(), stderr: "ignore" });
    const other = new Client({ name: "clients_test", version: "1.0.0" });
    await other.connect(shortLived);
    const { pid } = shortLived;
    assert(pid !== null && isAlive(pid));
    await other.close();
    for (let attempt = 0; isAlive(pid); attempt++) {
      assert(attempt < 500, "the server outlives its client");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  },
});

function isAlive(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
