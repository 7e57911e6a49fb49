/** Every tool that writes, one after the other, as a client uses them: on any system and file system. */
import { assertEquals } from "@std/assert";
import type { TestServer, ToolAnswer } from "../../support/server.ts";

type Call = (name: string, args: Record<string, unknown>) => Promise<ToolAnswer>;

/** Calls that must succeed; if one does not, it is reported. */
function calling(server: TestServer): Call {
  return async (name, args) => {
    const answer = await server.call(name, args);
    assertEquals([answer.isError, answer.isError ? answer.text : ""], [false, ""], name);
    return answer;
  };
}

/** Larger than what is kept in memory while it is changed. */
const LARGE = `${"a line of text that is rather long\n".repeat(40_000)}the end\n`;

export interface RootsJourney {
  /** The name of the root, which is empty. */
  root: string;
  /** Whether changes can be undone. */
  undo: boolean;
}

/** On the roots surface: write, append, edit, patch, copy, move, search, remove, and undo everything. */
export async function rootsJourney(server: TestServer, { root, undo }: RootsJourney): Promise<void> {
  const call = calling(server);
  const read = async (path: string) => (await call("read_file", { root, path })).value.content;
  const names = async (path: string) =>
    (await call("list_folder", { root, path })).value.entries.map(({ name }: { name: string }) => name);

  await call("write_file", { root, path: "a.txt", content: "one\ntwo\n" });
  await call("write_file", { root, path: "a.txt", content: "one\ntwo\nthree\n" });
  await call("write_file", { root, path: "a.txt", content: "four\n", mode: "append" });
  const { hash } = (await call("hash_file", { root, path: "a.txt", algorithm: "sha256" })).value;
  await call("edit_file", {
    root,
    path: "a.txt",
    edits: [{ old_text: "two", new_text: "TWO" }],
    expected_hash: hash,
  });
  await call("multi_edit_text_file", {
    root,
    path: "a.txt",
    edits: [{ old_string: "three", new_string: "THREE" }, { old_string: "one", new_string: "ONE" }],
  });
  await call("patch_file", { root, path: "a.txt", patch: "@@ -4 +4 @@\n-four\n+FOUR\n" });
  assertEquals(await read("a.txt"), "ONE\nTWO\nTHREE\nFOUR\n");

  await call("write_file", { root, path: "large.txt", content: LARGE });
  await call("edit_file", { root, path: "large.txt", edits: [{ old_text: "the end", new_text: "over" }] });
  await call("write_file", { root, path: "large.txt", content: "more\n", mode: "append" });

  await call("create_folder", { root, path: "d/e" });
  const from = (source_path: string, dest_path: string) => ({
    source_root: root,
    source_path,
    dest_root: root,
    dest_path,
  });
  await call("copy", from("a.txt", "d/copy.txt"));
  await call("move", from("a.txt", "d/e/b.txt"));
  await call("move", from("d/copy.txt", "d/e/b.txt")); // over a file
  await call("move", from("d", "moved"));
  assertEquals([await names("."), await names("moved/e")], [["large.txt", "moved"], ["b.txt"]]);

  const found = await call("grep", { root, pattern: "THREE|over" });
  assertEquals(found.value.total_matches, 2);
  assertEquals((await call("glob", { root, pattern: "**/*.txt" })).value.matches.length, 2);

  await call("remove_file", { root, path: "large.txt" });
  await call("remove_folder", { root, path: "moved" });
  assertEquals(await names("."), []);
  if (!undo) return;
  await call("undo", { root, count: 2 });
  assertEquals([await names("."), await read("moved/e/b.txt")], [
    ["large.txt", "moved"],
    "ONE\nTWO\nTHREE\nFOUR\n",
  ]);
  const { changes } = (await call("history", { root, limit: 100 })).value;
  const first = changes.at(-1)?.id;
  await call("restore", { root, path: "a.txt", at: first });
  assertEquals(await read("a.txt"), "one\ntwo\n");
}

/** On the workspaces surface: a workspace, changes as commits, and one restored. */
export async function workspacesJourney(server: TestServer): Promise<void> {
  const call = calling(server);
  const { workspaceId } = (await call("workspace_create", { name: "First" })).value;
  const read = async (path: string) => (await call("fs_read_text_file", { workspaceId, path })).value.content;

  const written = await call("fs_write_file", { workspaceId, path: "a.txt", content: "one\ntwo\n" });
  await call("fs_write_file", { workspaceId, path: "a.txt", content: "one\ntwo\nthree\n" });
  await call("fs_edit_file", { workspaceId, path: "a.txt", edits: [{ oldText: "two", newText: "TWO" }] });
  await call("multi_edit_text_file", {
    workspaceId,
    path: "a.txt",
    edits: [{ old_string: "three", new_string: "THREE" }],
  });
  await call("fs_create_directory", { workspaceId, path: "d" });
  await call("fs_move_file", { workspaceId, source: "a.txt", destination: "d/b.txt" });
  assertEquals(await read("d/b.txt"), "one\nTWO\nTHREE\n");
  const { log } = (await call("fs_get_commit_history", { workspaceId })).value;
  assertEquals(log.length >= 5, true);
  await call("fs_restore", { workspaceId, commit: written.value.commit });
  assertEquals(await read("a.txt"), "one\ntwo\n");
  const found = await call("fs_search_files", { workspaceId, path: ".", pattern: "*.txt" });
  assertEquals(found.value.matches, ["a.txt"]);
}
