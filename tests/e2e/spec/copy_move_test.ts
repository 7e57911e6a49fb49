/** copy and move, by the numbers of the specification. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HTTP_AND_STDIO, suite } from "./suite.ts";

const e2e = suite({
  roots: {
    source: ["*"],
    dest: ["*"],
    restricted: ["list_folder"],
    readonly: ["list_folder", "read_file"],
  },
});

const fromTo = (source_root: string, source_path: string, dest_root: string, dest_path: string) => ({
  source_root,
  source_path,
  dest_root,
  dest_path,
});

e2e("E2E-041: copy copies a file within a root", async ({ at, write, root, ok, text }) => {
  write("original.txt", "known content\n");
  assertEquals(await ok("copy", fromTo(root, "original.txt", root, "duplicate.txt")), {
    source: { root, path: "original.txt" },
    destination: { root, path: "duplicate.txt" },
    is_directory: false,
    size: 14,
    files: 1,
    skipped: 0,
  });
  for (const path of ["original.txt", "duplicate.txt"]) {
    assertEquals(await text("read_file", at(path)), "known content\n");
  }
});

e2e("E2E-042: copy copies a file to another root, and replaces what is there", async (given) => {
  const { folder } = given.server;
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i);
  folder.write("source/file.txt", bytes);
  for (const there of [undefined, "something else"]) {
    if (there !== undefined) folder.write("dest/data/file.txt", there);
    await given.ok("copy", fromTo("source", "file.txt", "dest", "data/file.txt"));
    for (const path of ["source/file.txt", "dest/data/file.txt"]) {
      assertEquals(Deno.readFileSync(`${folder.path}/${path}`), bytes);
    }
  }
}, { over: HTTP_AND_STDIO });

e2e("E2E-043: copy copies a folder with everything in it", async ({ write, mkdir, read, root, ok }) => {
  write("project/a.txt", "a");
  write("project/src/b.txt", "b");
  write("project/src/deep/c.txt", "c");
  mkdir("project/empty");
  const copied = await ok("copy", fromTo(root, "project", root, "project-backup"));
  assertEquals([copied.is_directory, copied.files, copied.size], [true, 3, 3]);
  const { matches } = await ok("glob", { root, pattern: "project-backup/**/*" });
  assertEquals(matches.map(({ path, type }: Record<string, string>) => [path, type]), [
    ["project-backup/a.txt", "file"],
    ["project-backup/empty", "directory"],
    ["project-backup/src", "directory"],
    ["project-backup/src/b.txt", "file"],
    ["project-backup/src/deep", "directory"],
    ["project-backup/src/deep/c.txt", "file"],
  ]);
  assertEquals([read("project/src/deep/c.txt"), read("project-backup/src/deep/c.txt")], ["c", "c"]);
});

e2e("E2E-044: copy reports a missing source", async ({ root, server, refused }) => {
  assertEquals(
    await refused("copy", fromTo(root, "missing.txt", "dest", "new.txt")),
    `source file not found: missing.txt (source_root: ${root}, dest_root: dest)`,
  );
  assert(!server.folder.names().includes("dest/new.txt"));
});

e2e("E2E-045: move renames a file within a root", async ({ at, write, root, ok, refused, text }) => {
  write("old_name.txt", "content");
  assertEquals(await ok("move", fromTo(root, "old_name.txt", root, "new_name.txt")), {
    source: { root, path: "old_name.txt" },
    destination: { root, path: "new_name.txt" },
  });
  assertStringIncludes(await refused("stat_file", at("old_name.txt")), "file not found: old_name.txt");
  assertEquals(await text("read_file", at("new_name.txt")), "content");
});

e2e("E2E-046: move moves a file to another root", async ({ server: { folder }, ok, text }) => {
  folder.write("source/moved.txt", "moved");
  await ok("move", fromTo("source", "moved.txt", "dest", "in/moved.txt"));
  assertEquals(await text("read_file", { root: "dest", path: "in/moved.txt" }), "moved");
  assert(!folder.names().includes("source/moved.txt"));
});

e2e("E2E-047: move reports a missing source", async ({ root, refused }) => {
  assertEquals(
    await refused("move", fromTo(root, "missing.txt", root, "new.txt")),
    `source file not found: missing.txt (source_root: ${root}, dest_root: ${root})`,
  );
});

e2e("E2E-067: copy is refused when the source's root does not allow it", async (given) => {
  const { folder } = given.server;
  folder.write("restricted/private.txt", "PRIVATE");
  for (const path of ["private.txt", "missing.txt", "../x"]) {
    assertEquals(
      await given.refused("copy", fromTo("restricted", path, "dest", "taken.txt")),
      "tool copy not allowed on root restricted; allowed there: list_folder (source_root: restricted, " +
        `source_path: ${JSON.stringify(path)}, dest_root: dest, dest_path: "taken.txt")`,
    );
  }
  assert(!folder.names().includes("dest/taken.txt"));
  await given.server.logged({ event: "security_denied", level: "warn", root: "restricted" });
});

e2e("E2E-068: copy is refused when the destination's root does not allow it", async (given) => {
  const { folder } = given.server;
  folder.write("source/open.txt", "open");
  assertEquals(
    await given.refused("copy", fromTo("source", "open.txt", "readonly", "open.txt")),
    "tool copy not allowed on root readonly; allowed there: list_folder, read_file (source_root: source, " +
      'source_path: "open.txt", dest_root: readonly, dest_path: "open.txt")',
  );
  assert(!folder.names().includes("readonly/open.txt"));
});
