/** A root with its undo store, opened read-only. */
import type { RootConfig } from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedRoot, resolvePath } from "../../engine/fence.ts";
import {
  changesToUndo,
  entryOf,
  fileVersions,
  hasDatabase,
  lookAt,
  marksOf,
  restorePlan,
  showableSteps,
  type State,
  storedBytes,
  StoreTrouble,
  tally,
  timeline,
  type TimelineEntry,
  troubleOf,
  undoPlan,
  UndoStore,
  type VersionPlace,
} from "../../engine/undo/looking.ts";
import type { Change, Source } from "../api_types.ts";
import { ABSENT_SIDE, bareSide, type RawFile, type RawSide, statusOf } from "./raw_file.ts";
import { RootNews } from "./root_news.ts";
import {
  type ChangeFiles,
  type ChangeSource,
  type FilePage,
  type FoundChange,
  type News,
  NO_NEWS,
  type RawPreview,
  type RawVersion,
  type SourceQuery,
  type Tallies,
} from "./source.ts";
import { fileOfStep, sideOfState } from "./step_files.ts";

export interface RootSourceOptions {
  readonly root: RootConfig;
  readonly confined: ConfinedRoot;
  /** Whether nothing may be undone. */
  readonly readOnly: boolean;
  readonly umask: number;
  /** The source of another root, for the other half of a change. */
  readonly sourceOf: (root: string) => string | null;
  /**
   * Has a thread that may write hold the store's database open: the first to open it decides how this process shares
   * it.
   */
  readonly hold: (store: string) => Promise<void>;
}

const MOST_TALLIED = 200;
const END = Number.MAX_SAFE_INTEGER;

export class RootSource implements ChangeSource {
  readonly kind = "root";
  readonly id: string;
  readonly name: string;
  readonly #options: RootSourceOptions;
  #store: UndoStore | undefined;
  #news = new RootNews();
  #state: string | undefined;

  constructor(options: RootSourceOptions) {
    this.#options = options;
    this.name = options.root.name;
    this.id = `root:${this.name}`;
  }

  async describe(): Promise<Source> {
    const { root, readOnly } = this.#options;
    const may = !readOnly && root.readOnly !== true && root.undo !== undefined && "store" in root.undo;
    const facts = {
      id: this.id,
      kind: "root" as const,
      name: this.name,
      directory: root.path,
      can_undo: may,
      can_restore: may,
      can_compare: false,
      note: null,
      changes: 0,
      newest: null,
    };
    try {
      const store = await this.#open();
      if (store === undefined) return { ...facts, state: "empty" };
      const { count, newest } = store.db.read(() => marksOf(store));
      return { ...facts, state: count === 0 ? "empty" : "ok", changes: count, newest: isoOf(newest) };
    } catch (error) {
      return { ...facts, state: "unavailable", note: this.#failed(error).message, changes: null };
    }
  }

  async changes(query: SourceQuery): Promise<readonly FoundChange[]> {
    const { after, limit, signal: _, ...filter } = query;
    const seq = after?.key === undefined ? (after?.inclusive ? END : 0) : Number(after.key);
    return await this.#with(
      (store) =>
        store.db.read(() =>
          timeline(store, { ...filter, limit, ...(after && { after: { time: after.time, seq } }) })
        )
          .map((entry) => this.#found(entry)),
      [],
    );
  }

  async change(id: string, signal?: AbortSignal): Promise<ChangeFiles> {
    return await this.#with(async (store) => {
      const { change, steps } = store.db.read(() => showableSteps(store, id));
      const files = steps.map((step) => fileOfStep(step, store));
      signal?.throwIfAborted();
      return await Promise.resolve({ change: this.#told(entryOf(store, change)), files });
    });
  }

  async file(
    { path: given, limit, cursor }: { path: string; limit: number; cursor: unknown },
  ): Promise<FilePage> {
    const path = cleanPath(given);
    const now = await this.#now(path);
    const nothing: FilePage = { source: this.id, path, now, versions: [], next: null };
    return await this.#with((store) => {
      const { versions, next } = store.db.read(() =>
        fileVersions(store, { path, limit, after: cursor as VersionPlace | undefined })
      );
      const told = versions.map(({ change, path, from, before, after }): RawVersion => {
        const sides = {
          before: before === undefined
            ? bareSide({ kind: "other" })
            : sideOfState(before, { path: from ?? path, store }),
          after: after === undefined ? bareSide({ kind: "other" }) : sideOfState(after, { path, store }),
        };
        const restoreAt = change.tool === "person" ? null : change.id;
        const isMove = from !== undefined;
        return {
          change: this.#told(entryOf(store, change)),
          path: from ?? path,
          to: isMove ? path : null,
          status: isMove ? "moved" : statusOf(sides),
          ...sides,
          restoreAt,
        };
      });
      return { ...nothing, versions: told, next: next ?? null };
    }, nothing);
  }

  compare(): Promise<readonly RawFile[]> {
    throw new PaddockError("UNSUPPORTED", "only commits of a workspace can be compared");
  }

  async content(
    hash: string,
    { path, most }: { path: string | undefined; most: number },
  ): Promise<Uint8Array | undefined> {
    return await this.#with(
      (store) => storedBytes(store, contentState(hash), { path: cleanPath(path ?? ""), most }),
    );
  }

  async previewUndo(ids: readonly string[], signal?: AbortSignal): Promise<RawPreview> {
    this.#refuseReadOnly();
    return await this.#with(async (store) => {
      const changes = changesToUndo(store.records, ids);
      const plan = await undoPlan(store, changes, { umask: this.#options.umask, signal });
      return {
        plan: plan.hash,
        files: plan.steps.map((step) => fileOfStep(step, store, (hash) => plan.bytes(hash))),
        merged: plan.merged,
        skipped: [],
        unknown: 0,
        also: changes.flatMap(({ also }) => also ?? []),
      };
    });
  }

  async previewRestore(
    { path: given, at }: { path: string; at: string },
    signal?: AbortSignal,
  ): Promise<RawPreview> {
    this.#refuseReadOnly();
    const path = this.resolve(given);
    return await this.#with(async (store) => {
      const { plan, unknown } = await restorePlan(store, { path, at }, {
        umask: this.#options.umask,
        signal,
      });
      const files = plan.steps.map((step) => fileOfStep(step, store, (hash) => plan.bytes(hash)));
      return { plan: plan.hash, files, merged: [], skipped: [], unknown, also: [] };
    });
  }

  /** The path that a person means, in the form that the records use. */
  resolve(path: string): string {
    return resolvePath(this.#options.confined, path === "" ? "." : path, { follow: false, change: true })
      .relative;
  }

  async tallies(since: number): Promise<Tallies> {
    const none: Tallies = { clients: [], tools: [] };
    return await this.#with((store) =>
      store.db.read(() => ({
        clients: tally(store, { by: "client", since, limit: MOST_TALLIED })
          .map(({ name, count, newest }) => ({ name, changes: count, newest })),
        tools: tally(store, { by: "tool", since, limit: MOST_TALLIED })
          .map(({ name, count }) => ({ name: name ?? "", changes: count })),
      })), none);
  }

  async news(): Promise<News> {
    const before = this.#state;
    try {
      const store = await this.#open();
      this.#state = store === undefined ? "empty" : "ok";
      // A store that could not be read may have been replaced by a new one before anyone noticed that it was gone.
      const isNew = before !== undefined && before !== "ok";
      const found = store === undefined ? [] : this.#news.since(store, { isNew });
      const stateChanged = before !== undefined && before !== this.#state;
      if (found === "many") return { ...NO_NEWS, reload: true, stateChanged };
      return { ...NO_NEWS, changes: found.map((entry) => this.#told(entry)), stateChanged };
    } catch (error) {
      this.#state = this.#failed(error).message;
      return { ...NO_NEWS, stateChanged: before !== undefined && before !== this.#state };
    }
  }

  close(): void {
    const store = this.#store;
    this.#store = undefined;
    this.#news = new RootNews();
    try {
      store?.close();
    } catch (error) {
      troubleOf(error); // it is gone
    }
  }

  async #open(): Promise<UndoStore | undefined> {
    if (this.#store !== undefined) {
      this.#store.db.lookForFile();
      return this.#store;
    }
    const { root: { undo }, confined, hold } = this.#options;
    if (undo === undefined) throw new StoreTrouble("unusable", "changes are not recorded here");
    if ("off" in undo) throw new StoreTrouble("unusable", `changes are not recorded here: ${undo.off}`);
    if (!hasDatabase(undo)) return undefined;
    await hold(undo.store);
    return this.#store = UndoStore.openToRead({ root: confined, settings: undo });
  }

  /** `otherwise` is the answer if nothing has been recorded. */
  async #with<T>(action: (store: UndoStore) => T | Promise<T>, otherwise?: T): Promise<T> {
    try {
      const store = await this.#open();
      if (store !== undefined) return await action(store);
    } catch (error) {
      if (error instanceof PaddockError) throw error;
      const trouble = this.#failed(error);
      const code = trouble.kind === "busy" ? "TIMEOUT" : "UNSUPPORTED";
      throw new PaddockError(code, trouble.message, { cause: trouble, data: { unavailable: true } });
    }
    if (otherwise !== undefined) return otherwise;
    throw new PaddockError("NOT_FOUND", `no changes have been recorded in root ${this.name}`);
  }

  /** What was opened is of no use any more; the next request opens it again. */
  #failed(error: unknown): StoreTrouble {
    const trouble = troubleOf(error);
    if (trouble.kind !== "busy") this.close();
    return trouble;
  }

  #refuseReadOnly(): void {
    const { readOnly, root } = this.#options;
    if (!readOnly && root.readOnly !== true) return;
    throw new PaddockError(
      "NOT_ALLOWED",
      `root ${this.name} is read-only: nothing can be undone from here`,
    );
  }

  #found(entry: TimelineEntry): FoundChange {
    const { time, seq } = entry.change;
    return { time, key: String(seq), change: this.#told(entry) };
  }

  #told({ change, paths, pathCount }: TimelineEntry): Change {
    const { id, time, tool, client, session, summary, whyNot, undoneBy, undoes, also } = change;
    const isPerson = tool === "person";
    return {
      source: this.id,
      id,
      time: new Date(time).toISOString(),
      tool,
      client,
      session,
      author: null,
      summary,
      paths: [...paths],
      path_count: pathCount,
      undoable: whyNot === null && undoneBy === null && !isPerson,
      why_not: isPerson ? "it was changed by another program, which paddock only noticed" : whyNot,
      undone_by: undoneBy,
      undoes: [...undoes],
      also: also && { source: this.#options.sourceOf(also.root), ...also },
    };
  }

  async #now(path: string): Promise<RawSide> {
    try {
      const state = await lookAt(
        resolvePath(this.#options.confined, path === "" ? "." : path, { follow: false }),
      );
      return state.kind === "file"
        ? { ...bareSide({ kind: "file", size: state.size, mode: state.mode, hash: state.hash ?? null }) }
        : bareSide({ kind: state.kind, ...("target" in state && { target: state.target }) });
    } catch (error) {
      if (error instanceof PaddockError) return ABSENT_SIDE;
      throw error;
    }
  }
}

/** A content by its hash alone; the store knows its size once it is found. */
function contentState(hash: string): State {
  return { kind: "file", mode: 0, uid: null, gid: null, size: 0, hash };
}

function cleanPath(path: string): string {
  return path.split("/").filter((name) => name !== "" && name !== ".").join("/");
}

function isoOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
