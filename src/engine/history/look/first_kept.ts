/**
 * Files that a person had before they were in the history. A tool that changes such a file records it first, in a
 * commit of its own; that earlier commits do not have it does not mean that it did not exist then. So a restore to
 * one of them must not take it for a file that was created later.
 */
import { Pace } from "../../yield.ts";
import { isKeeping } from "../change/message.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { pairRenames } from "./rename_pairs.ts";
import { diffTrees } from "./tree_diff.ts";

export interface FirstKeptQuery {
  readonly store: ObjectStore;
  /** The last commit, and the one to look back to, which does not have the names. */
  readonly head: string | undefined;
  readonly since: string;
  /** Files of the last commit, as byte strings. */
  readonly names: readonly string[];
  /** Commits whose parents are missing. */
  readonly shallow: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/** By name: the commits that recorded files as they were found, for files that came into the history that way. */
export async function firstKept(query: FirstKeptQuery): Promise<Map<string, string>> {
  const { store, since, names, shallow, signal } = query;
  const found = new Map<string, string>();
  /** What each was called at the commit at hand. */
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
      else if (one.renamed === undefined) found.delete(name); // a tool created it, unless it existed even earlier
      else {
        called.delete(one.name);
        called.set(one.renamed.from, name);
      }
    }
    at = parent;
  }
  return found;
}

/** Only equal contents count as renamed: when a tool moves a file, its content stays. */
function nothing(): undefined {}
