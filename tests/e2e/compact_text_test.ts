/** What a model reads with --text=compact, on the roots and workspaces surfaces; programs get the same either way. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

interface Answered {
  texts: string[];
  value: unknown;
}

async function ask(server: TestServer, name: string, args: Record<string, unknown>): Promise<Answered> {
  const { result, error } = await server.request("tools/call", { name, arguments: args });
  assert(error === undefined && !result.isError, JSON.stringify(error ?? result.content));
  return { texts: result.content.map(({ text }: { text: string }) => text), value: result.structuredContent };
}

function project(): TempFolder {
  const folder = tempFolder();
  folder.write("p/src/a.ts", "one\ntwo\nthree\nfour\ntwo\n");
  folder.write("p/src/b.ts", "two\n");
  folder.write("p/README.md", "# p\n");
  return folder;
}

const ROOTS: [tool: string, args: Record<string, unknown>, text: string][] = [
  [
    "grep",
    { pattern: "two", context_lines: 1 },
    "src/a.ts\n1-one\n2:two\n3-three\n4-four\n5:two\nsrc/b.ts\n1:two",
  ],
  [
    "grep",
    { pattern: "two", max_results: 1 },
    "src/a.ts\n2:two\n(1 shown of at least 1; raise max_results or narrow the search)",
  ],
  ["grep", { pattern: "none" }, "no matches in 3 files"],
  ["glob", { pattern: "**/*.ts" }, "src/\n a.ts 23\n b.ts 4"],
  ["glob", { pattern: "*.go" }, "nothing found"],
  ["list_folder", {}, "README.md 4\nsrc/"],
  [
    "read_files",
    { paths: ["README.md", "no.md"] },
    "==> README.md\n# p\n==> no.md (error: file not found: no.md)\n",
  ],
  ["read_file", { path: "README.md" }, "# p\n"],
  ["create_folder", { path: "src" }, "path: src, created: true, existed: true"],
];

Deno.test("--text=compact gives a model the same in fewer words, and programs exactly the same", async () => {
  using folder = project();
  await using compact = new TestServer([`${folder.path}/p`, "--text=compact"]);
  await using json = new TestServer([`${folder.path}/p`]);
  for (const server of [compact, json]) await server.initialize();
  for (const [tool, args, text] of ROOTS) {
    const short = await ask(compact, tool, { root: "p", ...args });
    const long = await ask(json, tool, { root: "p", ...args });
    assertEquals(short.texts, [text], tool);
    assertEquals(short.value, long.value, tool);
    if (tool !== "read_file") assertEquals(JSON.parse(long.texts[0] ?? ""), long.value, tool);
  }
  const edits = [{ old_text: "one", new_text: "1" }];
  const edited = await ask(compact, "edit_file", { root: "p", path: "src/a.ts", edits });
  assertEquals(
    edited.texts[0]?.replace(/[0-9a-f]{64}/, "HASH"),
    "hash: HASH\n--- a.ts\n+++ a.ts\n@@ -1,4 +1,4 @@\n-one\n+1\n two\n three\n four\n",
  );
});

Deno.test("--text=compact on the workspaces surface", async () => {
  using folder = tempFolder();
  await using server = new TestServer([
    `--workspaces-root=${folder.path}`,
    "--transport=stdio",
    "--text=compact",
  ]);
  await server.initialize();
  await ask(server, "workspace_create", { name: "w" });
  const at = { workspaceId: "w" };
  await ask(server, "fs_write_file", { ...at, path: "docs/a.md", content: "a\r\nb\r\n" });
  await ask(server, "fs_write_file", { ...at, path: "b.md", content: "b\n" });
  const texts = async (tool: string, args: Record<string, unknown> = {}) =>
    (await ask(server, tool, { ...at, ...args })).texts;
  assertEquals(await texts("fs_directory_tree"), ["b.md\ndocs/\n a.md"]);
  assertEquals(await texts("fs_list_directory"), ["[FILE] b.md\n[DIR] docs"]);
  assertEquals(await texts("fs_list_directory_with_sizes"), ["b.md 2\ndocs/\n(1 files, 1 folders, 2 bytes)"]);
  assertEquals(await texts("fs_search_files", { pattern: "*.md" }), ["b.md\ndocs/a.md"]);
  assertEquals(await texts("fs_search_files", { pattern: "*.go" }), ["none"]);
  assertEquals(await texts("fs_read_text_file", { path: "docs/a.md", head: 1 }), [
    "a\r\n",
    "line 1 of 2, CRLF",
  ]);
  assertEquals(await texts("fs_read_multiple_files", { paths: ["b.md"] }), ["==> b.md\nb"]);
  const [history = ""] = await texts("fs_get_commit_history", { limit: 1 });
  assert(
    /^[0-9a-f]{12} \S+ .*: mcp\/fs\/write_file: Create b\.md\n\(more: offset=1\)$/.test(history),
    history,
  );
  const [diff = ""] = await texts("fs_diff", { from: "HEAD~1", to: "HEAD" });
  assertMatch(diff, /^commit \w+ with commit \w+:\n+diff --git a\/b\.md b\/b\.md\n[^]*\+b\n$/);
  assertMatch(
    (await texts("fs_diff")).join("\n"),
    /^commit \w+ with the files as they are now:\nno differences$/,
  );
});
