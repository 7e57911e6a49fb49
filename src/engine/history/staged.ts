/**
 * What a person has added to the index (`git add`) and would lose: the entries of files that a change touches get
 * the new commit's content, so what is neither in a commit nor in the working tree has to be kept first.
 */
import { Pace } from "../yield.ts";
import { fromBytes } from "./byte_names.ts";
import { type IndexFile } from "./index_file.ts";
import { checkContent, checkNames } from "./names_git_refuses.ts";
import { MODE_REPOSITORY } from "./objects.ts";
import { type ObjectStore } from "./object_store.ts";
import { type TreeEntry } from "./tree.ts";
import { entryAt, isSameEntry } from "./tree_edits.ts";

export interface StagedQuery {
  readonly store: ObjectStore;
  readonly index: IndexFile;
  /** Paths whose entries the change sets anew, as byte strings. */
  readonly touched: Iterable<string>;
  /** Of the commits before and after it; what is in one of them is not lost. */
  readonly trees: readonly (string | undefined)[];
  readonly signal: AbortSignal | undefined;
}

/** By path, as byte strings. */
export async function stagedOnly(query: StagedQuery): Promise<Map<string, TreeEntry>> {
  const { store, index, touched, trees, signal } = query;
  const staged = new Map<string, TreeEntry>();
  const pace = new Pace(signal);
  for (const path of touched) {
    for (const name of index.namesBelow(path)) {
      await pace.step();
      const entry = index.entryOf(name);
      if (entry === undefined || entry.mode === MODE_REPOSITORY) continue;
      if (trees.some((tree) => isSameEntry(entryAt(store, tree, name), entry))) continue;
      if (!store.has(entry.oid)) continue; // git has lost it itself
      checkNames(fromBytes(name));
      checkContent(fromBytes(name), entry.mode, () => store.blob(entry.oid));
      staged.set(name, entry);
    }
  }
  return staged;
}
