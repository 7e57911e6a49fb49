/** Which files differ between two commits, or between a commit and the working tree. */
import { Pace } from "../../yield.ts";
import { fromBytes, isUtf8 } from "../objects/byte_names.ts";
import type { Disk, OnDisk } from "../files/disk.ts";
import type { IndexFile } from "../index/index_file.ts";
import { MODE_FOLDER, MODE_REPOSITORY } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { entryAt, filesBelow, isSameEntry } from "../objects/tree_edits.ts";
import { PaddockError } from "../../../base/errors.ts";

export interface Difference {
  /** A byte string. */
  readonly name: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** Between two trees, in order of names, at or below a path; equal folders are not read. */
export function* diffTrees(
  store: ObjectStore,
  { before, after, path }: { before: string | undefined; after: string | undefined; path: string },
): Generator<Difference> {
  yield* diffEntries(store, {
    name: path,
    before: entryAt(store, before, path),
    after: entryAt(store, after, path),
  });
}

function* diffEntries(store: ObjectStore, { name, before, after }: Difference): Generator<Difference> {
  if (isSameEntry(before, after)) return;
  const [oldFolder, newFolder] = [folderOf(before), folderOf(after)];
  if (oldFolder === undefined && newFolder === undefined) {
    yield { name, before, after };
    return;
  }
  const [oldFile, newFile] = [
    oldFolder === undefined ? before : undefined,
    newFolder === undefined ? after : undefined,
  ];
  if (oldFile !== undefined || newFile !== undefined) yield { name, before: oldFile, after: newFile };
  const entries = new Map<string, { before?: TreeEntry; after?: TreeEntry }>();
  for (const entry of oldFolder === undefined ? [] : store.tree(oldFolder).entries()) {
    entries.set(entry.name, { before: entry });
  }
  for (const entry of newFolder === undefined ? [] : store.tree(newFolder).entries()) {
    const old = entries.get(entry.name)?.before;
    if (old !== undefined && isSameEntry(old, entry)) entries.delete(entry.name);
    else entries.set(entry.name, { ...(old !== undefined && { before: old }), after: entry });
  }
  const prefix = name === "" ? "" : `${name}/`;
  for (const [key, pair] of [...entries].sort(([a], [b]) => a < b ? -1 : 1)) {
    yield* diffEntries(store, { name: prefix + key, before: pair.before, after: pair.after });
  }
}

function folderOf(entry: TreeEntry | undefined): string | undefined {
  return entry?.mode === MODE_FOLDER ? entry.oid : undefined;
}

export interface DiskDifference extends Difference {
  readonly now: Seen | undefined;
}

/** A file as it is on disk; the bytes of a large one, or one after many others, are not kept in memory. */
export interface Seen extends OnDisk {
  readonly isLarge: boolean;
}

const MAX_KEPT = 4 * 1024 * 1024;
export const MAX_KEPT_IN_ALL = 64 * 1024 * 1024;

export interface WorkingQuery {
  readonly store: ObjectStore;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly tree: string | undefined;
  /** A byte string. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

/** Between a tree and the files that git tracks, as they are on disk. Untracked files are left out. */
export async function* diffWorkingTree(query: WorkingQuery): AsyncGenerator<DiskDifference> {
  const { store, index, disk, tree, path, signal } = query;
  const pace = new Pace(signal);
  let left = MAX_KEPT_IN_ALL;
  const entries = new Map<string, TreeEntry | undefined>();
  for (const name of index.namesBelow(path)) entries.set(name, undefined);
  for (const { name, mode, oid } of filesBelow(store, entryAt(store, tree, path), path)) {
    entries.set(name, { mode, oid });
  }
  for (const [name, before] of [...entries].sort(([a], [b]) => a < b ? -1 : 1)) {
    await pace.step();
    if (before?.mode === MODE_REPOSITORY || index.isSkipped(name) || !isUtf8(name)) continue;
    const now = await lookAt(disk, fromBytes(name));
    if (isSameEntry(before, now?.entry)) continue;
    const size = now?.bytes?.length ?? 0;
    const isLarge = size > MAX_KEPT || size > left;
    if (!isLarge) left -= size;
    const seen = now === undefined
      ? undefined
      : isLarge
      ? { ...now, bytes: undefined, isLarge }
      : { ...now, isLarge };
    yield { name, before, after: now?.entry, now: seen };
  }
}

/** A file that cannot be reached, because a folder on the way has become something else, counts as gone. */
export async function lookAt(disk: Disk, path: string): Promise<OnDisk | undefined> {
  try {
    return await disk.look(disk.at(path));
  } catch (error) {
    if (error instanceof PaddockError && GONE.has(error.code)) return undefined;
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(["NOT_FOUND", "INVALID_INPUT", "OUT_OF_BOUNDS", "UNSUPPORTED"]);
