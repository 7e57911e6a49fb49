/** Every acceptance criterion of the workspaces surface, against the real process, with git as judge. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { SessionClient } from "../../support/http_client.ts";
import { HttpServer } from "../../support/http_server.ts";
import { withGit } from "../../support/needs.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { CRITERIA, PNG } from "./criteria.ts";
import { assertSound, type Caller, failureOf, newWorkspace, valueOf } from "./support.ts";

async function checkAll(t: Deno.TestContext, client: Caller, root: string): Promise<void> {
  for (const [words, check] of CRITERIA) await t.step(words, () => check({ client, root }));
}

/** A call of every tool, such that all succeed one after the other, in the workspace "w". */
const PLAUSIBLE: readonly [tool: string, args: Record<string, unknown>][] = [
  ["fs/write_file", { path: "a/b.txt", content: "one\n" }],
  ["fs/edit_file", { path: "a/b.txt", edits: [{ oldText: "one", newText: "two" }], dryRun: true }],
  ["fs/edit_file", { path: "a/b.txt", edits: [{ oldText: "one", newText: "two" }] }],
  ["multi_edit_text_file", { path: "a/b.txt", edits: [{ old_string: "two", new_string: "2" }] }],
  ["fs/create_directory", { path: "c" }],
  ["fs/move_file", { source: "a/b.txt", destination: "a/d/e.txt" }],
  ["fs/read_text_file", { path: "a/d/e.txt" }],
  ["fs/read_media_file", { path: "a/d/e.txt" }],
  ["fs/read_multiple_files", { paths: ["a/d/e.txt", "none"] }],
  ["fs/list_directory", {}],
  ["fs/list_directory_with_sizes", { sortBy: "size" }],
  ["fs/search_files", { pattern: "*" }],
  ["fs/directory_tree", {}],
  ["fs/directory_tree", { limit: 1 }],
  ["fs/get_file_info", { path: "c" }],
  ["fs/get_commit_history", { limit: 2 }],
  ["fs/show_commit", { commit: "HEAD" }],
  ["fs/diff", { from: "HEAD~2" }],
  ["fs/copy_file", { source: "a/d/e.txt", destination: "a/copy.txt" }],
  ["fs/patch_file", { path: "a/copy.txt", patch: "@@ -1 +1,2 @@\n 2\n+first\n" }],
  ["fs/hash_file", { path: "a/copy.txt" }],
  ["fs/grep", { pattern: "first" }],
  ["fs/delete_file", { path: "a/copy.txt" }],
  ["fs/apply", { changes: [{ op: "write", path: "n", content: "1\n" }], dryRun: true }],
  ["fs/apply", { changes: [{ op: "write", path: "n", content: "1\n" }] }],
  ["fs/revert", { commit: "HEAD", dryRun: true }],
  ["fs/revert", { commit: "HEAD" }],
  ["fs/restore", { commit: "HEAD~1", dryRun: true }],
  ["fs/restore", { commit: "HEAD~1" }],
];

/** Whatever was done, git must agree with every workspace that no person has changed. */
async function assertAllSound(folder: TempFolder): Promise<void> {
  for (const name of ["write", "edit", "move", "folders", "history", "undo", "outside"]) {
    await assertSound(`${folder.path}/data/${name}`);
  }
}

Deno.test(
  withGit(
    "--transport=stdio --workspaces-root=./data starts a fully working server on stdin and stdout",
  ),
  async (t) => {
    using folder = tempFolder();
    await using server = new TestServer(["--transport=stdio", "--workspaces-root=./data"], {
      cwd: folder.path,
    });
    await server.initialize();
    await checkAll(t, server, `${folder.path}/data`);
    await t.step("git agrees with all of it", () => assertAllSound(folder));
    await t.step("read_media_file returns images as images, for a model to see", async () => {
      const { workspaceId, path } = await newWorkspace(server, "seen");
      Deno.writeFileSync(`${path}/a.png`, PNG);
      const { result } = await server.request("tools/call", {
        name: "fs_read_media_file",
        arguments: { workspaceId, path: "a.png" },
      });
      assertEquals(result.content, [
        { type: "text", text: JSON.stringify({ mimeType: "image/png", size: PNG.length }) },
        { type: "image", data: PNG.toBase64(), mimeType: "image/png" },
      ]);
    });
    await t.step("startup logs show transport and workspaces root; calls are not logged at info", () => {
      const [start = ""] = server.log.split("\n");
      assertStringIncludes(start, "transport=stdio");
      assertMatch(start, new RegExp(`workspaces_root="?${folder.path}/data`));
      assertEquals(server.log.includes("tool_call"), false);
    });
  },
);

Deno.test(
  withGit("--transport=http --workspaces-root=./data starts a fully working server on the port"),
  async (t) => {
    using folder = tempFolder();
    const args = ["--workspaces-root=./data", "--log-level=debug", "--tool-names=slash"];
    await using server = await HttpServer.start(args, { cwd: folder.path });
    const client = await SessionClient.begin(server.url);
    await checkAll(t, client, `${folder.path}/data`);
    await t.step("git agrees with all of it", () => assertAllSound(folder));
    await t.step("--tool-names=slash lists the names with a slash", async () => {
      const { result } = await client.request("tools/list");
      const names: string[] = result.tools.map((tool: { name: string }) => tool.name);
      assertEquals(
        names.filter((name) => !/^(fs|workspace)\/[a-z_]+$|^multi_edit_text_file$/.test(name)),
        [],
      );
      assertEquals(names.includes("fs/read_text_file") && names.includes("workspace/create"), true);
    });
    await t.step("startup logs show transport, port and workspaces root; calls are logged at debug", () => {
      assertStringIncludes(server.log, "transport=http");
      assertStringIncludes(server.log, `:${server.port}`);
      assertMatch(server.log, new RegExp(`workspaces_root="?${folder.path}/data`));
      assertMatch(server.log, /DEBUG tool_call tool=fs_write_file workspaceId=write path=users\/data\.txt/i);
    });
    await t.step(
      "a client of HTTP with server-sent events connects, and finds every result valid by its schema",
      async () => {
        const sse = new Client({ name: "sse", version: "1" });
        await sse.connect(new SSEClientTransport(new URL(`${server.url}/mcp/stream`)));
        await newWorkspace(client, "w");
        const { tools } = await sse.listTools(); // from now on the client checks results against the schemas
        const called = new Set<string>();
        for (const [name, args] of PLAUSIBLE) {
          const result = await sse.callTool({ name, arguments: { workspaceId: "w", ...args } });
          assertEquals(result.isError ?? false, false, `${name}: ${JSON.stringify(result.content)}`);
          called.add(name);
        }
        const { structuredContent } = await sse.callTool({ name: "workspace/list" });
        const { workspaces } = structuredContent as { workspaces: { workspaceId: string }[] };
        assertEquals(workspaces.filter(({ workspaceId }) => workspaceId === "w").length, 1);
        await sse.close();
        const names: string[] = tools.map((tool: { name: string }) => tool.name);
        const rest = names.filter((name) => !called.has(name));
        assertEquals(rest, ["workspace/create", "workspace/list"]);
      },
    );
  },
);

Deno.test("--read-only offers no tool that writes, refuses them all, and reads what is there", async () => {
  using folder = tempFolder();
  const args = ["--transport=stdio", `--workspaces-root=${folder.path}`];
  {
    await using server = new TestServer(args);
    await server.initialize();
    const { workspaceId } = await newWorkspace(server);
    await valueOf(server, "fs_write_file", { workspaceId, path: "a.txt", content: "a\n" });
  }
  await using server = new TestServer([...args, "--read-only"]);
  await server.initialize();
  const { result } = await server.request("tools/list");
  const writing = result.tools.filter((tool: { annotations: { readOnlyHint: boolean } }) =>
    !tool.annotations.readOnlyHint
  );
  assertEquals([writing, result.tools.length > 10], [[], true]);
  const workspaceId = "work";
  for (
    const [tool, more] of [
      ["fs_write_file", { path: "b", content: "" }],
      ["fs_restore", { commit: "HEAD" }],
      ["fs_create_directory", { path: "d" }],
      ["fs/move_file", { source: "a.txt", destination: "b" }],
    ] as const
  ) {
    assertEquals((await failureOf(server, tool, { workspaceId, ...more })).code, "NOT_ALLOWED", tool);
  }
  assertEquals((await failureOf(server, "workspace_create", { name: "x" })).code, "NOT_ALLOWED");
  assertEquals((await valueOf(server, "fs_read_text_file", { workspaceId, path: "a.txt" })).content, "a\n");
  assertEquals(
    (await valueOf(server, "fs_get_commit_history", { workspaceId, path: "a.txt" })).log.length,
    1,
  );
  assertEquals((await valueOf(server, "fs_diff", { workspaceId })).count, 0);
  assertEquals((await valueOf(server, "fs_show_commit", { workspaceId, commit: "HEAD" })).count, 1);
});

Deno.test("missing required flags are reported with examples, and exit code 1", async () => {
  using folder = tempFolder();
  const { code, stderr } = await runToEnd([`--workspaces-root=${folder.path}`]);
  assertEquals(code, 1);
  assertMatch(
    stderr,
    /--transport .* is missing, but must be stdio or http with --workspaces-root; examples:\n/,
  );
});
