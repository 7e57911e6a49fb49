/** What a change of the history means for git's index. */
import { Pace } from "../../yield.ts";
import { toBytes } from "../objects/byte_names.ts";
import type { IndexEntry, Stat } from "../index/index_entry.ts";
import type { IndexFile } from "../index/index_file.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { entryAt, filesBelow, isSameEntry } from "../objects/tree_edits.ts";
import type { Work } from "./work.ts";

export interface IndexUpdate {
  readonly store: ObjectStore;
  /** The tree of the commit that the index is to match. */
  readonly tree: string | undefined;
  /** Paths where it may not match, as byte strings. */
  readonly touched: Iterable<string>;
  /** The stats of files known to have the commit's content, by byte string. */
  readonly stats: ReadonlyMap<string, Stat>;
  /** What was moved, with everything below it, as byte strings. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
}

export async function updateIndex(index: IndexFile, update: IndexUpdate): Promise<void> {
  const { store, tree, touched, stats } = update;
  const moved = new Map(update.moved.map(({ from, to }) => [to, from]));
  const pace = new Pace(undefined);
  const changes = new Map<string, IndexEntry | undefined>();
  for (const path of touched) {
    await pace.step();
    for (const name of index.namesBelow(path)) if (!changes.has(name)) changes.set(name, undefined);
    for (const { name, mode, oid } of filesBelow(store, entryAt(store, tree, path), path)) {
      await pace.step();
      const before = nameBefore(name, moved);
      const stat = stats.get(name) ?? carried(index, before ?? name, { mode, oid });
      changes.set(name, {
        mode,
        oid,
        stat,
        marks: before === undefined ? undefined : marks(index, before, name),
      });
    }
  }
  index.apply(changes);
}

/** Undefined for a file that was not moved. `moved` maps new names to old ones. */
function nameBefore(name: string, moved: ReadonlyMap<string, string>): string | undefined {
  if (moved.size === 0) return undefined;
  for (let end = name.length; end > 0; end = name.lastIndexOf("/", end - 1)) {
    const from = moved.get(name.slice(0, end));
    if (from !== undefined) return from + name.slice(end);
  }
  return undefined;
}

/** Renaming a folder changes nothing about the files in it. */
function carried(index: IndexFile, before: string, entry: TreeEntry): IndexEntry["stat"] {
  const state = index.stateOf(before);
  return state !== undefined && isSameEntry(state, entry) ? state : undefined;
}

/** When a change is being completed, the index may have the file under its new name already. */
function marks(index: IndexFile, before: string, name: string): IndexEntry["marks"] {
  return index.marksOf(before) ?? index.marksOf(name);
}

/** What the work moves, as the index names it. */
export function movesOf(work: readonly Work[]): IndexUpdate["moved"] {
  return work.filter((one) => one.kind === "move")
    .map(({ from, to }) => ({ from: toBytes(from), to: toBytes(to) }));
}
