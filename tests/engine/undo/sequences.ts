/**
 * Random sequences of tool calls on a small tree, undone one by one. Without a person in between, the tree must be
 * byte for byte and mode for mode what it was at each step, and undoing the undos must restore the end. With one,
 * undo may refuse, but what the person wrote must not be lost.
 */
import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { inflateRawSync } from "node:zlib";
import type { Random } from "../../support/random.ts";
import { hasLinks } from "../../support/typed_links.ts";
import { type UndoSetup, undoSetup } from "./setup.ts";

/** Everything below a folder, by its path. */
export function treeOf(folder: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const add = (path: string, prefix: string) => {
    for (const { name } of Deno.readDirSync(path)) {
      const [at, shown] = [`${path}/${name}`, `${prefix}${name}`];
      const info = Deno.lstatSync(at);
      const mode = ((info.mode ?? 0) & 0o7777).toString(8);
      if (info.isSymlink) tree[shown] = `link ${Deno.readLinkSync(at)}`;
      else if (info.isDirectory) {
        tree[shown] = `folder ${mode}`;
        add(at, `${shown}/`);
      } else tree[shown] = `file ${mode} ${digest(Deno.readFileSync(at))}`;
    }
  };
  add(folder, "");
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => a < b ? -1 : 1));
}

function digest(bytes: Uint8Array): string {
  if (bytes.length < 2_000) return JSON.stringify(new TextDecoder("latin1").decode(bytes));
  return `${bytes.length} bytes, ${createHash("sha256").update(bytes).digest("hex")}`;
}

const FOLDERS = ["", "d", "e", "d/f", "g"];
const NAMES = ["a.txt", "b.txt", "c.bin", "h"];

function anyPath(random: Random): string {
  const folder = random.pick(FOLDERS);
  const name = random.pick(NAMES);
  return folder === "" ? name : `${folder}/${name}`;
}

function anyText(random: Random): string {
  if (random.below(25) === 0) return "large ".repeat(200_000) + random.below(1_000); // kept as a file
  const lines = Array.from(
    { length: random.below(8) },
    () => `line ${random.below(6)} ${"x".repeat(random.below(20))}`,
  );
  return lines.join("\n") + (random.below(3) === 0 ? "" : "\n");
}

/** A random call; false if it was refused, as many are. */
async function anyCall(setup: UndoSetup, random: Random): Promise<string | undefined> {
  const path = anyPath(random);
  const other = anyPath(random);
  const folder = random.pick(FOLDERS.slice(1));
  const two = (from: string, to: string) => ({
    source_root: "r",
    source_path: from,
    dest_root: "r",
    dest_path: to,
  });
  const calls: [string, Record<string, unknown>][] = [
    ["write_file", { root: "r", path, content: anyText(random) }],
    ["write_file", { root: "r", path, content: anyText(random) }],
    ["write_file", { root: "r", path, content: anyText(random), mode: "append" }],
    ["write_file", { root: "r", path, content: anyText(random), mode: "create_only" }],
    ["patch_file", { root: "r", path, patch: "@@\n line 1 \n+patched\n" }],
    ["multi_edit_text_file", {
      root: "r",
      path,
      edits: [{ old_string: "line 2", new_string: `edited ${random.below(9)}` }],
    }],
    ["copy", two(path, other)],
    ["copy", two(folder, random.pick(FOLDERS.slice(1)))],
    ["move", two(path, other)],
    ["move", two(folder, `${random.pick(FOLDERS.slice(1))}/${random.pick(["h", "k"])}`)],
    ["remove_file", { root: "r", path }],
    ["remove_folder", { root: "r", path: folder }],
    ["create_folder", { root: "r", path: folder }],
  ];
  const [tool, args] = random.pick(calls);
  try {
    const client = random.pick(["one", "two"]);
    return (await setup.call(tool, args, { client })).change;
  } catch {
    return undefined;
  }
}

/** An initial tree, with odd modes. */
function firstTree(setup: UndoSetup): void {
  setup.write("a.txt", "line 1 \nline 2\nline 3\n");
  setup.write("d/b.txt", "line 2\r\nline 1 \r\n");
  setup.write("d/f/c.bin", new Uint8Array([0, 255, 10, 13, 0]));
  setup.write("e/h", "");
  Deno.chmodSync(`${setup.root}/a.txt`, 0o600);
  Deno.chmodSync(`${setup.root}/d/b.txt`, 0o755);
  Deno.chmodSync(`${setup.root}/e`, 0o750);
  if (hasLinks()) Deno.symlinkSync("../a.txt", `${setup.root}/d/link`);
}

export async function exactSequence(random: Random, calls: number): Promise<void> {
  await using setup = undoSetup({ inMemory: true });
  firstTree(setup);
  const changes: string[] = [];
  const trees = [treeOf(setup.root)];
  for (let i = 0; i < calls; i++) {
    const change = await anyCall(setup, random);
    if (change === undefined) {
      assertEquals(treeOf(setup.root), trees.at(-1), "a call without a change");
      continue;
    }
    changes.push(change);
    trees.push(treeOf(setup.root));
  }
  const undos: string[] = [];
  for (const [i, change] of [...changes.entries()].toReversed()) {
    const { change: id } = await setup.call("undo", { root: "r", id: change });
    assertEquals(treeOf(setup.root), trees[i], `after the undo of ${change}`);
    undos.push(id);
  }
  const last = trees.at(-1);
  if (random.below(2) === 0 || undos.length === 0) {
    for (const [i, id] of [...undos.entries()].toReversed()) {
      await setup.call("undo", { root: "r", id });
      assertEquals(treeOf(setup.root), trees[undos.length - i], `after the undo of the undo ${id}`);
    }
  } else {
    const all = undos.slice(-25);
    await setup.call("undo", { root: "r", id: all.join(",") }); // all at once, all or nothing
    assertEquals(treeOf(setup.root), trees[all.length], "after the undo of many undos");
    return;
  }
  assertEquals(treeOf(setup.root), last);
}

/** With a person who saves, removes and creates files in between. */
export async function sharedSequence(random: Random, calls: number): Promise<void> {
  await using setup = undoSetup({ inMemory: true });
  firstTree(setup);
  const changes: string[] = [];
  const tokens: string[] = [];
  for (let i = 0; i < calls; i++) {
    if (random.below(4) === 0) personWrites(setup, { random, tokens });
    else {
      const change = await anyCall(setup, random);
      if (change !== undefined) changes.push(change);
    }
  }
  for (const change of changes.toReversed()) {
    const before = treeOf(setup.root);
    try {
      await setup.call("undo", { root: "r", id: change });
    } catch (error) {
      if (!String(error).includes("conflict:")) throw error;
      assertEquals(treeOf(setup.root), before, "a conflict changes nothing");
    }
    if (random.below(6) === 0) personWrites(setup, { random, tokens });
  }
  await setup.close();
  const everything = textsOf(setup);
  for (const token of tokens) {
    if (!everything.some((text) => text.includes(token))) throw new Error(`${token} is lost`);
  }
}

/** What a person writes is a separate line, by which it is found again. */
function personWrites(setup: UndoSetup, { random, tokens }: { random: Random; tokens: string[] }): void {
  const path = anyPath(random);
  const token = `by hand ${tokens.length} ${random.below(1_000_000)}`;
  try {
    const old = setup.exists(path) ? setup.read(path) : "";
    setup.write(path, random.below(2) === 0 ? `${token}\n${old}` : `${old}${token}\n`);
    tokens.push(token);
  } catch { /* something is in the way */ }
}

/** Everything in the tree and in the store. */
function textsOf(setup: UndoSetup): string[] {
  const texts: string[] = [];
  const add = (folder: string) => {
    for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
      if (isDirectory) add(`${folder}/${name}`);
      else if (isFile) texts.push(Deno.readTextFileSync(`${folder}/${name}`));
    }
  };
  add(setup.root);
  if (!setup.base.names().includes("store/undo.db")) return texts;
  if (setup.base.names().includes("store/trash/")) add(`${setup.store}/trash`);
  const db = new DatabaseSync(`${setup.store}/undo.db`);
  assertEquals(db.prepare("pragma integrity_check").get()?.integrity_check, "ok");
  for (const row of db.prepare("select packed, data from content").all()) {
    const data = row.data as Uint8Array;
    texts.push(new TextDecoder().decode(row.packed === 1 ? inflateRawSync(data) : data));
  }
  db.close();
  return texts;
}
