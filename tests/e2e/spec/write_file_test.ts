/** write_file and remove_file, by the numbers of the specification. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { suite } from "./suite.ts";

const e2e = suite();

e2e("E2E-014: write_file replaces what is there in overwrite mode, the default", async (given) => {
  const { at, write, read, ok, text } = given;
  write("existing.txt", "old content that is longer");
  const content = "new content";
  assertEquals(await ok("write_file", at("existing.txt", { content, mode: "overwrite" })), {
    path: "existing.txt",
    size: 11,
    mode: "overwrite",
    created: false,
    file_size: 11,
    hash: await hexOf(content),
  });
  assertEquals(await text("read_file", at("existing.txt")), content);
  assertEquals((await ok("write_file", at("existing.txt", { content: "ä\r\n" }))).size, 4);
  assertEquals(read("existing.txt"), "ä\r\n");
});

e2e("E2E-015: write_file adds to the end in append mode", async ({ at, write, read, ok, text }) => {
  write("log.txt", "line1\n");
  const appended = await ok("write_file", at("log.txt", { content: "line2\n", mode: "append" }));
  assertEquals([appended.size, appended.file_size, appended.created], [6, 12, false]);
  assertEquals(await text("read_file", at("log.txt")), "line1\nline2\n");
  const created = await ok("write_file", at("fresh/log.txt", { content: "line1\n", mode: "append" }));
  assertEquals([created.created, read("fresh/log.txt")], [true, "line1\n"]);
});

e2e("E2E-016: write_file creates a file in create_only mode", async ({ at, ok, text }) => {
  const created = await ok("write_file", at("new.txt", { content: "created", mode: "create_only" }));
  assertEquals([created.created, created.mode], [true, "create_only"]);
  assertEquals(await text("read_file", at("new.txt")), "created");
});

e2e("E2E-017: write_file leaves an existing file alone in create_only mode", async (given) => {
  const { at, write, root, refused, text } = given;
  write("existing.txt", "mine");
  assertEquals(
    await refused("write_file", at("existing.txt", { content: "nope", mode: "create_only" })),
    `file already exists: existing.txt; use overwrite mode to replace (root: ${root})`,
  );
  assertEquals(await text("read_file", at("existing.txt")), "mine");
});

e2e("E2E-018: write_file creates missing folders, in every mode", async (given) => {
  const { at, write, ok, refused, text } = given;
  for (const mode of ["overwrite", "append", "create_only"]) {
    const path = `deep/${mode}/dir/file.txt`;
    await ok("write_file", at(path, { content: "deep", mode }));
    assertEquals(await text("read_file", at(path)), "deep");
  }
  write("plain.txt", "");
  assertStringIncludes(
    await refused("write_file", at("plain.txt/below.txt", { content: "x" })),
    "a part of the path is a file, not a folder",
  );
});

e2e("E2E-019: remove_file removes a file", async ({ at, write, root, ok, refused }) => {
  write("to_delete.txt", "x");
  assertEquals(await ok("remove_file", at("to_delete.txt")), { path: "to_delete.txt", removed: true });
  assertEquals(
    await refused("stat_file", at("to_delete.txt")),
    `file not found: to_delete.txt (root: ${root})`,
  );
});

e2e("E2E-020: remove_file reports a missing file", async ({ at, root, refused }) => {
  assertEquals(await refused("remove_file", at("ghost.txt")), `file not found: ghost.txt (root: ${root})`);
});

e2e("E2E-021: remove_file refuses a folder, and names the tool for it", async (given) => {
  const { at, write, read, refused } = given;
  write("mydir/kept.txt", "kept");
  const message = await refused("remove_file", at("mydir"));
  assertStringIncludes(message, 'path is a directory, not a file: "mydir"');
  assertStringIncludes(message, "remove_folder");
  assertEquals(read("mydir/kept.txt"), "kept");
});

e2e("E2E-074: write_file lists the valid modes when given another", async (given) => {
  const { at, root, server, refused } = given;
  assertEquals(
    await refused("write_file", at("a.txt", { content: "x", mode: "truncate" })),
    `mode must be one of: overwrite, append, create_only; "truncate" was given (root: ${root}, path: "a.txt")`,
  );
  assert(!server.folder.names().includes(`${root}/a.txt`));
});
