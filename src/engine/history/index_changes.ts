/** What a change of the history means for git's index. */
import { Pace } from "../yield.ts";
import { type IndexEntry, type Stat } from "./index_entry.ts";
import { type IndexFile } from "./index_file.ts";
import { type ObjectStore } from "./object_store.ts";
import { entryAt, filesBelow, isSameEntry } from "./tree_edits.ts";

export interface IndexUpdate {
  readonly store: ObjectStore;
  /** The tree of the commit that the index is to agree with. */
  readonly tree: string | undefined;
  /** Paths where it may not, as byte strings. */
  readonly touched: Iterable<string>;
  /** How files stand that are known to have the commit's content, by byte string. */
  readonly stats: ReadonlyMap<string, Stat>;
  /** Where a file below a path was before, for one that moved with its folder. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
}

export async function updateIndex(index: IndexFile, update: IndexUpdate): Promise<void> {
  const { store, tree, touched, stats, moved } = update;
  const pace = new Pace(undefined);
  const changes = new Map<string, IndexEntry | undefined>();
  for (const path of touched) {
    await pace.step();
    for (const name of index.namesBelow(path)) if (!changes.has(name)) changes.set(name, undefined);
    for (const { name, mode, oid } of filesBelow(store, entryAt(store, tree, path), path)) {
      await pace.step();
      const stat = stats.get(name) ?? carried(index, { name, mode, oid }, moved);
      changes.set(name, { mode, oid, stat });
    }
  }
  index.apply(changes);
}

/** A folder's new name changes nothing about the files in it. */
function carried(
  index: IndexFile,
  entry: { name: string; mode: number; oid: string },
  moved: IndexUpdate["moved"],
): IndexEntry["stat"] {
  const move = moved.find(({ to }) => entry.name.startsWith(`${to}/`));
  const before = move === undefined ? entry.name : move.from + entry.name.slice(move.to.length);
  const state = index.stateOf(before);
  return state !== undefined && isSameEntry(state, entry) ? state : undefined;
}
