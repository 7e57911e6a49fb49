// The servers that are compared: how each is started for a folder, and what each calls the same work. The peer is
// started with `node` directly; with npx its time would include npx, which would be unfair.

import { runArguments } from "../src/base/program.ts";
import { thisProgram } from "../src/cli/this_program.ts";
import { basename } from "@std/path/basename";
import { join } from "@std/path/join";
import type { Launch, ToolCall } from "./stdio_client.ts";
import { installPeer } from "./install_peer.ts";

/** A place in the folder that a server was started for. */
export interface Place {
  readonly dir: string;
  /** Relative to `dir`, with forward slashes. */
  readonly path: string;
}

/** A change of one line of a file. */
export interface LineChange {
  /** From 1. */
  readonly line: number;
  readonly old: string;
  readonly new: string;
  /** The lines before and after it, for servers that need them. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Server {
  readonly name: string;
  /** Which column of the table it fills. */
  readonly side: Side;
  launch(dir: string): Launch;
  read(place: Place): ToolCall;
  list(place: Place): ToolCall;
  write(place: Place, content: string): ToolCall;
  edit(place: Place, change: LineChange): ToolCall;
  /** All files below a folder that match a glob. */
  find(place: Place, pattern: string): ToolCall;
}

export const SIDES = ["paddock", "peer", "rust"] as const;
export type Side = typeof SIDES[number];

const PEER_PACKAGE = "@modelcontextprotocol/server-filesystem";
const PEER_VERSION = "2026.8.31";

/** paddock, from its source as `setup` has clients run it, or by another command that takes the folder last. */
export function paddock(command?: readonly string[]): Server {
  const mainModule = new URL("../main.ts", import.meta.url).href;
  const [program = Deno.execPath(), ...args] = command ??
    [Deno.execPath(), ...runArguments({ ...thisProgram(), mainModule }, { forClient: true })];
  const at = ({ dir, path }: Place) => ({ root: basename(dir), path });
  return {
    name: "paddock",
    side: "paddock",
    launch: (dir) => ({ command: program, args: [...args, dir] }),
    read: (place) => ({ name: "read_file", arguments: at(place) }),
    list: (place) => ({ name: "list_folder", arguments: at(place) }),
    write: (place, content) => ({
      name: "write_file",
      arguments: { ...at(place), content, mode: "overwrite" },
    }),
    edit: (place, change) => ({ name: "patch_file", arguments: { ...at(place), patch: patchOf(change) } }),
    find: (place, pattern) => ({
      name: "glob",
      arguments: { ...at(place), pattern, max_results: 1_000_000 },
    }),
  };
}

/** The official filesystem server, installed first if necessary. */
export async function officialServer(signal: AbortSignal): Promise<Server> {
  const folder = await installPeer({ name: PEER_PACKAGE, version: PEER_VERSION, signal });
  const script = join(folder, "dist", "index.js");
  const at = ({ dir, path }: Place) => ({ path: join(dir, path) });
  return {
    name: `server-filesystem ${PEER_VERSION}`,
    side: "peer",
    launch: (dir) => ({ command: "node", args: [script, dir] }),
    read: (place) => ({ name: "read_text_file", arguments: at(place) }),
    list: (place) => ({ name: "list_directory_with_sizes", arguments: at(place) }),
    write: (place, content) => ({ name: "write_file", arguments: { ...at(place), content } }),
    edit: (place, change) => ({
      name: "edit_file",
      arguments: { ...at(place), edits: [{ oldText: change.old, newText: change.new }] },
    }),
    find: (place, pattern) => ({ name: "search_files", arguments: { ...at(place), pattern } }),
  };
}

/** The filesystem server in Rust, if PADDOCK_BENCH_RUST names one. */
export async function rustServer(): Promise<Server | undefined> {
  const program = Deno.env.get("PADDOCK_BENCH_RUST");
  if (program === undefined || program === "") return undefined;
  const { stdout } = await new Deno.Command(program, { args: ["--version"] }).output();
  const at = ({ dir, path }: Place) => ({ path: join(dir, path) });
  return {
    name: new TextDecoder().decode(stdout).trim(),
    side: "rust",
    launch: (dir) => ({ command: program, args: ["--allow-write", dir] }),
    read: (place) => ({ name: "read_text_file", arguments: at(place) }),
    list: (place) => ({ name: "list_directory_with_sizes", arguments: at(place) }),
    write: (place, content) => ({ name: "write_file", arguments: { ...at(place), content } }),
    edit: (place, change) => ({
      name: "edit_file",
      arguments: { ...at(place), edits: [{ oldText: change.old, newText: change.new }] },
    }),
    find: (place, pattern) => ({ name: "search_files", arguments: { ...at(place), pattern } }),
  };
}

/** A unified diff, as `diff -u` writes it. */
function patchOf({ line, before, after, ...change }: LineChange): string {
  const length = before.length + 1 + after.length;
  const start = line - before.length;
  const body = [
    ...before.map((text) => ` ${text}`),
    `-${change.old}`,
    `+${change.new}`,
    ...after.map((text) => ` ${text}`),
  ];
  return `--- a/file\n+++ b/file\n@@ -${start},${length} +${start},${length} @@\n${body.join("\n")}\n`;
}
