/** patch_file, create_folder and remove_folder, by the numbers of the specification. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { HTTP_AND_STDIO, suite } from "./suite.ts";

const e2e = suite();

e2e("E2E-022: patch_file applies a unified diff", async ({ at, write, ok, text }) => {
  write("code.go", "package main\n\nfunc add(a, b int) int {\n\treturn a - b\n}\n\nfunc main() {}\n");
  const patch = "--- a/code.go\n+++ b/code.go\n" +
    "@@ -1,5 +1,6 @@\n package main\n \n+// add is a sum.\n func add(a, b int) int {\n" +
    "-\treturn a - b\n+\treturn a + b\n }\n" +
    '@@ -7 +8,3 @@\n-func main() {}\n+func main() {\n+\tprintln("hi")\n+}\n';
  const { diff, ...patched } = await ok("patch_file", at("code.go", { patch }));
  const expected = "package main\n\n// add is a sum.\nfunc add(a, b int) int {\n\treturn a + b\n}\n\n" +
    'func main() {\n\tprintln("hi")\n}\n';
  assertEquals(patched, {
    path: "code.go",
    hunks_applied: 2,
    offsets: [0, 0],
    created: false,
    size: expected.length,
    hash: await hexOf(expected),
  });
  assertEquals(diff.includes("-\treturn a - b\n+\treturn a + b\n"), true, diff);
  assertEquals(await text("read_file", at("code.go")), expected);
});

e2e("E2E-023: patch_file changes nothing when a hunk does not match", async (given) => {
  const { at, write, refused, text } = given;
  const content = "line A\nline B\nline C\n";
  write("code.go", content);
  const misfit = "@@ -1,3 +1,3 @@\n line A\n-line X\n+line Y\n line C\n";
  const message = await refused(
    "patch_file",
    at("code.go", { patch: `--- a/code.go\n+++ b/code.go\n${misfit}` }),
  );
  assertMatch(message, /^patch failed: hunk 1 does not match at line 2; /);
  assertStringIncludes(message, '"line X"');
  assertStringIncludes(message, '"line B"');
  assertEquals(await text("read_file", at("code.go")), content);
  const half = `@@ -1 +1 @@\n-line A\n+line 1\n${
    misfit.replace("-1,3 +1,3", "-2,2 +2,2").replace(" line A\n", "")
  }`;
  assertMatch(await refused("patch_file", at("code.go", { patch: half })), /^patch failed: hunk 2 /);
  assertEquals(await text("read_file", at("code.go")), content, "the first hunk fits, the second does not");
}, { over: HTTP_AND_STDIO });

e2e("E2E-024: patch_file creates a missing file", async ({ at, ok, text }) => {
  const patch = "--- /dev/null\n+++ b/new_file.txt\n@@ -0,0 +1,2 @@\n+first\n+second\n";
  for (const path of ["new_file.txt", "deep/er/new_file.txt"]) {
    const created = await ok("patch_file", at(path, { patch }));
    assertEquals([created.created, created.hunks_applied, created.size], [true, 1, 13]);
    assertEquals(await text("read_file", at(path)), "first\nsecond\n");
  }
});

e2e("E2E-025: create_folder creates a folder with all missing ones above it", async ({ at, ok }) => {
  assertEquals(await ok("create_folder", at("a/b/c")), { path: "a/b/c", created: true, existed: false });
  const { entries } = await ok("list_folder", at("a/b"));
  assertEquals(entries.map(({ name, type }: Record<string, string>) => [name, type]), [["c", "directory"]]);
});

e2e("E2E-026: create_folder accepts an existing folder", async ({ at, write, read, ok }) => {
  write("existing_dir/kept.txt", "kept");
  assertEquals((await ok("create_folder", at("existing_dir"))).existed, true);
  assertEquals(read("existing_dir/kept.txt"), "kept");
});

e2e("E2E-027: create_folder refuses the path of an existing file", async ({ at, write, read, refused }) => {
  write("conflict", "a file");
  assertMatch(await refused("create_folder", at("conflict")), /^path exists and is a file/);
  assertMatch(await refused("create_folder", at("conflict/below")), /is a file/);
  assertEquals(read("conflict"), "a file");
});

e2e("E2E-028: remove_folder removes a folder with everything in it", async (given) => {
  const { at, write, mkdir, root, ok, refused, server } = given;
  write("dir/a.txt", "a");
  write("dir/sub/b.txt", "b");
  mkdir("dir/sub/empty");
  write("kept.txt", "kept");
  assertEquals(await ok("remove_folder", at("dir")), { path: "dir", removed: true, entries_removed: 5 });
  assertEquals(await refused("stat_file", at("dir")), `file not found: dir (root: ${root})`);
  assertEquals(server.folder.names().filter((name) => name.startsWith(`${root}/`)), [
    `${root}/`,
    `${root}/kept.txt`,
  ]);
});

e2e("E2E-029: remove_folder does not remove the root", async ({ at, write, read, root, refused }) => {
  write("sub/kept.txt", "kept");
  for (const path of ["", ".", "/", "sub/..", "./"]) {
    assertEquals(
      await refused("remove_folder", at(path)),
      `cannot remove root directory (root: ${root}, path: ${JSON.stringify(path)})`,
    );
  }
  assertEquals(read("sub/kept.txt"), "kept");
});

e2e("E2E-030: remove_folder reports a missing folder", async ({ at, root, refused }) => {
  assertEquals(
    await refused("remove_folder", at("nonexistent")),
    `directory not found: nonexistent (root: ${root})`,
  );
});

e2e("E2E-031: remove_folder refuses a file, and names the tool for it", async (given) => {
  const { at, write, read, root, refused } = given;
  write("not_a_dir.txt", "kept");
  assertEquals(
    await refused("remove_folder", at("not_a_dir.txt")),
    `path is a file, not a directory: "not_a_dir.txt"; use remove_file (root: ${root})`,
  );
  assert(read("not_a_dir.txt") === "kept");
});
