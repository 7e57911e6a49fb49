/** A workspace's history: makes changes through git_store.ts, and reads back what was changed. */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../confine/path_rules.ts";
import type { ConfinedRoot } from "../../confine/resolve_path.ts";
import { Pace } from "../yield.ts";
import { fromBytes, toBytes } from "./objects/byte_names.ts";
import { fileChange, MAX_TEXT, writeDifferences } from "./look/commit_diff.ts";
import type { InnerPlan } from "./change/change_run.ts";
import { contentsIn, unrecorded } from "./look/contents.ts";
import { firstKept } from "./look/first_kept.ts";
import { GitStore, type GitStoreOptions } from "./git_store.ts";
import { HistoryLog, shallowOf, summaryOf } from "./look/log.ts";
import { MODE_REPOSITORY } from "./objects/objects.ts";
import { type ContentOf, type Paired, pairRenames } from "./look/rename_pairs.ts";
import { agreedPlan } from "./look/plan_hash.ts";
import { planRestore } from "./look/restore_plan.ts";
import { planRevert } from "./look/revert_plan.ts";
import { resolveRevision } from "./look/revisions.ts";
import type {
  Changed,
  ChangeRequest,
  CommitDetails,
  Compared,
  Differences,
  DiffLimits,
  DiffQuery,
  FileVersions,
  History,
  LogPage,
  LogQuery,
  Plan,
  PlannedRestore,
  PlannedRevert,
  Restored,
  RestoreQuery,
  Reverted,
  Version,
  VersionsQuery,
} from "./store.ts";
import type { TreeEntry } from "./objects/tree.ts";
import {
  type Difference,
  diffTrees,
  diffWorkingTree,
  type DiskDifference,
  lookAt,
} from "./look/tree_diff.ts";
import { entryAt, filesBelow } from "./objects/tree_edits.ts";

interface Limits {
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly signal?: AbortSignal | undefined;
}

export class GitHistory implements History {
  readonly #store: GitStore;
  readonly #log: HistoryLog;

  constructor(root: ConfinedRoot, options: GitStoreOptions = {}) {
    this.#store = new GitStore(root, options);
    this.#log = new HistoryLog(this.#store.git, this.#store.objects);
  }

  change<T>(request: ChangeRequest, plan: () => Promise<Plan<T>> | Plan<T>): Promise<Changed<T>> {
    return this.#store.change(request, plan);
  }

  heal(): Promise<void> {
    return this.#store.heal();
  }

  close(): void {
    this.#store.close();
  }

  async log(query: LogQuery): Promise<LogPage> {
    this.#store.notes.write();
    const last = this.#store.lastCommit();
    return await this.#log.page(query.from === undefined ? last : this.#resolve(query.from), query);
  }

  async show(commit: string, limits: Limits): Promise<CommitDetails> {
    const { objects } = this.#store;
    const oid = this.#resolve(commit);
    const details = objects.commit(oid);
    const [parent] = details.parents;
    const before = parent !== undefined && objects.has(parent) ? objects.commit(parent).tree : undefined;
    const trees = { before, after: details.tree, path: "" };
    const differences = await this.#differences(diffTrees(objects, trees), limits);
    return { ...summaryOf(oid, details), ...differences };
  }

  async diff(query: DiffQuery): Promise<Compared> {
    const { objects } = this.#store;
    const path = cleanPath(query.path);
    const from = this.#resolve(query.from);
    const before = objects.commit(from).tree;
    const to = query.to === undefined ? undefined : this.#resolve(query.to);
    const found = to === undefined
      ? this.#workingDifferences(before, path, query.signal)
      : diffTrees(objects, { before, after: objects.commit(to).tree, path });
    return { ...await this.#differences(found, query), from, to };
  }

  async planRestore(query: RestoreQuery & { readonly maxBytes?: number }): Promise<PlannedRestore> {
    const { maxBytes = 0, maxFiles, signal } = query;
    const { value, changes } = await this.#planRestore(query);
    const { objects: store, disk } = this.#store;
    const found = await unrecorded(changes.slice(0, maxFiles), { store, disk, signal });
    const limits = { maxBytes, maxFiles, pace: new Pace(signal) };
    const { diff, truncated } = await writeDifferences(changes, contentsIn(store, found), limits);
    return { ...value, diff, truncated };
  }

  async preview<T>(
    request: ChangeRequest,
    plan: () => Promise<Plan<T>> | Plan<T>,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: T }> {
    return await this.#preview(request, plan, limits);
  }

  async #preview<T>(
    request: ChangeRequest,
    plan: () => Promise<InnerPlan<T>> | InnerPlan<T>,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: T }> {
    const { objects } = this.#store;
    return await this.#store.preview(request, plan, async ({ value, ...trees }) => {
      const differences = diffTrees(objects, { ...trees, path: "" });
      return { ...await this.#differences(differences, { ...limits, signal: request.signal }), value };
    });
  }

  async restore(request: ChangeRequest, query: RestoreQuery): Promise<Changed<Restored>> {
    return await this.#store.change(request, async () => {
      const { value, changes, commit } = await this.#planRestore({ ...query, signal: request.signal });
      const what = cleanPath(query.path) === "" ? "workspace" : fromBytes(cleanPath(query.path));
      const steps = changes.map(({ name, after }) => ({
        kind: "revert" as const,
        path: this.#store.disk.at(fromBytes(name)),
        entry: after,
      }));
      const isRepository = ({ entry }: { entry: TreeEntry | undefined }) => entry?.mode === MODE_REPOSITORY;
      return {
        summary: `Restore ${what} to ${commit.slice(0, DIGITS)}`,
        // Create the folder of a nested repository last: files may be in its place until then.
        steps: [...steps.filter((step) => !isRepository(step)), ...steps.filter(isRepository)],
        value,
      };
    });
  }

  async versions(
    { from, to, path: given, renames = true, signal }: VersionsQuery,
  ): Promise<readonly FileVersions[]> {
    const { objects } = this.#store;
    const path = cleanPath(given);
    const last = to === undefined ? undefined : this.#resolve(to);
    const first = from === undefined ? parentOf(objects, last) : this.#resolve(from);
    const before = this.#store.treeOf(first);
    const found = last === undefined
      ? this.#workingDifferences(before, path, signal)
      : diffTrees(objects, { before, after: this.#store.treeOf(last), path });
    const pace = new Pace(signal);
    const all: Difference[] = [];
    for await (const one of found) {
      all.push(one);
      await pace.step();
    }
    if (!renames) return all.map(versionsOf);
    const contentOf: ContentOf = ({ before, after }, side) => {
      const oid = side === "before" ? before?.oid : after?.oid;
      return oid === undefined || !objects.has(oid) || objects.size(oid) > MAX_TEXT
        ? undefined
        : objects.blob(oid);
    };
    return (await pairRenames(all, contentOf, pace)).map(versionsOf);
  }

  async restoredVersions(query: RestoreQuery): Promise<readonly FileVersions[]> {
    return (await this.#planRestore(query)).changes.map(versionsOf);
  }

  async content(
    oid: string,
    { path, most }: { path?: string | undefined; most: number },
  ): Promise<Uint8Array | undefined> {
    const { objects, disk } = this.#store;
    if (objects.has(oid)) return objects.size(oid) > most ? undefined : objects.blob(oid);
    if (path === undefined) return undefined;
    const seen = await lookAt(disk, path);
    return seen?.entry.oid !== oid || (seen.bytes?.length ?? 0) > most ? undefined : seen.bytes;
  }

  size(oid: string): number | undefined {
    const { objects } = this.#store;
    return objects.has(oid) ? objects.size(oid) : undefined;
  }

  async seen(path: string): Promise<Version | undefined> {
    this.#loadIndex();
    const { disk } = this.#store;
    return (await lookAt(disk, path))?.entry;
  }

  head(): string | undefined {
    return this.#store.lastCommit();
  }

  async #planRestore({ commit: name, path: given, maxFiles, signal, plan: expected }: RestoreQuery) {
    const { objects, index, disk } = this.#store;
    const commit = this.#resolve(name);
    const path = cleanPath(given);
    const { tree: target } = objects.commit(commit);
    const last = this.#loadIndex();
    const isKnown = entryAt(objects, target, path) !== undefined || !index.namesBelow(path).next().done;
    if (path !== "" && !isKnown) {
      throw new PaddockError(
        "NOT_FOUND",
        `${quote(given ?? "")} is neither in commit ${commit} nor in the last one`,
      );
    }
    const conversions = this.#store.conversions(last);
    const [head, shallow] = [this.#store.lastCommit(), shallowOf(this.#store.git)];
    const { changes, skipped } = await planRestore({
      store: objects,
      index,
      disk,
      conversions,
      target,
      last,
      path,
      firstKept: (names) => firstKept({ store: objects, head, since: commit, names, shallow, signal }),
      signal,
    });
    const value: Restored = {
      plan: agreedPlan({ commit, changes }, expected),
      files: changes.slice(0, maxFiles).map(fileChange),
      count: changes.length,
      skipped: skipped.slice(0, maxFiles),
      skippedCount: skipped.length,
    };
    return { value, changes, commit };
  }

  async revert(request: ChangeRequest, commit: string, plan?: string): Promise<Changed<Reverted>> {
    return await this.#store.change(
      request,
      () => this.#planRevert(commit, { plan, signal: request.signal }),
    );
  }

  async previewRevert(
    request: ChangeRequest,
    commit: string,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: Reverted }> {
    return await this.#preview(request, () => this.#planRevert(commit, { signal: request.signal }), limits);
  }

  async planRevert(commit: string, signal?: AbortSignal): Promise<PlannedRevert> {
    const { value, changes, contents } = await this.#planRevert(commit, { signal });
    return { ...value, versions: changes.map(versionsOf), contents };
  }

  async #planRevert(
    name: string,
    { plan, signal }: { plan?: string | undefined; signal: AbortSignal | undefined },
  ) {
    const { objects, disk } = this.#store;
    const commit = this.#resolve(name);
    const last = this.#loadIndex();
    const lastChange = async (path: string) => {
      const { entries: [entry] } = await this.log({ path, limit: 1, signal });
      return entry === undefined ? "outside" : `by ${entry.commit.slice(0, DIGITS)}`;
    };
    const query = { store: objects, disk, commit, last, lastChange, signal };
    const { steps, changes, merged, contents } = await planRevert(query);
    const [subject = ""] = objects.commit(commit).message.split("\n", 1);
    const value: Reverted = {
      reverted: commit,
      merged,
      plan: agreedPlan({ commit, changes }, plan),
      files: changes.map(fileChange),
    };
    return { summary: `Revert ${commit.slice(0, DIGITS)} (${subject})`, steps, value, changes, contents };
  }

  #workingDifferences(tree: string | undefined, path: string, signal: AbortSignal | undefined) {
    const { objects, index, disk } = this.#store;
    this.#loadIndex();
    return diffWorkingTree({ store: objects, index, disk, tree, path, signal });
  }

  /** Returns the tree of the last commit. */
  #loadIndex(): string | undefined {
    const { objects, index } = this.#store;
    const last = this.#store.treeOf(this.#store.lastCommit());
    index.load(() => filesBelow(objects, entryAt(objects, last, ""), ""));
    return last;
  }

  async #differences(
    differences: Iterable<Difference> | AsyncIterable<DiskDifference>,
    limits: Limits,
  ): Promise<Differences> {
    const pace = new Pace(limits.signal);
    const found: (Difference | DiskDifference)[] = [];
    for await (const one of differences) {
      found.push(one);
      await pace.step();
    }
    const onDisk = found.flatMap((one) => "now" in one && one.now !== undefined ? [one.now] : []);
    const contentOf = contentsIn(this.#store.objects, new Map(onDisk.map((now) => [now.entry.oid, now])));
    return await writeDifferences(await pairRenames(found, contentOf, pace), contentOf, { ...limits, pace });
  }

  #resolve(commit: string): string {
    const { git, objects: store } = this.#store;
    return resolveRevision(commit, { store, head: this.#store.lastCommit(), shallow: shallowOf(git) });
  }
}

const DIGITS = 10;

function parentOf(objects: GitStore["objects"], commit: string | undefined): string | undefined {
  const [parent] = commit === undefined ? [] : objects.commit(commit).parents;
  return parent !== undefined && objects.has(parent) ? parent : undefined;
}

function versionsOf({ name, before, after, renamed }: Paired): FileVersions {
  const version = (entry: TreeEntry | undefined) => entry && { mode: entry.mode, oid: entry.oid };
  return {
    path: fromBytes(name),
    ...(renamed !== undefined && { from: fromBytes(renamed.from) }),
    before: version(before),
    after: version(after),
  };
}

/** A byte string; empty for the whole workspace. */
function cleanPath(path: string | undefined): string {
  return toBytes((path ?? "").split("/").filter((name) => name !== "" && name !== ".").join("/"));
}
