/**
 * What a person has in the index and would lose: entries of files that a change touches get the new commit's
 * content, so what is neither in a commit nor in the working tree must be recorded first. That is what was added
 * (`git add`), and the sides of a conflict: after `git switch -m` a person's own version is nowhere else.
 */
import { Pace } from "../../yield.ts";
import { fromBytes } from "../objects/byte_names.ts";
import type { IndexFile } from "../index/index_file.ts";
import { checkContent, checkNames } from "../files/names_git_refuses.ts";
import { MODE_REPOSITORY } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { entryAt, isSameEntry } from "../objects/tree_edits.ts";

export interface StagedQuery {
  readonly store: ObjectStore;
  readonly index: IndexFile;
  /** Paths whose entries the change sets, as byte strings. */
  readonly touched: Iterable<string>;
  /** The trees of the commits before and after it; what is in one of them is not lost. */
  readonly trees: readonly (string | undefined)[];
  readonly signal: AbortSignal | undefined;
}

/** By path, as byte strings: what one commit can hold. */
export type Layer = Map<string, TreeEntry>;

/**
 * As few layers as possible. The sides of a conflict need different layers; so do a file and what is in a folder of
 * the same name.
 */
export async function stagedOnly(query: StagedQuery): Promise<Layer[]> {
  const { store, index, trees, signal } = query;
  const layers: Layer[] = [];
  const pace = new Pace(signal);
  for (const name of namesConcerned(query)) {
    await pace.step();
    for (const entry of index.versionsOf(name)) {
      if (entry.mode === MODE_REPOSITORY) continue;
      if (trees.some((tree) => isSameEntry(entryAt(store, tree, name), entry))) continue;
      if (!store.has(entry.oid)) continue; // git itself has lost it
      checkNames(fromBytes(name));
      checkContent(fromBytes(name), entry.mode, () => store.blob(entry.oid));
      let layer = layers.find((layer) => hasRoom(layer, name));
      if (layer === undefined) layers.push(layer = new Map());
      layer.set(name, entry);
    }
  }
  return layers;
}

/** Each name once, after everything above it, which has to make room too. */
function namesConcerned({ index, touched }: StagedQuery): Set<string> {
  const names = new Set<string>();
  for (const path of touched) {
    for (const above of foldersOf(path)) names.add(above);
    for (const name of index.namesBelow(path)) names.add(name);
  }
  return names;
}

function hasRoom(layer: Layer, name: string): boolean {
  return !layer.has(name) && !foldersOf(name).some((above) => layer.has(above));
}

/** From the top down. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1)) {
    folders.push(path.slice(0, cut));
  }
  return folders;
}
