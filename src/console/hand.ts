/** The writing half of the console: undoes changes exactly as a preview has shown, and in no other way. */
import type { ConsoleSources, RootConfig } from "../base/config.ts";
import { PaddockError } from "../base/errors.ts";
import type { Changing } from "../engine/changing.ts";
import { type ConfinedRoot, resolvePath } from "../engine/fence.ts";
import type { ChangeRequest, FileChange } from "../engine/history/mod.ts";
import { Locks } from "../engine/locks.ts";
import { TempSweeper } from "../engine/temp_sweeper.ts";
import { UndoOperations } from "../engine/undo/asking.ts";
import { StoreKeeper } from "../engine/undo/mod.ts";
import { Workspaces } from "../surfaces/workspaces/workspaces.ts";
import type { Done, FileStatus } from "./api_types.ts";
import { confinedRoots } from "./confined_sources.ts";
import type { Asked } from "./messages.ts";

/** The client name under which it is recorded. */
const CLIENT = "paddock console";
const WAIT_MS = 5_000;
const LOCK_WAIT_MS = 10_000;
const MOST_FILES = 200;

type Half = { root: string; id: string };

export class Hand {
  readonly #config: ConsoleSources;
  readonly #confined: ReadonlyMap<string, ConfinedRoot>;
  readonly #workspaces: Workspaces | undefined;
  readonly #keepers = new Map<string, StoreKeeper>();
  readonly #changing: Changing;

  constructor(config: ConsoleSources) {
    this.#config = config;
    this.#confined = confinedRoots(config);
    this.#workspaces = config.workspaces === undefined ? undefined : new Workspaces(config.workspaces);
    const { umask } = config;
    this.#changing = { locks: new Locks(), sweeper: new TempSweeper(), umask, lockWaitMs: LOCK_WAIT_MS };
  }

  async undo({ source, ids, plan }: Asked<"undo">): Promise<Done> {
    const [kind, name] = partsOf(source);
    if (kind === "workspace") return await this.#revertCommit(name, { source, ids, plan });
    const { undone, change, files, merged, also = [] } = await this.#operations(name).undo({
      ids,
      count: ids.length,
      dryRun: false,
      plan,
    });
    return this.#done({ source, kind: "undo", change, undone, files, merged, also });
  }

  async restore({ source, path, at, plan }: Asked<"restore">): Promise<Done> {
    const [kind, name] = partsOf(source);
    if (kind === "workspace") return await this.#restoreWorkspace(name, { source, path, at, plan });
    const { root } = this.#root(name);
    const relative = resolvePath(root, path === "" ? "." : path, { follow: false, change: true }).relative;
    const { change, files } = await this.#operations(name).restore({
      path: relative,
      at,
      dryRun: false,
      plan,
    });
    return this.#done({ source, kind: "restore", change, undone: [], files, merged: [], also: [] });
  }

  async close(): Promise<void> {
    for (const keeper of this.#keepers.values()) await keeper.close();
    this.#keepers.clear();
  }

  async #restoreWorkspace(
    name: string,
    { source, path, at, plan }: Asked<"restore">,
  ): Promise<Done> {
    const { root, history } = await this.#workspace(name, source);
    const below = resolvePath(root, path === "" ? "." : path, { follow: false, change: true }).relative;
    const { commit, changed, value } = await history.restore(this.#request("restore"), {
      commit: at,
      maxFiles: MOST_FILES,
      plan,
      ...(below !== "" && { path: below }),
    });
    const made = { source, kind: "restore" as const, change: changed ? commit : null };
    return doneInWorkspace(made, { files: value.files, count: value.count });
  }

  async #revertCommit(name: string, { source, ids, plan }: Asked<"undo">): Promise<Done> {
    const { history } = await this.#workspace(name, source);
    const [id = "", ...others] = ids;
    if (others.length > 0) {
      throw new PaddockError("INVALID_INPUT", "commits of a workspace can only be undone one by one");
    }
    const { commit, changed, value } = await history.revert(this.#request("revert"), id, plan);
    const { reverted, files, merged } = value;
    const made = { source, kind: "undo" as const, change: changed ? commit : null };
    return {
      ...doneInWorkspace(made, { files, count: files.length }),
      undone: [reverted],
      merged: [...merged],
    };
  }

  async #workspace(name: string, source: string) {
    const workspaces = this.#workspaces;
    if (workspaces === undefined) throw noSource(source);
    if (this.#config.readOnly) throw readOnly(source);
    const found = await workspaces.find(name);
    await found.history.heal();
    return found;
  }

  #request(tool: string): ChangeRequest {
    return { tool, client: CLIENT, waitMs: LOCK_WAIT_MS, umask: this.#config.umask };
  }

  #operations(name: string): UndoOperations {
    const { root, config: { undo, readOnly: isReadOnly } } = this.#root(name);
    if (this.#config.readOnly || isReadOnly === true) throw readOnly(name);
    if (undo === undefined || "off" in undo) {
      throw new PaddockError("UNSUPPORTED", `changes of root ${name} are not recorded`);
    }
    const keeper = this.#keepers.get(name) ?? new StoreKeeper(root, undo);
    this.#keepers.set(name, keeper);
    return new UndoOperations(keeper, {
      changing: this.#changing,
      client: CLIENT,
      session: null,
      waitMs: WAIT_MS,
    });
  }

  #root(name: string): { root: ConfinedRoot; config: RootConfig } {
    const root = this.#confined.get(name);
    const config = this.#config.roots.find((one) => one.name === name);
    if (root === undefined || config === undefined) throw noSource(`root:${name}`);
    return { root, config };
  }

  #done(
    { source, kind, change, undone, files, merged, also }:
      & Pick<Done, "source" | "kind" | "undone" | "merged">
      & {
        change: string | undefined;
        files: { path: string; status: FileStatus; to?: string }[];
        also: readonly Half[];
      },
  ): Done {
    return {
      source,
      kind,
      change: change ?? null,
      undone,
      files: files.slice(0, MOST_FILES).map(({ path, status, to }) => ({ path, status, to: to ?? null })),
      file_count: files.length,
      merged,
      also: also.map((half) => ({
        source: this.#confined.has(half.root) ? `root:${half.root}` : null,
        ...half,
      })),
    };
  }
}

function doneInWorkspace(
  made: Pick<Done, "source" | "kind" | "change">,
  { files, count }: { files: readonly FileChange[]; count: number },
): Done {
  return {
    ...made,
    undone: [],
    files: files.slice(0, MOST_FILES).map(({ path, status, from }) => ({
      path: from ?? path,
      status: STATUSES[status],
      to: from === undefined ? null : path,
    })),
    file_count: count,
    merged: [],
    also: [],
  };
}

const STATUSES = { added: "created", modified: "changed", deleted: "removed", renamed: "moved" } as const;

function partsOf(source: string): [kind: string, name: string] {
  const cut = source.indexOf(":");
  return [source.slice(0, Math.max(cut, 0)), source.slice(cut + 1)];
}

function noSource(source: string): PaddockError {
  return new PaddockError("NOT_FOUND", `no source ${JSON.stringify(source.slice(0, 100))}`);
}

function readOnly(name: string): PaddockError {
  return new PaddockError("NOT_ALLOWED", `${name} is read-only: nothing can be undone from here`);
}
