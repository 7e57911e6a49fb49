/** list_folder and list_roots, by the numbers of the specification. */
import { assertEquals } from "@std/assert";
import { suite } from "./suite.ts";

const LISTED = ["list_folder", "read_file", "stat_file"];

const e2e = suite({ roots: { workspace: ["*"], config: LISTED, logs: ["read_file"] } });

interface Root {
  name: string;
  allowed_tools: string[];
}

const TOOLS = [
  "copy",
  "create_folder",
  "edit_file",
  "glob",
  "grep",
  "hash_file",
  "list_folder",
  "move",
  "multi_edit_text_file",
  "patch_file",
  "permissions_file",
  "read_file",
  "read_files",
  "read_media_file",
  "remove_file",
  "remove_folder",
  "stat_file",
  "write_file",
];

e2e("E2E-004: list_folder returns what is directly inside, sorted", async ({ at, write, ok }) => {
  write("sub/deep.txt", "x");
  write("b.txt", "");
  write("a.txt", "aa");
  for (const path of [".", "", "/", "./", "sub/..", "no/such/../.."]) {
    const { entries, count } = await ok("list_folder", at(path));
    assertEquals(count, 3);
    assertEquals(entries.map(({ name, type }: Record<string, string>) => [name, type]), [
      ["a.txt", "file"],
      ["b.txt", "file"],
      ["sub", "directory"],
    ]);
    for (const entry of entries) {
      assertEquals(Object.keys(entry), ["name", "type", "size", "modified_at"]);
      assertEquals(entry.modified_at, new Date(entry.modified_at).toISOString());
    }
    assertEquals(entries[0].size, 2);
  }
  write("Z.txt", "");
  const { entries: [first] } = await ok("list_folder", at("."));
  assertEquals(first.name, "Z.txt", "by code point, whatever the locale");
});

e2e("E2E-005: list_folder returns no entries for an empty folder", async ({ at, mkdir, ok }) => {
  mkdir("empty");
  assertEquals(await ok("list_folder", at("empty")), { entries: [], count: 0 });
});

e2e("E2E-006: list_folder says that a file is not a directory", async ({ at, write, root, refused }) => {
  write("data.txt", "");
  assertEquals(
    await refused("list_folder", at("data.txt")),
    `path is not a directory: "data.txt" (root: ${root})`,
  );
  assertEquals(
    await refused("list_folder", at("missing")),
    `directory not found: missing (root: ${root})`,
  );
});

e2e("E2E-077: list_folder returns all of 1,500 entries", async ({ at, write, ok }) => {
  for (let i = 0; i < 1500; i++) write(`big/${String(i).padStart(4, "0")}`, "");
  const { entries, count } = await ok("list_folder", at("big"));
  assertEquals([count, entries.length], [1500, 1500]);
  assertEquals([entries[0].name, entries[1499].name], ["0000", "1499"]);
});

e2e("E2E-061: list_roots returns the configured roots and what is allowed on each", async ({ ok }) => {
  const { roots } = await ok("list_roots");
  const told = roots.map(({ name, allowed_tools }: Root) => ({ name, allowed_tools }));
  assertEquals(told.slice(0, 3), [
    { name: "workspace", allowed_tools: TOOLS },
    { name: "config", allowed_tools: LISTED },
    { name: "logs", allowed_tools: ["read_file"] },
  ]);
});

e2e("E2E-062: list_roots returns only names, and no host paths", async ({ text, server }) => {
  const answer = await text("list_roots", {});
  assertEquals(answer.includes("/"), false);
  assertEquals(answer.includes(server.folder.path), false);
  for (const { undo: _, undo_note: __, ...root } of JSON.parse(answer).roots) {
    assertEquals(Object.keys(root), ["name", "allowed_tools"]);
  }
});
