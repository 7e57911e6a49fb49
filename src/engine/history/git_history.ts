/** The History of a workspace: changes through git_store.ts, and the ways to look back at them. */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../confine/path_rules.ts";
import { type ConfinedRoot } from "../../confine/resolve_path.ts";
import { Pace } from "../yield.ts";
import { fromBytes, toBytes } from "./objects/byte_names.ts";
import { fileChange, MAX_TEXT, writeDifferences } from "./look/commit_diff.ts";
import { firstKept } from "./look/first_kept.ts";
import { GitStore, type GitStoreOptions } from "./git_store.ts";
import { HistoryLog, shallowOf, summaryOf } from "./look/log.ts";
import { MODE_REPOSITORY } from "./objects/objects.ts";
import { type ContentOf, pairRenames } from "./look/rename_pairs.ts";
import { planRestore } from "./look/restore_plan.ts";
import { resolveRevision } from "./look/revisions.ts";
import {
  type Changed,
  type ChangeRequest,
  type CommitDetails,
  type Differences,
  type DiffQuery,
  type History,
  type LogPage,
  type LogQuery,
  type Plan,
  type Restored,
  type RestoreQuery,
} from "./store.ts";
import { type TreeEntry } from "./objects/tree.ts";
import { type Difference, diffTrees, diffWorkingTree, type DiskDifference } from "./look/tree_diff.ts";
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
    return await this.#log.page(this.#store.lastCommit(), query);
  }

  async show(commit: string, limits: Limits): Promise<CommitDetails> {
    const { objects } = this.#store;
    const oid = this.#resolve(commit);
    const details = objects.commit(oid);
    const [parent] = details.parents;
    const before = parent !== undefined && objects.has(parent) ? objects.commit(parent).tree : undefined;
    const trees = { before, after: details.tree, path: "" };
    const differences = await this.#differences(diffTrees(objects, trees), limits);
    return { ...summaryOf(oid, details), parents: details.parents, ...differences };
  }

  async diff(query: DiffQuery): Promise<Differences> {
    const { objects } = this.#store;
    const path = cleanPath(query.path);
    const before = objects.commit(this.#resolve(query.from)).tree;
    if (query.to !== undefined) {
      const after = objects.commit(this.#resolve(query.to)).tree;
      return await this.#differences(diffTrees(objects, { before, after, path }), query);
    }
    return await this.#differences(this.#workingDifferences(before, path, query.signal), query);
  }

  async planRestore(query: RestoreQuery): Promise<Restored> {
    return (await this.#planRestore(query)).value;
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
        // The folder of a nested repository is made last, when the files are gone that may be in its place.
        steps: [...steps.filter((step) => !isRepository(step)), ...steps.filter(isRepository)],
        value,
      };
    });
  }

  async #planRestore({ commit: name, path: given, maxFiles, signal }: RestoreQuery) {
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
      files: changes.slice(0, maxFiles).map(fileChange),
      count: changes.length,
      skipped: skipped.slice(0, maxFiles),
      skippedCount: skipped.length,
    };
    return { value, changes, commit };
  }

  #workingDifferences(tree: string, path: string, signal: AbortSignal | undefined) {
    const { objects, index, disk } = this.#store;
    this.#loadIndex();
    return diffWorkingTree({ store: objects, index, disk, tree, path, signal });
  }

  /** Gives the tree of the last commit. */
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
    const { objects } = this.#store;
    const pace = new Pace(limits.signal);
    const found: (Difference | DiskDifference)[] = [];
    for await (const one of differences) {
      found.push(one);
      await pace.step();
    }
    const onDisk = new Map(
      found.flatMap((one) => "now" in one && one.now !== undefined ? [[one.now.entry.oid, one.now]] : []),
    );
    const contentOf: ContentOf = ({ before, after }, side) => {
      const oid = side === "before" ? before?.oid : after?.oid;
      if (oid === undefined) return new Uint8Array();
      const now = side === "after" ? onDisk.get(oid) : undefined;
      if (now?.isLarge === true) return undefined;
      const size = now?.bytes?.length ?? objects.size(oid);
      return size > MAX_TEXT ? undefined : now?.bytes ?? objects.blob(oid);
    };
    return await writeDifferences(await pairRenames(found, contentOf, pace), contentOf, { ...limits, pace });
  }

  #resolve(commit: string): string {
    return resolveRevision(this.#store.objects, this.#store.lastCommit(), commit);
  }
}

const DIGITS = 10;

/** A byte string; empty for the whole workspace. */
function cleanPath(path: string | undefined): string {
  return toBytes((path ?? "").split("/").filter((name) => name !== "" && name !== ".").join("/"));
}
