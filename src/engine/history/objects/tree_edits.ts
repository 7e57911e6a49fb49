/** Edits the tree of a whole commit: only the folders along the changed paths are rewritten. */
import type { ObjectBatch } from "./object_batch.ts";
import { MODE_FOLDER } from "./objects.ts";
import type { ObjectStore } from "./object_store.ts";
import { type NamedEntry, Tree, type TreeEntry } from "./tree.ts";

/** By path, as byte strings; undefined for what is removed. A folder's entry stands for everything in it. */
export type Edits = ReadonlyMap<string, TreeEntry | undefined>;

export interface EditContext {
  readonly store: ObjectStore;
  readonly batch: ObjectBatch;
}

/** Returns the hash of the new tree, or the given one if nothing changes. */
export async function editTree(
  root: string | undefined,
  edits: Edits,
  context: EditContext,
): Promise<string> {
  const edited = await editFolder(root, [...edits], context);
  if (edited !== undefined) return edited;
  const empty = await context.batch.add("tree", Tree.EMPTY.raw);
  context.store.remember(empty, Tree.EMPTY);
  return empty;
}

type Edit = [path: string, entry: TreeEntry | undefined];

/** Undefined if nothing is left in the folder: git keeps no empty ones. */
async function editFolder(
  oid: string | undefined,
  edits: readonly Edit[],
  context: EditContext,
): Promise<string | undefined> {
  const tree = oid === undefined ? Tree.EMPTY : context.store.tree(oid);
  const changes = new Map<string, TreeEntry | undefined>();
  const below = new Map<string, Edit[]>();
  for (const [path, entry] of edits) {
    const cut = path.indexOf("/");
    if (cut < 0) changes.set(path, entry);
    else {
      const name = path.slice(0, cut);
      const inner: Edit[] = below.get(name) ?? [];
      inner.push([path.slice(cut + 1), entry]);
      below.set(name, inner);
    }
  }
  for (const [name, inner] of below) {
    const now = changes.has(name) ? changes.get(name) : tree.find(name);
    const folder = now?.mode === MODE_FOLDER ? now.oid : undefined;
    const edited = await editFolder(folder, inner, context);
    if (edited !== undefined) changes.set(name, { mode: MODE_FOLDER, oid: edited });
    else if (folder !== undefined) changes.set(name, undefined); // leaves a file of that name alone
  }
  for (const [name, entry] of changes) {
    const now = tree.find(name);
    if (now?.oid === entry?.oid && now?.mode === entry?.mode) changes.delete(name);
  }
  if (changes.size === 0) return oid;
  const edited = tree.edited(changes);
  if (edited.raw.length === 0) return undefined;
  const written = await context.batch.add("tree", edited.raw);
  context.store.remember(written, edited);
  return written;
}

/** A path's entry in a tree. The empty path is the tree itself. */
export function entryAt(
  store: ObjectStore,
  root: string | undefined,
  path: string,
): TreeEntry | undefined {
  if (root === undefined) return undefined;
  let at: TreeEntry = { mode: MODE_FOLDER, oid: root };
  for (let start = 0; start < path.length;) {
    if (at.mode !== MODE_FOLDER) return undefined;
    const slash = path.indexOf("/", start);
    const end = slash < 0 ? path.length : slash;
    const next = store.tree(at.oid).find(path.slice(start, end));
    if (next === undefined) return undefined;
    at = next;
    start = end + 1;
  }
  return at;
}

/** Every file, link and nested repository at or below an entry, in git's order. */
export function* filesBelow(
  store: ObjectStore,
  entry: TreeEntry | undefined,
  path: string,
): Generator<NamedEntry> {
  if (entry === undefined) return;
  if (entry.mode !== MODE_FOLDER) {
    yield { ...entry, name: path };
    return;
  }
  const prefix = path === "" ? "" : `${path}/`;
  for (const { name, mode, oid } of store.tree(entry.oid).entries()) {
    if (mode === MODE_FOLDER) yield* filesBelow(store, { mode, oid }, prefix + name);
    else yield { name: prefix + name, mode, oid };
  }
}

export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}
