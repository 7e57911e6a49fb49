/**
 * The calls of each surface for an attack: every tool is in the list, with every way in which it goes through the
 * folder `dir`, or through a workspace's own files. field.ts prepares the files before each call.
 */
import { AGENT } from "./outside.ts";

export type SurfaceName = "roots" | "classic" | "flat" | "workspaces";

export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How `dir/file.txt` begins when a call edits it. */
export const LINES = "one\ntwo\nthree\n";
export const WORKSPACE = "field";
/** In an argument: the id of the last change that an answer named. */
export const LAST_CHANGE = "$CHANGE";

/** All calls of a surface; `number` makes their contents different each time. */
export function callsOf(surface: SurfaceName, number: number): Call[] {
  const content = `${AGENT} ${number}\n`;
  if (surface === "roots") return rootsCalls(content);
  if (surface === "classic") return classicCalls(content);
  if (surface === "flat") return flatCalls(content);
  return workspacesCalls(content);
}

function rootsCalls(content: string): Call[] {
  const call = (tool: string, rest: Record<string, unknown> = {}): Call => ({
    tool,
    arguments: tool === "list_roots" ? rest : { root: "root", ...rest },
  });
  const two = (tool: string, source_path: string, dest_path: string): Call => ({
    tool,
    arguments: { source_root: "root", source_path, dest_root: "root", dest_path },
  });
  const patch = `--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+${content} three\n`;
  const edits = [{ old_string: "two\n", new_string: content }];
  return [
    call("write_file", { path: "dir/file.txt", content }),
    call("write_file", { path: "dir/authorized_keys", content }),
    call("write_file", { path: "dir/new.txt", content }),
    call("write_file", { path: "dir/file.txt", content, mode: "append" }),
    call("write_file", { path: "dir/new.txt", content, mode: "create_only" }),
    call("write_file", { path: "dir/sub/new/new.txt", content }),
    call("patch_file", { path: "dir/file.txt", patch }),
    call("multi_edit_text_file", { path: "dir/file.txt", edits }),
    call("edit_file", { path: "dir/file.txt", edits: [{ old_text: "two\n", new_text: content }] }),
    call("apply_changes", { changes: changesOf(content) }),
    call("create_folder", { path: "dir/new" }),
    call("remove_file", { path: "dir/file.txt" }),
    call("remove_folder", { path: "dir/sub" }),
    two("move", "dir/file.txt", "came.txt"),
    two("move", "mine.txt", "dir/went.txt"),
    two("move", "dir/sub", "came"),
    two("copy", "dir/file.txt", "came.txt"),
    two("copy", "dir", "came"),
    two("copy", "mine.txt", "dir/went.txt"),
    call("undo"),
    call("undo", { id: LAST_CHANGE }),
    call("restore", { path: "dir", at: LAST_CHANGE }),
    call("restore", { path: "dir/file.txt", at: LAST_CHANGE }),
    call("history", { path: "dir/file.txt" }),
    call("show_change", { id: LAST_CHANGE }),
    call("list_roots"),
    call("list_folder", { path: "dir" }),
    call("read_file", { path: "dir/file.txt" }),
    call("read_files", { paths: ["dir/file.txt", "dir/sub/deep.txt"] }),
    call("read_media_file", { path: "dir/image.png" }),
    call("stat_file", { path: "dir/file.txt" }),
    call("permissions_file", { path: "dir/file.txt" }),
    call("hash_file", { path: "dir/file.txt", algorithm: "sha256" }),
    call("grep", { pattern: "[A-Za-z]+" }),
    call("grep", { path: "dir/file.txt", pattern: "[A-Za-z]+" }),
    call("glob", { pattern: "**/*" }),
  ];
}

/** One of each kind, through the folder. */
function changesOf(content: string): Record<string, unknown>[] {
  return [
    { op: "write", path: "dir/authorized_keys", content },
    { op: "edit", path: "dir/file.txt", edits: [{ old_text: "two\n", new_text: content }] },
    { op: "mkdir", path: "dir/new/newer" },
    { op: "move", source: "mine.txt", destination: "dir/went.txt" },
    { op: "move", source: "dir/file.txt", destination: "came.txt" },
    { op: "delete", path: "dir/sub" },
  ];
}

/** Relative paths start at the only directory, so they need not name it. */
function classicCalls(content: string): Call[] {
  const call = (tool: string, rest: Record<string, unknown> = {}): Call => ({ tool, arguments: rest });
  const move = (source: string, destination: string) => call("move_file", { source, destination });
  return [
    call("write_file", { path: "dir/file.txt", content }),
    call("write_file", { path: "dir/authorized_keys", content }),
    call("write_file", { path: "dir/new.txt", content }),
    call("edit_file", { path: "dir/file.txt", edits: [{ oldText: "two\n", newText: content }] }),
    call("create_directory", { path: "dir/new/newer" }),
    move("dir/file.txt", "came.txt"),
    move("mine.txt", "dir/went.txt"),
    move("dir/sub", "came"),
    call("list_allowed_directories"),
    call("list_directory", { path: "dir" }),
    call("list_directory_with_sizes", { path: "dir" }),
    call("directory_tree", { path: "." }),
    call("search_files", { path: ".", pattern: "**" }),
    call("get_file_info", { path: "dir/file.txt" }),
    call("read_file", { path: "dir/file.txt" }),
    call("read_text_file", { path: "dir/file.txt", head: 2 }),
    call("read_text_file", { path: "dir/file.txt", tail: 2 }),
    call("read_multiple_files", { paths: ["dir/file.txt", "dir/sub/deep.txt"] }),
    call("read_media_file", { path: "dir/image.png" }),
  ];
}

function flatCalls(content: string): Call[] {
  return [
    { tool: "edit_file", arguments: { name: "file.txt", append: content } },
    {
      tool: "edit_file",
      arguments: { name: "file.txt", edits: [{ line: 0, operation: "replace", content: content.trim() }] },
    },
    { tool: "edit_file", arguments: { name: "authorized_keys", append: content } },
    { tool: "edit_file", arguments: { name: "new.txt", append: content } },
    { tool: "read_file", arguments: { name: "file.txt" } },
    { tool: "list_files", arguments: {} },
  ];
}

function workspacesCalls(content: string): Call[] {
  const call = (tool: string, rest: Record<string, unknown> = {}): Call => ({
    tool,
    arguments: { workspaceId: WORKSPACE, ...rest },
  });
  return [
    call("fs_write_file", { path: "dir/file.txt", content }),
    call("fs_write_file", { path: "dir/authorized_keys", content }),
    call("fs_write_file", { path: "dir/new.txt", content }),
    call("fs_write_file", { path: "dir/sub/new/new.txt", content }),
    call("fs_edit_file", { path: "dir/file.txt", edits: [{ oldText: "two\n", newText: content }] }),
    call("multi_edit_text_file", {
      path: "dir/file.txt",
      edits: [{ old_string: "two\n", new_string: content }],
    }),
    call("fs_create_directory", { path: "dir/new" }),
    call("fs_move_file", { source: "dir/file.txt", destination: "came.txt" }),
    call("fs_move_file", { source: "mine.txt", destination: "dir/went.txt" }),
    call("fs_move_file", { source: "dir/sub", destination: "came" }),
    call("fs_patch_file", {
      path: "dir/file.txt",
      patch: `@@ -1,3 +1,3 @@\n one\n-two\n+${content} three\n`,
    }),
    call("fs_delete_file", { path: "dir/file.txt" }),
    call("fs_delete_file", { path: "dir/sub", recursive: true }),
    call("fs_copy_file", { source: "dir/file.txt", destination: "came.txt" }),
    call("fs_copy_file", { source: "dir", destination: "came" }),
    call("fs_copy_file", { source: "mine.txt", destination: "dir/went.txt" }),
    call("fs_hash_file", { path: "dir/file.txt" }),
    call("fs_grep", { pattern: "[A-Za-z]+" }),
    call("fs_grep", { path: "dir/file.txt", pattern: "[A-Za-z]+" }),
    call("fs_apply", {
      changes: [
        { op: "write", path: "dir/new.txt", content },
        { op: "edit", path: "dir/file.txt", edits: [{ oldText: "two\n", newText: content }] },
        { op: "mkdir", path: "dir/new" },
        { op: "move", source: "mine.txt", destination: "dir/went.txt" },
        { op: "delete", path: "dir/sub" },
      ],
    }),
    call("fs_apply", {
      changes: [
        { op: "move", source: "dir/sub", destination: "came" },
        { op: "write", path: "came/new.txt", content },
      ],
    }),
    call("fs_revert", { commit: "HEAD" }),
    call("fs_restore", { commit: "HEAD~1" }),
    call("fs_restore", { commit: "HEAD~3", path: "dir/file.txt" }),
    call("fs_diff", { to: "HEAD" }),
    call("fs_directory_tree"),
    call("fs_get_commit_history", { path: "dir/file.txt", limit: 5 }),
    call("fs_get_file_info", { path: "dir/file.txt" }),
    call("fs_list_directory", { path: "dir" }),
    call("fs_list_directory_with_sizes", { path: "dir" }),
    call("fs_read_media_file", { path: "dir/image.png" }),
    call("fs_read_multiple_files", { paths: ["dir/file.txt", "dir/sub/deep.txt"] }),
    call("fs_read_text_file", { path: "dir/file.txt" }),
    call("fs_search_files", { pattern: "**/*" }),
    call("fs_show_commit", { commit: "HEAD" }),
    { tool: "workspace_create", arguments: { name: WORKSPACE } },
    { tool: "workspace_list", arguments: {} },
  ];
}
