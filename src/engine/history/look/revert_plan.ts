/**
 * Plans how to revert one commit and keep what came after it. A file that is still as the commit left it gets its
 * earlier content; one that was changed since gets the reverse of the commit by a three-way merge; one that was
 * moved since is followed. If something does not fit, all conflicts are reported and nothing is done.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import { merge } from "../../undo/merge.ts";
import { Pace } from "../../yield.ts";
import type { Wanted } from "../change/preparation.ts";
import type { Disk, OnDisk } from "../files/disk.ts";
import { fromBytes, isUtf8, toBytes } from "../objects/byte_names.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { type Commit, hashObject, MODE_LINK, MODE_REPOSITORY } from "../objects/objects.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { isSameEntry } from "../objects/tree_edits.ts";
import { MAX_TEXT } from "./commit_diff.ts";
import { contentsIn } from "./contents.ts";
import { type ContentOf, type Paired, pairRenames } from "./rename_pairs.ts";
import { type Difference, diffTrees, lookAt } from "./tree_diff.ts";

export interface RevertQuery {
  readonly store: ObjectStore;
  readonly disk: Disk;
  readonly commit: string;
  /** The tree of the last commit. */
  readonly last: string | undefined;
  /** In words, the last commit that changed a file. */
  lastChange(path: string): Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

export interface RevertPlan {
  readonly steps: readonly Wanted[];
  /** The same steps as the content of each file now and afterwards. */
  readonly changes: readonly Difference[];
  /** Files in which the revert is merged with later changes. */
  readonly merged: readonly string[];
  /** The merged contents, by git object name. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

interface Conflict {
  readonly path: string;
  readonly why: string;
  /** The lines changed since, counted from 1. */
  readonly lines?: { readonly first: number; readonly last: number };
}

/** How many conflicts are reported. */
const MOST_REPORTED = 10;

export async function planRevert(query: RevertQuery): Promise<RevertPlan> {
  const { store, commit, signal } = query;
  const details = store.commit(commit);
  const [parent, ...others] = details.parents;
  if (others.length > 0) {
    throw new PaddockError(
      "UNSUPPORTED",
      `${commit.slice(0, DIGITS)} is a merge; revert it with git revert -m`,
    );
  }
  const before = parent === undefined ? undefined : store.commit(parent).tree;
  const pace = new Pace(signal);
  const contentOf = contentsIn(store);
  const changes = await pairRenames(
    [...diffTrees(store, { before, after: details.tree, path: "" })],
    contentOf,
    pace,
  );
  const reverting = new Reverting(query, await movedSince(query, details, { contentOf, pace }));
  for (const change of changes) {
    await pace.step();
    await reverting.add(change);
  }
  return reverting.plan();
}

const DIGITS = 10;

/** Current names of the commit's files, as byte strings. */
async function movedSince(
  { store, last }: RevertQuery,
  { tree }: Commit,
  { contentOf, pace }: { contentOf: ContentOf; pace: Pace },
): Promise<ReadonlyMap<string, string>> {
  const since = [...diffTrees(store, { before: tree, after: last, path: "" })];
  const paired = await pairRenames(since, contentOf, pace);
  return new Map(paired.flatMap(({ name, renamed }) => renamed === undefined ? [] : [[renamed.from, name]]));
}

class Reverting {
  readonly #query: RevertQuery;
  readonly #moved: ReadonlyMap<string, string>;
  readonly #removes: Wanted[] = [];
  readonly #writes: Wanted[] = [];
  readonly #changes: Difference[] = [];
  readonly #merged: string[] = [];
  readonly #contents = new Map<string, Uint8Array>();
  readonly #conflicts: Conflict[] = [];

  constructor(query: RevertQuery, moved: ReadonlyMap<string, string>) {
    this.#query = query;
    this.#moved = moved;
  }

  async add(change: Paired): Promise<void> {
    const { name, before, after, renamed } = change;
    const path = fromBytes(name);
    if (!isUtf8(name) || [before, after].some((entry) => entry !== undefined && !isPlain(entry))) {
      return this.#conflict(
        path,
        "links, submodules and names that are not UTF-8 cannot be reverted here; use git revert",
      );
    }
    if (before === undefined) return await this.#takeAway(name, after);
    if (after === undefined) return await this.#bringBack(name, before);
    const from = renamed === undefined ? undefined : fromBytes(renamed.from);
    await this.#change(name, { before, after }, from);
  }

  plan(): RevertPlan {
    if (this.#conflicts.length === 0) {
      const steps = [...this.#removes, ...this.#writes];
      return { steps, changes: this.#changes, merged: this.#merged, contents: this.#contents };
    }
    const listed = this.#conflicts.slice(0, MOST_REPORTED).map(({ path, why }) => `${quote(path)}: ${why}`);
    const more = this.#conflicts.length - listed.length;
    throw new PaddockError(
      "CONFLICT",
      `commit ${this.#query.commit.slice(0, DIGITS)} cannot be reverted without undoing later changes. ` +
        `${listed.join("; ")}${
          more > 0 ? `; and ${more} more files` : ""
        }. Nothing was changed. Revert the later commit ` +
        "first, or edit the file",
      { data: { conflicts: this.#conflicts.slice(0, MOST_REPORTED) } },
    );
  }

  #conflict(path: string, why: string, lines?: Conflict["lines"]): void {
    this.#conflicts.push({ path, why, ...(lines && { lines }) });
  }

  /** Reverts the creation of a file. */
  async #takeAway(name: string, after: TreeEntry | undefined): Promise<void> {
    const { path, now } = await this.#now(name);
    if (now === undefined) return;
    if (now.entry.oid !== after?.oid) {
      return this.#conflict(
        path,
        `it was created then and changed since (${await this.#query.lastChange(path)})`,
      );
    }
    this.#remove(path, now.entry);
  }

  /** Reverts the removal of a file. */
  async #bringBack(name: string, before: TreeEntry): Promise<void> {
    const path = fromBytes(name);
    const now = await lookAt(this.#query.disk, path);
    if (isSameEntry(now?.entry, before)) return;
    if (now !== undefined) return this.#conflict(path, "another file is there now");
    this.#write(path, before, undefined);
  }

  async #change(
    name: string,
    { before, after }: { before: TreeEntry; after: TreeEntry },
    from: string | undefined,
  ): Promise<void> {
    const { path, now } = await this.#now(name);
    if (now === undefined) return this.#conflict(path, `it is gone (${await this.#query.lastChange(path)})`);
    const isElsewhere = path !== fromBytes(name);
    if (from !== undefined && isElsewhere) {
      return this.#conflict(
        path,
        `it was moved then and again since (${await this.#query.lastChange(path)})`,
      );
    }
    const to = from ?? path;
    if (to !== path && await lookAt(this.#query.disk, to) !== undefined) {
      return this.#conflict(to, "another file is there now");
    }
    const mode = now.entry.mode === after.mode ? before.mode : now.entry.mode;
    if (to !== path) this.#remove(path, now.entry);
    if (now.entry.oid === before.oid || now.entry.oid === after.oid) {
      const entry = { mode, oid: before.oid };
      if (to !== path) this.#write(to, entry, undefined);
      else if (!isSameEntry(now.entry, entry)) this.#write(to, entry, now.entry);
      return;
    }
    await this.#merge({ path, to, now }, { before, after });
  }

  async #merge(
    { path, to, now }: { path: string; to: string; now: OnDisk },
    { before, after }: { before: TreeEntry; after: TreeEntry },
  ): Promise<void> {
    const { store, disk } = this.#query;
    const sizes = [before, after].map(({ oid }) => store.size(oid)).concat(now.info.size);
    if (Math.max(...sizes) > MAX_TEXT) {
      return this.#conflict(path, "it was changed since, and is too large to merge");
    }
    const ours = now.bytes ?? store.blob(now.entry.oid);
    const merged = await merge({ base: store.blob(after.oid), ours, theirs: store.blob(before.oid) });
    if ("bytes" in merged) {
      this.#merged.push(to);
      const oid = hashObject("blob", merged.bytes);
      this.#contents.set(oid, merged.bytes);
      this.#changed(to, to === path ? now.entry : undefined, { mode: now.entry.mode, oid });
      const permissions = (now.info.mode ?? 0o644) & 0o777;
      this.#writes.push({
        kind: "put",
        path: disk.at(to),
        bytes: merged.bytes,
        ...(to === path ? { madeFrom: ours } : { permissions }),
      });
      return;
    }
    const by = await this.#query.lastChange(path);
    if ("refused" in merged) {
      return this.#conflict(path, `it was changed since (${by}), and ${merged.refused}`);
    }
    const { first, last } = merged.conflict;
    const lines = first === last ? `line ${first} was` : `lines ${first}-${last} were`;
    this.#conflict(path, `${lines} changed since (${by})`, merged.conflict);
  }

  /** A file of the commit as it is now, possibly under another name. */
  async #now(name: string): Promise<{ path: string; now: OnDisk | undefined }> {
    const { disk } = this.#query;
    const path = fromBytes(name);
    const now = await lookAt(disk, path);
    const moved = now === undefined ? this.#moved.get(name) : undefined;
    if (moved === undefined || !isUtf8(moved)) return { path, now };
    return { path: fromBytes(moved), now: await lookAt(disk, fromBytes(moved)) };
  }

  #remove(path: string, now: TreeEntry): void {
    this.#removes.push({ kind: "revert", path: this.#query.disk.at(path), entry: undefined });
    this.#changed(path, now, undefined);
  }

  #write(path: string, entry: TreeEntry, now: TreeEntry | undefined): void {
    this.#writes.push({ kind: "revert", path: this.#query.disk.at(path), entry });
    this.#changed(path, now, entry);
  }

  #changed(path: string, before: TreeEntry | undefined, after: TreeEntry | undefined): void {
    this.#changes.push({ name: toBytes(path), before, after });
  }
}

function isPlain({ mode }: TreeEntry): boolean {
  return mode !== MODE_LINK && mode !== MODE_REPOSITORY;
}
