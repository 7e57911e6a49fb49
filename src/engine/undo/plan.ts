/** A plan: steps that fit one after the other, the contents they need, and a hash that identifies it. */
import { PaddockError } from "../../base/errors.ts";
import { ConfinedFile } from "../../confine/confined_fs.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import { bytesOf } from "./before.ts";
import { conflict } from "./conflict.ts";
import { hashOf, LARGEST_CONTENT } from "./contents.ts";
import { hashTree, lookAt } from "./look.ts";
import { Overlay } from "./overlay.ts";
import { type FileState, parentPath, selfAndAbove, type State, type Step, type TreeState } from "./state.ts";
import { Pace } from "../yield.ts";
import type { UndoStore } from "./store.ts";

/** The most of a file that is held in memory, to be merged or cut. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface PlanOptions {
  readonly umask: number;
  readonly signal?: AbortSignal | undefined;
}

export class Plan {
  readonly store: UndoStore;
  readonly overlay: Overlay;
  readonly options: PlanOptions;
  /** Contents that no record has: results of merging. */
  readonly made = new Map<string, Uint8Array>();
  /** For each step the number of the change that it undoes. */
  readonly reversed: number[] = [];
  /** The number of the change being undone. */
  reverses = 0;
  /** Paths that were merged. */
  readonly merged: string[] = [];

  constructor(store: UndoStore, options: PlanOptions) {
    this.store = store;
    this.overlay = new Overlay(store);
    this.options = options;
  }

  get steps(): readonly Step[] {
    return this.overlay.index.steps;
  }

  add(step: Step): void {
    this.overlay.index.add(step);
    this.reversed.push(this.reverses);
  }

  /** Brings a path from its current state to another; creates its folder if necessary. */
  async put(path: string, { before, after }: { before: State; after: State }): Promise<void> {
    const target = await this.#known(path, after);
    if (target.kind !== "absent") await this.makeParents(path);
    this.add({ op: "put", path, before, after: target });
  }

  async makeParents(path: string): Promise<void> {
    for (const folder of selfAndAbove(parentPath(path)).toReversed()) {
      const { kind } = await this.overlay.look(folder);
      if (kind === "folder" || kind === "tree") continue;
      if (kind !== "absent") throw conflict(folder, "is no longer a folder");
      const after: State = { kind: "folder", mode: 0o777 & ~this.options.umask, uid: null, gid: null };
      this.add({ op: "put", path: folder, before: { kind: "absent" }, after });
    }
  }

  /** The bytes of a content, wherever they are stored. */
  bytes(hash: string | undefined): Uint8Array | undefined {
    return hash === undefined ? undefined : this.made.get(hash) ?? this.store.contents.get(hash);
  }

  /** The bytes of a file as it is now, or would be. */
  async bytesAt(path: string, state: FileState): Promise<Uint8Array | undefined> {
    if (state.size > MOST_BYTES) return undefined;
    const where = this.overlay.whereIs(path);
    if (where === undefined) return this.bytes(state.hash) ?? await this.#keptBytes(state);
    return await readSmall(where);
  }

  keep(bytes: Uint8Array): string {
    const hash = hashOf(bytes);
    this.made.set(hash, bytes);
    return hash;
  }

  /** Identifies the plan by what it does and to which files. */
  get hash(): string {
    const lines = this.steps.map((step) =>
      JSON.stringify(step, (key, value) => key === "kept" ? undefined : value)
    );
    return hashOf(new TextEncoder().encode(lines.join("\n"))).slice(0, 32);
  }

  async #keptBytes({ kept }: FileState): Promise<Uint8Array | undefined> {
    return kept === undefined || !this.store.trash.has(kept)
      ? undefined
      : await readSmall(this.store.trash.at(kept));
  }

  /** The state with its hash, and certain to be available when it is needed. */
  async #known(path: string, state: State): Promise<State> {
    if (state.kind === "absent" || state.kind === "folder") return state;
    const { trash, contents } = this.store;
    if (state.kind === "file" && state.hash !== undefined) {
      if (this.made.has(state.hash) || contents.get(state.hash) !== undefined) {
        const { kept: _, ...rest } = state;
        return rest;
      }
    }
    if (state.kept === undefined || !trash.has(state.kept)) {
      throw conflict(path, "cannot be restored: its earlier state is no longer kept");
    }
    const where = trash.at(state.kept);
    if (state.kind === "tree") return await this.#knownTree(state, where);
    const now = await this.#ifReadable(() => lookAt(where, { signal: this.options.signal })) ?? state;
    if (state.kind === "file" && now.kind === "file") {
      if (state.hash !== undefined && state.hash !== now.hash) {
        throw conflict(path, "cannot be restored: the copy that was kept is damaged");
      }
      return { ...state, hash: now.hash, size: now.size };
    }
    return state;
  }

  /** The hash is for removing it again: if not all of it can be read, it is restored without one. */
  async #knownTree(state: TreeState, where: ConfinedPath): Promise<State> {
    return {
      ...state,
      ...await this.#ifReadable(() => hashTree(where, new Pace(this.options.signal))),
    };
  }

  async #ifReadable<T>(look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      const isUnreadable = error instanceof PaddockError && UNREADABLE.has(error.code);
      if (!isUnreadable) throw error;
      return undefined;
    }
  }
}

const UNREADABLE = new Set<PaddockError["code"]>(["PERMISSION_DENIED", "UNSUPPORTED"]);

async function readSmall(path: ConfinedPath): Promise<Uint8Array | undefined> {
  try {
    using file = await ConfinedFile.open(path);
    return file.size > MOST_BYTES ? undefined : bytesOf(file);
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}

export const MERGED_AT_MOST = LARGEST_CONTENT;
