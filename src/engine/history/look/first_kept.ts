/**
 * Files that were a person's before they were in the history. A tool that changes such a file has it kept first, in a
 * commit of its own; that the commits before do not have it says nothing of whether it was there then. So a restore to
 * one of them must not take it for a file that was made later.
 */
import { Pace } from "../../yield.ts";
import { isKeeping } from "../change/message.ts";
import { type ObjectStore } from "../objects/object_store.ts";
import { pairRenames } from "./rename_pairs.ts";
import { diffTrees } from "./tree_diff.ts";

export interface FirstKeptQuery {
  readonly store: ObjectStore;
  /** The last commit, and the one to which it is looked back; that one does not have the names. */
  readonly head: string | undefined;
  readonly since: string;
  /** Of files in the last commit, as byte strings. */
  readonly names: readonly string[];
  /** Commits whose parents are not there. */
  readonly shallow: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/** The commits that kept files as they were found, for those that came into the history that way; by name. */
export async function firstKept(query: FirstKeptQuery): Promise<Map<string, string>> {
  const { store, since, names, shallow, signal } = query;
  const found = new Map<string, string>();
  /** What each was called at the commit that is looked at. */
  const called = new Map(names.map((name) => [name, name]));
  const pace = new Pace(signal);
  for (let at = query.head; at !== undefined && at !== since && called.size > 0;) {
    await pace.step();
    const { tree, parents: [parent], message } = store.commit(at);
    if (shallow.has(at)) break;
    const before = parent === undefined ? undefined : store.commit(parent).tree;
    const differences = [...diffTrees(store, { before, after: tree, path: "" })];
    const isConcerned = differences.some(({ name, before }) => before === undefined && called.has(name));
    for (const one of isConcerned ? await pairRenames(differences, nothing, pace) : []) {
      const name = called.get(one.name);
      if (name === undefined || one.before !== undefined && one.renamed === undefined) continue;
      if (isKeeping(message)) found.set(name, at);
      else if (one.renamed === undefined) found.delete(name); // a tool made it, unless it was there even before
      else {
        called.delete(one.name);
        called.set(one.renamed.from, name);
      }
    }
    at = parent;
  }
  return found;
}

/** Only equal contents count as renamed: a move by a tool changes nothing. */
function nothing(): undefined {}
