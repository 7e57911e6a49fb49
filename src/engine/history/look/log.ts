/**
 * Reads the history: the commits that led to the last one, newest first, as `git log` lists them; for one path
 * those that changed it, following renames as `git log --follow` does.
 */
import { Pace } from "../../yield.ts";
import { toBytes } from "../objects/byte_names.ts";
import { ChangeCache, mayTouch } from "../change/change_cache.ts";
import { sourceOf } from "./follow.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { Lru } from "../objects/lru.ts";
import { type Commit, MODE_FOLDER } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import type { CommitSummary, LogPage, LogQuery } from "../store.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { entryAt, isSameEntry } from "../objects/tree_edits.ts";

export class HistoryLog {
  readonly #git: GitFolder;
  readonly #store: ObjectStore;
  /** Finding out where a file came from is expensive, and the answer never changes. */
  readonly #sources = new Lru<string>(2_000);

  constructor(git: GitFolder, store: ObjectStore) {
    this.#git = git;
    this.#store = store;
  }

  async page(head: string | undefined, query: LogQuery): Promise<LogPage> {
    const { path, limit, skip = 0, signal } = query;
    const name = path === undefined ? "" : toBytes(path.replace(/\/+$/, ""));
    const found = name === "" ? this.#all(head) : this.#touching(head, name);
    const entries: CommitSummary[] = [];
    const pace = new Pace(signal);
    let seen = 0;
    for (const oid of found) {
      await pace.step();
      if (oid === undefined || seen++ < skip) continue;
      if (entries.length >= limit) return { entries, more: true };
      entries.push(summaryOf(oid, this.#store.commit(oid)));
    }
    return { entries, more: false };
  }

  *#all(head: string | undefined): Generator<string> {
    const walk = new Walk(head, this.#store, shallowOf(this.#git));
    for (let oid = walk.next(); oid !== undefined; oid = walk.next()) {
      walk.add(this.#store.commit(oid).parents);
      yield oid;
    }
  }

  /** Undefined for a commit that does not touch the path, so that the caller can stop. */
  *#touching(head: string | undefined, path: string): Generator<string | undefined> {
    const cache = new ChangeCache(this.#git);
    const walk = new Walk(head, this.#store, shallowOf(this.#git));
    let name = path;
    /** Of the commit read last, whose tree is needed twice. */
    let last: { tree: string; entry: TreeEntry | undefined } | undefined;
    for (let oid = walk.next(); oid !== undefined; oid = walk.next()) {
      const cached = cache.find(oid);
      if (cached !== undefined && !mayTouch(cached.paths, name)) {
        walk.add(cached.parent === undefined ? [] : [cached.parent]);
        yield undefined;
        continue;
      }
      const { tree, parents } = this.#store.commit(oid);
      const [parent, ...others] = walk.add(parents);
      if (others.length > 0) { // a merge changes nothing that its parents did not change
        yield undefined;
        continue;
      }
      const before = parent === undefined ? undefined : this.#store.commit(parent).tree;
      const entry = last?.tree === tree ? last.entry : entryAt(this.#store, tree, name);
      const was = before === tree ? entry : entryAt(this.#store, before, name);
      last = before === undefined ? undefined : { tree: before, entry: was };
      const changed = !isSameEntry(entry, was);
      if (entry !== undefined && was === undefined && before !== undefined && entry.mode !== MODE_FOLDER) {
        name = this.#sourceOf(oid, { before, after: tree, path: name, entry });
        last = undefined;
      }
      yield changed ? oid : undefined;
    }
  }

  #sourceOf(oid: string, appearance: Parameters<typeof sourceOf>[1]): string {
    const key = `${oid} ${appearance.path}`;
    const source = this.#sources.get(key) ?? sourceOf(this.#store, appearance) ?? appearance.path;
    this.#sources.set(key, source);
    return source;
  }
}

/** The commits still to be read: the latest first, as in git. */
class Walk {
  readonly #store: ObjectStore;
  readonly #shallow: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  #waiting: string[] = [];
  #current = "";

  constructor(head: string | undefined, store: ObjectStore, shallow: ReadonlySet<string>) {
    this.#store = store;
    this.#shallow = shallow;
    if (head !== undefined) this.#waiting.push(head);
  }

  next(): string | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#current = next;
    return next;
  }

  /** Adds the parents of the last one; returns those that are in this repository. */
  add(parents: readonly string[]): readonly string[] {
    if (this.#shallow.has(this.#current)) return [];
    for (const parent of parents) {
      if (this.#waiting.length === 0 && parents.length === 1) {
        if (this.#seen.size > 0 && this.#seen.has(parent)) continue;
        this.#waiting.push(parent);
        continue;
      }
      if (this.#seen.has(parent)) continue;
      this.#seen.add(parent);
      const time = this.#store.commit(parent).committerTime;
      const at = this.#waiting.findIndex((one) => this.#store.commit(one).committerTime < time);
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, parent);
    }
    return parents;
  }
}

/** Commits whose parents were left out by a shallow clone. */
export function shallowOf(git: GitFolder): ReadonlySet<string> {
  return new Set(git.readText("shallow")?.split("\n").filter((line) => line !== "") ?? []);
}

export function summaryOf(commit: string, { author, authorTime, message, parents }: Commit): CommitSummary {
  return { commit, author, date: new Date(authorTime * 1000).toISOString(), message, parents };
}
