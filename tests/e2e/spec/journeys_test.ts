/** Complete tasks of an agent, by the numbers of the specification. */
import { assertEquals } from "@std/assert";
import { HTTP_AND_STDIO, suite } from "./suite.ts";

const e2e = suite({ roots: { source: ["*"], dest: ["*"] } });

e2e("E2E-001: a file is read, patched, read again and hashed", async ({ at, write, ok, text }) => {
  write("hello.txt", "Hello World\n");
  assertEquals(await text("read_file", at("hello.txt")), "Hello World\n");
  assertEquals((await ok("read_file", at("hello.txt"))).size, 12);
  const patch = "--- a/hello.txt\n+++ b/hello.txt\n@@ -1 +1 @@\n-Hello World\n+Hello Agent\n";
  assertEquals((await ok("patch_file", at("hello.txt", { patch }))).hunks_applied, 1);
  assertEquals(await text("read_file", at("hello.txt")), "Hello Agent\n");
  assertEquals(await ok("hash_file", at("hello.txt", { algorithm: "sha256" })), {
    path: "hello.txt",
    algorithm: "sha256",
    hash: "777a72d772bbf2989a81bb2ace58cf36faf9d7e626f9626d9b807b42a6262602",
    size: 12,
  });
}, { over: HTTP_AND_STDIO });

e2e("E2E-002: roots are discovered, and a file is copied from one to the other", async ({ ok, text }) => {
  const { roots } = await ok("list_roots");
  for (const name of ["source", "dest"]) {
    const { undo: _, undo_note: __, ...root } = roots.find((root: { name: string }) => root.name === name);
    assertEquals(Object.keys(root), ["name", "allowed_tools"]);
    assertEquals(root.allowed_tools.length, 18);
  }
  assertEquals(JSON.stringify(roots).includes("/"), false);
  const content = "important data";
  assertEquals((await ok("write_file", { root: "source", path: "data.txt", content })).created, true);
  const copied = await ok("copy", {
    source_root: "source",
    source_path: "data.txt",
    dest_root: "dest",
    dest_path: "data.txt",
  });
  assertEquals([copied.is_directory, copied.size], [false, 14]);
  assertEquals(await text("read_file", { root: "dest", path: "data.txt" }), content);
}, { over: HTTP_AND_STDIO });

e2e("E2E-003: a codebase is searched, and what was found is patched", async ({ at, write, root, ok }) => {
  write("main.go", "package main\n\n// TODO: parse flags\nfunc main() {}\n");
  write("pkg/util/util.go", "package util\n\n// TODO: one\nvar One = 1\n\n// TODO: two\nvar Two = 2\n");
  write("notes.txt", "TODO: not a source file\n");
  const search = { root, pattern: "TODO", glob_filter: "*.go", context_lines: 1 };
  const before = await ok("grep", search);
  assertEquals(
    before.matches.map(({ file, line_number }: Record<string, unknown>) => [file, line_number]),
    [["main.go", 3], ["pkg/util/util.go", 3], ["pkg/util/util.go", 6]],
  );
  assertEquals(before.matches[0], {
    file: "main.go",
    line_number: 3,
    line_content: "// TODO: parse flags",
    context_before: [""],
    context_after: ["func main() {}"],
  });
  const found = await ok("glob", { root, pattern: "**/*.go" });
  assertEquals(found.matches.map(({ path }: { path: string }) => path), ["main.go", "pkg/util/util.go"]);
  const patch =
    "--- a/pkg/util/util.go\n+++ b/pkg/util/util.go\n@@ -2,6 +2,5 @@\n \n-// TODO: one\n var One = 1\n" +
    " \n // TODO: two\n var Two = 2\n";
  assertEquals((await ok("patch_file", at("pkg/util/util.go", { patch }))).hunks_applied, 1);
  assertEquals((await ok("grep", search)).total_matches, before.total_matches - 1);
}, { over: HTTP_AND_STDIO });
