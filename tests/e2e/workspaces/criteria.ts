/** The acceptance criteria of the workspaces surface, in their own words, for any transport. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Caller, failureOf, git, newWorkspace, subjects, valueOf } from "./support.ts";

export interface Place {
  client: Caller;
  /** The workspaces root. */
  root: string;
}

const HASH = /^[0-9a-f]{40}$/;
export const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const MP3 = new Uint8Array([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0, 0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0]);

type Criterion = [words: string, check: (place: Place) => Promise<void>];

export const CRITERIA: readonly Criterion[] = [
  [
    "workspace creation: a name becomes a slug, a folder and a git repository; again, a unique variant",
    async (
      { client, root },
    ) => {
      const name = "My First Workspace";
      const first = await valueOf(client, "workspace_create", { name });
      assertEquals(first, { workspaceId: "my-first-workspace", path: `${root}/my-first-workspace` });
      assertEquals(await git(first.path, "rev-parse", "--show-toplevel"), `${first.path}\n`);
      assertEquals(await git(first.path, "status", "--porcelain"), "");
      const second = await valueOf(client, "workspace/create", { name });
      assertEquals(second.workspaceId, "my-first-workspace-2");
      assertEquals((await failureOf(client, "workspace_create", { name: "!?" })).code, "INVALID_INPUT");
      const { workspaces } = await valueOf(client, "workspace_list", {});
      const ids = workspaces.map((workspace: { workspaceId: string }) => workspace.workspaceId);
      assert(ids.includes("my-first-workspace") && ids.includes("my-first-workspace-2"));
    },
  ],
  ["write_file creates or overwrites a file and creates a commit with a descriptive message", async (
    { client },
  ) => {
    const { workspaceId, path } = await newWorkspace(client, "write");
    const target = { workspaceId, path: "users/data.txt" };
    const created = await valueOf(client, "fs_write_file", { ...target, content: "é\n" });
    assertMatch(created.commit, HASH);
    const { commit: _, hash, ...rest } = created;
    assertEquals(rest, { path: "users/data.txt", bytesWritten: 3, overwritten: false });
    const updated = await valueOf(client, "fs/write_file", { ...target, content: "b", expected_hash: hash });
    assertEquals(updated.overwritten, true);
    assertEquals((await subjects(path)).slice(0, 2), [
      "mcp/fs/write_file: Update users/data.txt",
      "mcp/fs/write_file: Create users/data.txt",
    ]);
    assertEquals(await git(path, "rev-parse", "HEAD"), `${updated.commit}\n`);
    assertEquals(await git(path, "show", "HEAD:users/data.txt"), "b");
    const stale = await failureOf(client, "fs_write_file", { ...target, content: "c", expected_hash: hash });
    assertEquals(stale.code, "CONFLICT");
    const message = await git(path, "log", "-1", "--format=%B");
    assertMatch(message, /^Paddock-Tool: .*write_file$/m);
    assertMatch(message, /^Paddock-Client: test$/m);
  }],
  ["edit_file with dryRun: false applies changes, creates a commit and returns stats", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "edit");
    const target = { workspaceId, path: "a.ts" };
    await valueOf(client, "fs_write_file", { ...target, content: "let a = 1;\nlet b = 2;\n" });
    const edits = [{ oldText: "let a", newText: "const a" }, { oldText: "b = 2", newText: "b = 3" }];
    const { commit, hash: _, ...edited } = await valueOf(client, "fs_edit_file", { ...target, edits });
    assertEquals(edited, { dryRun: false, path: "a.ts", changes: 2, bytesWritten: 24 });
    assertEquals(await git(path, "show", `${commit}:a.ts`), "const a = 1;\nlet b = 3;\n");
    assertEquals((await subjects(path))[0], "mcp/fs/edit_file: Edit a.ts");
    const lost = await failureOf(client, "fs_edit_file", { ...target, edits });
    assertEquals(lost.code, "INVALID_INPUT");
    assertMatch(
      lost.message,
      /^edits\[0\]\.oldText is not in .*\. The nearest match is line 2 \(different words\):/,
    );
  }],
  ["edit_file with dryRun: true produces a diff, which git apply accepts, and changes nothing", async (
    { client },
  ) => {
    const { workspaceId, path } = await newWorkspace(client, "dry run");
    const target = { workspaceId, path: "with space.txt" };
    const { commit } = await valueOf(client, "fs_write_file", { ...target, content: "one\r\ntwo\r\nthree" });
    const edits = [{ oldText: "two", newText: "2\n2a" }];
    const dry = await valueOf(client, "fs_edit_file", { ...target, edits, dryRun: true });
    assertEquals([dry.dryRun, dry.matches, Object.keys(dry).length], [true, 1, 3]);
    assertEquals(await git(path, "rev-parse", "HEAD"), `${commit}\n`);
    const patch = await Deno.makeTempFile();
    await Deno.writeTextFile(patch, dry.diff);
    await git(path, "apply", patch);
    await Deno.remove(patch);
    assertEquals(await Deno.readTextFile(`${path}/with space.txt`), "one\r\n2\r\n2a\r\nthree");
    await git(path, "checkout", "--", ".");
  }],
  ["move_file moves a file and creates a commit; fails if the destination exists", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "move");
    await valueOf(client, "fs_write_file", { workspaceId, path: "a.txt", content: "a\n" });
    const there = { workspaceId, source: "a.txt", destination: "sub/b.txt" };
    const { commit, ...moved } = await valueOf(client, "fs_move_file", there);
    assertEquals(moved, { source: "a.txt", destination: "sub/b.txt" });
    assertMatch(commit, HASH);
    assertEquals((await subjects(path))[0], "mcp/fs/move_file: Move a.txt to sub/b.txt");
    assertEquals((await failureOf(client, "fs_move_file", there)).code, "NOT_FOUND");
    await valueOf(client, "fs_write_file", { workspaceId, path: "a.txt", content: "a\n" });
    assertEquals((await failureOf(client, "fs_move_file", there)).code, "ALREADY_EXISTS");
    const inside = { workspaceId, source: "sub", destination: "sub/x/y" };
    assertEquals((await failureOf(client, "fs_move_file", inside)).code, "INVALID_INPUT");
  }],
  ["create_directory creates a directory and a commit, and is idempotent", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "folders");
    const target = { workspaceId, path: "docs/images" };
    const created = await valueOf(client, "fs_create_directory", target);
    assertEquals([created.path, created.created], ["docs/images", true]);
    assertEquals(await git(path, "ls-files"), "docs/images/.gitkeep\n");
    assertEquals((await subjects(path))[0], "mcp/fs/create_directory: Create directory docs/images");
    assertEquals(await valueOf(client, "fs_create_directory", target), { ...created, created: false });
    await valueOf(client, "fs_write_file", { workspaceId, path: "file", content: "" });
    const taken = await failureOf(client, "fs_create_directory", { workspaceId, path: "file" });
    assertEquals(taken.code, "ALREADY_EXISTS");
  }],
  ["get_commit_history returns the commits of the workspace or of a file, as git log does", async (
    { client },
  ) => {
    const { workspaceId, path } = await newWorkspace(client, "history");
    for (const content of ["1", "2", "3"]) {
      await valueOf(client, "fs_write_file", { workspaceId, path: "a.txt", content });
      await valueOf(client, "fs_write_file", { workspaceId, path: "other.txt", content });
    }
    await valueOf(client, "fs_move_file", { workspaceId, source: "a.txt", destination: "b.txt" });
    const format = "--format=%H|%an <%ae>|%aI";
    const lines = (text: string) => text.split("\n").filter((line) => line !== "");
    const shown = (log: { commit: string; author: string; date: string }[]) =>
      log.map(({ commit, author, date }) => `${commit}|${author}|${date.replace(/(\.000)?Z$/, "+00:00")}`);
    const all = await valueOf(client, "fs_get_commit_history", { workspaceId });
    assertEquals(shown(all.log), lines(await git(path, "log", format)));
    const one = await valueOf(client, "fs_get_commit_history", { workspaceId, path: "b.txt" });
    assertEquals(shown(one.log), lines(await git(path, "log", "--follow", format, "--", "b.txt")));
    assertEquals(one.log.length, 4);
    const page = await valueOf(client, "fs_get_commit_history", { workspaceId, limit: 2, offset: 1 });
    assertEquals(page, { log: all.log.slice(1, 3), truncated: true, nextOffset: 3 });
  }],
  ["read_text_file returns full contents, or head, or tail; both yield INVALID_INPUT", async ({ client }) => {
    const { workspaceId } = await newWorkspace(client, "read");
    const content = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join("");
    const target = { workspaceId, path: "ten.txt" };
    const { hash } = await valueOf(client, "fs_write_file", { ...target, content });
    assertEquals(await valueOf(client, "fs_read_text_file", target), { content, totalLines: 10, hash });
    assertEquals((await client.call("fs_read_text_file", target)).text, content);
    assertEquals(await valueOf(client, "fs/read_text_file", { ...target, head: 5 }), {
      content: content.slice(0, content.indexOf("line 6")),
      head: 5,
      totalLines: 10,
    });
    const { content: tail } = await valueOf(client, "fs_read_text_file", { ...target, tail: 2 });
    assertEquals(tail, "line 9\nline 10\n");
    const both = await failureOf(client, "fs_read_text_file", { ...target, head: 1, tail: 1 });
    assertEquals(both.code, "INVALID_INPUT");
  }],
  ["read_media_file returns base64 and correct MIME for a PNG or MP3", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "media");
    await Deno.writeFile(`${path}/picture.txt`, PNG);
    await Deno.writeFile(`${path}/sound`, MP3);
    const media = (path: string) => valueOf(client, "fs_read_media_file", { workspaceId, path });
    assertEquals(await media("picture.txt"), {
      mimeType: "image/png",
      base64: PNG.toBase64(),
      size: PNG.length,
    });
    assertEquals(await media("sound"), { mimeType: "audio/mpeg", base64: MP3.toBase64(), size: MP3.length });
  }],
  ["read_multiple_files returns mixed success without failing overall if one path is missing", async (
    { client },
  ) => {
    const { workspaceId } = await newWorkspace(client, "several");
    const names = Array.from({ length: 20 }, (_, i) => `f${i}.txt`);
    for (const path of names) await valueOf(client, "fs_write_file", { workspaceId, path, content: path });
    const paths = [...names, "none.txt", "../x"];
    const { results } = await valueOf(client, "fs_read_multiple_files", { workspaceId, paths });
    assertEquals(results.map((result: { path: string }) => result.path), paths);
    assertEquals(results.slice(0, 20).map((result: { content: string }) => result.content), names);
    assertEquals(results.slice(20).map((result: { ok: boolean }) => result.ok), [false, false]);
    assertMatch(results[20].error, /^NOT_FOUND: file not found: none\.txt/);
    assertMatch(results[21].error, /^OUT_OF_BOUNDS: /);
  }],
  ["list_directory shows [FILE] and [DIR] prefixes, and no .git", async ({ client }) => {
    const { workspaceId } = await newWorkspace(client, "listing");
    await valueOf(client, "fs_write_file", { workspaceId, path: "b.txt", content: "" });
    await valueOf(client, "fs_create_directory", { workspaceId, path: "a" });
    const listed = await valueOf(client, "fs_list_directory", { workspaceId, path: "." });
    assertEquals(listed, { entries: ["[DIR] a", "[FILE] b.txt"], count: 2, truncated: false });
    const page = await valueOf(client, "fs_list_directory", { workspaceId, limit: 1 });
    assertEquals(page, { entries: ["[DIR] a"], count: 2, truncated: true, nextOffset: 1 });
  }],
  ["list_directory_with_sizes returns entries with sizes and totals, by name or by size", async (
    { client },
  ) => {
    const { workspaceId } = await newWorkspace(client, "sizes");
    for (const [path, size] of [["a.txt", 1], ["b.txt", 3], ["c.txt", 2]] as const) {
      await valueOf(client, "fs_write_file", { workspaceId, path, content: "x".repeat(size) });
    }
    await valueOf(client, "fs_create_directory", { workspaceId, path: "d" });
    const names = async (sortBy?: string) => {
      const listed = await valueOf(client, "fs_list_directory_with_sizes", {
        workspaceId,
        path: ".",
        ...(sortBy === undefined ? {} : { sortBy }),
      });
      assertEquals(listed.totals, { files: 3, directories: 1, combinedSize: 6 });
      return listed.entries.map(({ name, type, size }: Record<string, unknown>) => [name, type, size]);
    };
    const [a, b, c, d] = [
      ["a.txt", "file", 1],
      ["b.txt", "file", 3],
      ["c.txt", "file", 2],
      ["d", "directory", 0],
    ];
    assertEquals(await names(), [a, b, c, d]);
    assertEquals(await names("size"), [b, c, a, d]);
  }],
  ["search_files returns matches consistent with provided glob and excludes", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "search");
    for (const file of ["a.ts", "src/b.ts", "src/deep/c.ts", "src/d.md", "node_modules/x/e.ts"]) {
      await Deno.mkdir(`${path}/${file}`.slice(0, `${path}/${file}`.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(`${path}/${file}`, "");
    }
    const search = async (args: Record<string, unknown>) =>
      (await valueOf(client, "fs_search_files", { workspaceId, ...args })).matches;
    const excludePatterns = ["node_modules"];
    assertEquals(await search({ pattern: "*.ts", excludePatterns }), ["a.ts", "src/b.ts", "src/deep/c.ts"]);
    assertEquals(await search({ pattern: "src/*.ts" }), ["src/b.ts"]);
    assertEquals(await search({ pattern: "**/*.ts", path: "src", excludePatterns: ["deep/**"] }), [
      "src/b.ts",
    ]);
    assertEquals(await search({ pattern: "*", excludePatterns: ["node_modules", "*.ts", "deep"] }), [
      "src",
      "src/d.md",
    ]);
    const page = await valueOf(client, "fs_search_files", { workspaceId, pattern: "*.ts", limit: 2 });
    assertEquals([page.matches, page.truncated, page.nextOffset], [
      ["a.ts", "node_modules/x/e.ts"],
      true,
      2,
    ]);
    assertEquals(await search({ pattern: "*.ts", offset: 2 }), ["src/b.ts", "src/deep/c.ts"]);
  }],
  ["directory_tree returns structure with 2-space indentation and correct children semantics", async (
    { client },
  ) => {
    const { workspaceId, path } = await newWorkspace(client, "tree");
    await valueOf(client, "fs_write_file", { workspaceId, path: "src/a.ts", content: "" });
    await valueOf(client, "fs_write_file", { workspaceId, path: "src/skip/b.ts", content: "" });
    await Deno.mkdir(`${path}/empty`);
    const args = { workspaceId, path: ".", excludePatterns: ["skip"] };
    const { text, value } = await client.call("fs_directory_tree", args);
    const tree = [
      { name: "empty", type: "directory", children: [] },
      { name: "src", type: "directory", children: [{ name: "a.ts", type: "file" }] },
    ];
    assertEquals(value, { tree, entries: 3, truncated: false });
    assertEquals(text, JSON.stringify(value, null, 2));
    const cut = await valueOf(client, "fs_directory_tree", { workspaceId, limit: 3 });
    assertEquals(cut.truncated, true);
    assertEquals(cut.tree[1], { ...tree[1], truncated: true });
  }],
  ["get_file_info includes type, permissions and the available times", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "info");
    await valueOf(client, "fs_write_file", { workspaceId, path: "a.txt", content: "abc" });
    await Deno.chmod(`${path}/a.txt`, 0o640);
    const info = await valueOf(client, "fs_get_file_info", { workspaceId, path: "a.txt" });
    assertEquals([info.type, info.size, info.permissions, info.mode], ["file", 3, "-rw-r-----", "0640"]);
    for (const time of [info.mtime, info.ctime ?? info.mtime, info.atime ?? info.mtime]) {
      assert(Math.abs(Date.parse(time) - Date.now()) < 600_000, time);
    }
    const folder = await valueOf(client, "fs_get_file_info", { workspaceId, path: "." });
    assertEquals([folder.type, folder.permissions[0]], ["directory", "d"]);
  }],
  ["show_commit, diff and restore look back and undo, as new commits", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "undo");
    const target = { workspaceId, path: "a.txt" };
    const first = await valueOf(client, "fs_write_file", { ...target, content: "one\n" });
    await valueOf(client, "fs_write_file", { ...target, content: "two\n" });
    const shown = await valueOf(client, "fs_show_commit", { workspaceId, commit: "HEAD" });
    assertEquals(shown.files, [{ path: "a.txt", status: "modified" }]);
    assertMatch(shown.diff, /^-one\n\+two\n/m);
    const diff = await valueOf(client, "fs_diff", { workspaceId, from: first.commit, to: "HEAD" });
    assertEquals([diff.count, diff.diff], [1, shown.diff]);
    const query = { workspaceId, commit: first.commit, path: "a.txt" };
    const dry = await valueOf(client, "fs_restore", { ...query, dryRun: true });
    const { diff: preview, ...told } = dry;
    assertEquals(told, {
      dryRun: true,
      files: [{ path: "a.txt", status: "modified" }],
      count: 1,
      truncated: false,
    });
    assertMatch(preview, /^diff --git a\/a\.txt b\/a\.txt\n[^]*\n\+one\n$/);
    const restored = await valueOf(client, "fs_restore", query);
    assertEquals(await Deno.readTextFile(`${path}/a.txt`), "one\n");
    assertEquals(await git(path, "rev-parse", "HEAD"), `${restored.commit}\n`);
    assertMatch((await subjects(path))[0] ?? "", /^mcp\/fs\/restore: Restore /);
    const none = await failureOf(client, "fs_show_commit", { workspaceId, commit: "abcdef0123" });
    assertEquals(none.code, "NOT_FOUND");
  }],
  [
    "restore restores a private file as private as it was, and leaves and names what a person had before",
    async (
      { client },
    ) => {
      const { workspaceId, path } = await newWorkspace(client, "private");
      const first = await valueOf(client, "fs_write_file", { workspaceId, path: "a.txt", content: "one\n" });
      await Deno.writeTextFile(`${path}/notes`, "by hand\n");
      await valueOf(client, "fs_write_file", { workspaceId, path: ".env", content: "KEY=1\n" });
      if (Deno.build.os !== "windows") await Deno.chmod(`${path}/.env`, 0o600);
      const last = await valueOf(client, "fs_write_file", {
        workspaceId,
        path: "notes",
        content: "by a tool\n",
      });
      const gone = await valueOf(client, "fs_restore", { workspaceId, commit: first.commit });
      assertEquals(gone.files, [{ path: ".env", status: "deleted" }]);
      assertEquals(gone.skipped.map(({ path }: { path: string }) => path), ["notes"]);
      assertStringIncludes(gone.skipped[0].reason, last.kept);
      assertEquals(await Deno.readTextFile(`${path}/notes`), "by a tool\n");
      await valueOf(client, "fs_restore", { workspaceId, commit: last.commit });
      const { mode, size } = await valueOf(client, "fs_get_file_info", { workspaceId, path: ".env" });
      assertEquals([Deno.build.os === "windows" ? "0600" : mode, size], ["0600", 6]);
    },
  ],
  ["what somebody changed outside is committed before a tool changes it", async ({ client }) => {
    const { workspaceId, path } = await newWorkspace(client, "outside");
    const target = { workspaceId, path: "a.txt" };
    await valueOf(client, "fs_write_file", { ...target, content: "one\n" });
    await Deno.writeTextFile(`${path}/a.txt`, "by hand\n");
    const { kept, commit } = await valueOf(client, "fs_write_file", { ...target, content: "two\n" });
    assertEquals(await git(path, "show", `${kept}:a.txt`), "by hand\n");
    assertEquals(await git(path, "show", `${commit}:a.txt`), "two\n");
    assertMatch((await subjects(path))[1] ?? "", /^mcp\/fs\/write_file: Keep changes made outside paddock/);
    assertEquals(await git(path, "log", "-2", "--format=%an"), "paddock\noutside paddock\n");
  }],
  ["attempts to access ../../ escape the workspace are rejected with OUT_OF_BOUNDS", async (
    { client, root },
  ) => {
    const { workspaceId } = await newWorkspace(client, "escape");
    const other = await newWorkspace(client, "other");
    await valueOf(client, "fs_write_file", {
      workspaceId: other.workspaceId,
      path: "secret",
      content: "TOPSECRET",
    });
    const outside = ["../../etc/passwd", "../other/secret", "a/../../other/secret", "/etc/passwd", root];
    for (const path of outside) {
      const { code, message } = await failureOf(client, "fs_read_text_file", { workspaceId, path });
      assertEquals(code, "OUT_OF_BOUNDS", path);
      assertMatch(message, /^path resolves outside root boundary: /);
    }
    const parent = await failureOf(client, "fs_list_directory", { workspaceId: ".." });
    assertEquals(parent.code, "OUT_OF_BOUNDS");
  }],
  ["a symlink that points outside the workspace is rejected", async ({ client, root }) => {
    const { workspaceId, path } = await newWorkspace(client, "link");
    await Deno.writeTextFile(`${root}/secret.txt`, "TOPSECRET");
    await Deno.symlink("../secret.txt", `${path}/link`);
    await Deno.symlink(root, `${root}/linked-workspace`);
    const target = { workspaceId, path: "link" };
    for (
      const [tool, args] of [
        ["fs_read_text_file", target],
        ["fs_read_media_file", target],
        ["fs_get_file_info", target],
        ["fs_write_file", { ...target, content: "x" }],
        ["fs_move_file", { workspaceId, source: "link", destination: "moved" }],
        ["fs_list_directory", { workspaceId: "linked-workspace" }],
      ] as const
    ) {
      assertEquals((await failureOf(client, tool, args)).code, "OUT_OF_BOUNDS", tool);
    }
    assertEquals(await Deno.readTextFile(`${root}/secret.txt`), "TOPSECRET");
  }],
  ["errors include code and message, and say what to do", async ({ client }) => {
    const { workspaceId } = await newWorkspace(client, "errors");
    const missing = await failureOf(client, "fs_read_text_file", { workspaceId, path: "no.txt" });
    assertEquals(missing, { code: "NOT_FOUND", message: "file not found: no.txt" });
    const unknown = await failureOf(client, "fs_list_directory", { workspaceId: "nope" });
    assertEquals(unknown.code, "NOT_FOUND");
    assertMatch(unknown.message, /^workspace not found: "nope"; workspace_list lists/);
    const invalid = await failureOf(client, "fs_list_directory", { workspaceId, path: 5, x: 1 });
    assertEquals([invalid.code, (invalid.details?.mistakes as string[]).length], ["INVALID_INPUT", 2]);
  }],
];
