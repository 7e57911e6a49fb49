/** What the tools of the surface do to files and history, with git as the judge. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { git } from "../../e2e/workspaces/support.ts";
import { withGit } from "../../support/needs.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { type Calling, workspacesSurface } from "./setup.ts";

interface Ground extends Calling {
  folder: TempFolder;
  path: string;
  workspaceId: string;
  /** Writes files, one call each. */
  files(contents: Record<string, string>): Promise<void>;
  /** Nothing modified, nothing damaged. */
  judge(): Promise<void>;
}

async function ground(test: (given: Ground) => Promise<void>): Promise<void> {
  using folder = tempFolder();
  const calling = workspacesSurface(folder.path);
  const { workspaceId, path } = await calling.value("workspace_create", { name: "w" });
  await test({
    ...calling,
    folder,
    path,
    workspaceId,
    files: async (contents) => {
      for (const [name, content] of Object.entries(contents)) {
        await calling.value("fs_write_file", { workspaceId, path: name, content });
      }
    },
    judge: async () => {
      assertEquals(await git(path, "status", "--porcelain"), "");
      await git(path, "fsck", "--strict");
    },
  });
}

Deno.test(
  withGit("fs_delete_file deletes a file, and a folder only if recursive is set"),
  () =>
    ground(async ({ value, failure, files, workspaceId, path, judge }) => {
      await files({ "a.txt": "1\n", "d/b.txt": "2\n", "d/e/c.txt": "3\n" });
      const gone = await value("fs_delete_file", { workspaceId, path: "a.txt" });
      assertEquals(
        await git(path, "log", "-1", "--format=%H %s"),
        `${gone.commit} mcp/fs/delete_file: Delete a.txt\n`,
      );
      const refused = await failure("fs_delete_file", { workspaceId, path: "d" });
      assertEquals(refused, {
        code: "INVALID_INPUT",
        message: '"d" is a folder; add recursive: true to delete it with everything in it',
      });
      Deno.writeTextFileSync(`${path}/d/untracked`, "mine\n");
      const { kept } = await value("fs_delete_file", { workspaceId, path: "d", recursive: true });
      assertEquals(await git(path, "show", `${kept}:d/untracked`), "mine\n");
      assertEquals(await git(path, "ls-files"), "");
      for (
        const [given, code] of [["nope", "NOT_FOUND"], [".", "INVALID_INPUT"], [".git/HEAD", "OUT_OF_BOUNDS"]]
      ) {
        assertEquals(
          (await failure("fs_delete_file", { workspaceId, path: given, recursive: true })).code,
          code,
        );
      }
      await judge();
    }),
);

Deno.test(
  withGit("fs_delete_file with expected_hash deletes only that content, and a link itself"),
  () =>
    ground(async ({ value, failure, files, workspaceId, path }) => {
      await files({ "a.txt": "1\n", "b.txt": "2\n" });
      const { hash } = await value("fs_hash_file", { workspaceId, path: "a.txt" });
      const other = { workspaceId, path: "b.txt", expected_hash: hash };
      assertEquals((await failure("fs_delete_file", other)).code, "CONFLICT");
      await value("fs_delete_file", { ...other, path: "a.txt" });
      Deno.symlinkSync("b.txt", `${path}/link`);
      await value("fs_delete_file", { workspaceId, path: "link" });
      assertEquals([...Deno.readDirSync(path)].map(({ name }) => name).sort(), [".git", "b.txt"]);
    }),
);

Deno.test(
  withGit("fs_copy_file copies files and folders with their modes, never over anything"),
  () =>
    ground(async ({ value, failure, files, workspaceId, path, judge }) => {
      await files({ "d/run.sh": "#!/bin/sh\n", "d/e/b": "b\n" });
      Deno.chmodSync(`${path}/d/run.sh`, 0o755);
      Deno.chmodSync(`${path}/d/e/b`, 0o600);
      Deno.mkdirSync(`${path}/d/empty`);
      Deno.symlinkSync("/etc/passwd", `${path}/d/out`);
      const copied = await value("fs_copy_file", { workspaceId, source: "d", destination: "x/y" });
      assertEquals([copied.files, copied.skipped], [2, 1]);
      assertEquals(
        await git(path, "ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD", "x"),
        "100644 x/y/e/b\n100644 x/y/empty/.gitkeep\n100755 x/y/run.sh\n",
      );
      assertEquals((Deno.statSync(`${path}/x/y/e/b`).mode ?? 0) & 0o777, 0o600);
      assertEquals(
        (await failure("fs_copy_file", { workspaceId, source: "d", destination: "x" })).code,
        "ALREADY_EXISTS",
      );
      assertEquals(
        (await failure("fs_copy_file", { workspaceId, source: "d", destination: "d/e/d" })).code,
        "INVALID_INPUT",
      );
      assertEquals(
        (await failure("fs_copy_file", { workspaceId, source: "no", destination: "z" })).code,
        "NOT_FOUND",
      );
      assertEquals(
        (await failure("fs_copy_file", { workspaceId, source: "d", destination: ".GIT" })).code,
        "OUT_OF_BOUNDS",
      );
      await git(path, "add", "-A");
      await git(path, "commit", "-qm", "modes and a link");
      await judge();
    }),
);

Deno.test(
  withGit("fs_patch_file applies a diff as one commit, creates, and shows the nearest lines"),
  () =>
    ground(async ({ value, failure, files, workspaceId, path, judge }) => {
      await files({ "a.txt": "one\r\ntwo\r\nthree\r\n" });
      const patched = await value("fs_patch_file", {
        workspaceId,
        path: "a.txt",
        patch: "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      });
      assertEquals([Deno.readTextFileSync(`${path}/a.txt`), patched.offsets], ["one\r\n2\r\nthree\r\n", [0]]);
      assertMatch(patched.diff, /^--- a\.txt/);
      const created = await value("fs_patch_file", {
        workspaceId,
        path: "n/b",
        patch: "@@ -0,0 +1 @@\n+new\n",
      });
      assertEquals([created.created, Deno.readTextFileSync(`${path}/n/b`)], [true, "new\n"]);
      const conflict = await failure("fs_patch_file", {
        workspaceId,
        path: "a.txt",
        patch: "@@ -1,2 +1,2 @@\n one\n-tw0\n+zwei\n",
      });
      assertEquals(conflict.code, "CONFLICT");
      const missing = { workspaceId, path: "no", patch: "@@ -1 +1 @@\n-a\n+b\n" };
      assertEquals((await failure("fs_patch_file", missing)).code, "NOT_FOUND");
      const removal = { workspaceId, path: "n/b", patch: "--- a/n/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n" };
      assertMatch((await failure("fs_patch_file", removal)).message, /use fs_delete_file/);
      await judge();
    }),
);

Deno.test(
  withGit("fs_grep searches a workspace, and never its .git"),
  () =>
    ground(async ({ value, registry, files, workspaceId }) => {
      await files({ "a.ts": "const x = 1;\n// TODO x\n", "b.md": "TODO y\n" });
      const { matches, total_matches } = await value("fs_grep", { workspaceId, pattern: "TODO" });
      assertEquals(matches.map((m: { file: string; line_number: number }) => [m.file, m.line_number]), [
        ["a.ts", 2],
        ["b.md", 1],
      ]);
      assertEquals(total_matches, 2);
      const inGit = await value("fs_grep", { workspaceId, pattern: "repositoryformatversion|mcp/fs" });
      assertEquals(inGit.total_matches, 0);
      const args = { workspaceId, pattern: "todo", globFilter: "*.md", caseInsensitive: "true" };
      assertEquals((await value("fs_grep", args)).total_matches, 1);
      const tool = registry.list().find(({ name }) => name === "fs_grep");
      assert(tool !== undefined);
    }),
);

Deno.test("fs_read_text_file reads lines from an offset, says where to continue, and accepts both spellings", () =>
  ground(async ({ value, call, failure, files, workspaceId }) => {
    await files({ "a.txt": Array.from({ length: 812 }, (_, i) => `line ${i + 1}\n`).join("") });
    const read = await value("fs_read_text_file", {
      workspaceId,
      path: "a.txt",
      offset_lines: 21,
      limit_lines: 2,
    });
    assertEquals(read, {
      content: "line 21\nline 22\n",
      startLine: 21,
      endLine: 22,
      totalLines: 812,
      size: 7_200,
      nextOffsetLines: 23,
    });
    const { content } = await call("fs_read_text_file", { workspaceId, path: "a.txt", limitLines: "20" });
    assertEquals(content.at(1), { type: "text", text: "lines 1-20 of 812; continue with offsetLines=21" });
    const last = await value("fs_read_text_file", { workspaceId, path: "a.txt", offsetLines: 812 });
    assertEquals([last.content, last.nextOffsetLines], ["line 812\n", undefined]);
    const beyond = await call("fs_read_text_file", { workspaceId, path: "a.txt", offsetLines: 813 });
    assertEquals(beyond.content[0].text, "(no lines here: the file has 812)");
    const both = { workspaceId, path: "a.txt", head: 1, offsetLines: 1 };
    assertEquals((await failure("fs_read_text_file", both)).code, "INVALID_INPUT");
  }));

Deno.test("fs_edit_file replaces all places, or the one nearest to a line", () =>
  ground(async ({ value, failure, files, workspaceId, folder }) => {
    await files({ "a.txt": "x = 1\ny\nx = 1\nz\nx = 1\n" });
    const edit = (given: Record<string, unknown>) => ({
      workspaceId,
      path: "a.txt",
      edits: [{ oldText: "x = 1", newText: "x = 2", ...given }],
    });
    assertMatch(
      (await failure("fs_edit_file", edit({}))).message,
      /occurs 3 times in "a\.txt"/,
    );
    await value("fs_edit_file", edit({ nearLine: 4 - 1 }));
    assertEquals(folder.read("w/a.txt"), "x = 1\ny\nx = 2\nz\nx = 1\n");
    await value("fs_edit_file", edit({ replace_all: true }));
    assertEquals(folder.read("w/a.txt"), "x = 2\ny\nx = 2\nz\nx = 2\n");
  }));

Deno.test("fs_directory_tree returns sizes on request, and fs_diff what it compares", () =>
  ground(async ({ value, files, workspaceId, folder }) => {
    await files({ "d/a.txt": "12345" });
    const tree = await value("fs_directory_tree", { workspaceId, sizes: true });
    assertEquals(tree.tree, [{
      name: "d",
      type: "directory",
      children: [{ name: "a.txt", type: "file", size: 5 }],
    }]);
    const { commit } = await value("fs_write_file", { workspaceId, path: "b", content: "" });
    folder.write("w/b", "changed\n");
    const now = await value("fs_diff", { workspaceId });
    assertEquals([now.compares, now.count], [
      `commit ${commit.slice(0, 12)} with the files as they are now`,
      1,
    ]);
    const { compares } = await value("fs_diff", { workspaceId, from: "HEAD~1", to: "HEAD", path: "b" });
    assertMatch(compares, new RegExp(`^commit [0-9a-f]{12} with commit ${commit.slice(0, 12)} in "b"$`));
  }));

Deno.test("an error is text for a model with --text=compact, and JSON otherwise", async () => {
  using folder = tempFolder();
  const { value, call } = workspacesSurface(folder.path, { text: "compact" });
  const { workspaceId } = await value("workspace_create", { name: "w" });
  const { content, isError } = await call("fs_read_text_file", { workspaceId, path: "no" });
  assertEquals([isError, content[0].text], [true, "NOT_FOUND: file not found: no"]);
});
