/**
 * The undo stores of a surface's roots, by root name: opened when something is changed or looked up, and not
 * before; the code is loaded then, too.
 */
import type { RootUndo } from "../base/config.ts";
import { PaddockError } from "../base/errors.ts";
import { after } from "../base/timer.ts";
import type { GlobFilter } from "../engine/search/mod.ts";
import type { ConfinedRoot } from "../engine/fence.ts";
import type { Changing } from "../engine/changing.ts";
import { halfDoneLook } from "../engine/half_done_mark.ts";
import type { Asking, UndoOperations } from "../engine/undo/asking.ts";
import type { CallFacts, CallRecorder, StoreKeeper } from "../engine/undo/mod.ts";

type UndoModule = typeof import("../engine/undo/mod.ts");

/** The longest wait for a busy store: a change is not to wait longer for its record than for its lock. */
const MOST_WAIT_MS = 5_000;

const WARM_UP_MS = 200;

/** How long a root counts as complete after a check: reads come in their hundreds. */
const LOOK_AGAIN_MS = 100;

export interface UndoRoot {
  readonly confined: ConfinedRoot;
  readonly undo: RootUndo | undefined;
}

export class UndoStores {
  #roots: ReadonlyMap<string, UndoRoot> = new Map();
  readonly #keepers = new Map<string, { keeper: StoreKeeper; undo: RootUndo }>();
  readonly #globs = new Map<string, GlobFilter>();
  readonly #looks = new Map<string, { isHalfDone: () => boolean; at: number }>();
  readonly #waitMs: number;
  #module: Promise<UndoModule> | undefined;
  #isWarm = false;

  constructor(roots: ReadonlyMap<string, UndoRoot>, { timeoutMs }: { timeoutMs: number }) {
    this.#roots = roots;
    this.#waitMs = Math.min(timeoutMs, MOST_WAIT_MS);
  }

  /** Takes over other roots; closes stores that no longer belong to them. */
  reload(roots: ReadonlyMap<string, UndoRoot>): void {
    this.#roots = roots;
    for (const [name, { keeper, undo }] of this.#keepers) {
      const now = roots.get(name);
      if (now?.confined.path === keeper.root.path && isSame(now.undo, undo)) continue;
      this.#keepers.delete(name);
      void keeper.close();
    }
  }

  /** Whether changes in a root can be undone, and if not, why. */
  describe(name: string): { undo?: boolean; undo_note?: string } {
    const undo = this.#roots.get(name)?.undo;
    if (undo === undefined) return {}; // not requested
    const why = "off" in undo ? undo.off : this.#keepers.get(name)?.keeper.trouble;
    return why === undefined ? { undo: true } : { undo: false, undo_note: why };
  }

  /** Loads the code in time for the first change, should one come, but not while a first read waits. */
  warmUp(): void {
    if (this.#isWarm) return;
    this.#isWarm = true;
    const load = () => this.#load().catch(() => {}); // the first change will report it
    if (this.isOn) after(WARM_UP_MS, load);
  }

  /** Whether anything is recorded anywhere. */
  get isOn(): boolean {
    return [...this.#roots.keys()].some((name) => this.isOnFor(name));
  }

  isOnFor(name: string): boolean {
    const undo = this.#roots.get(name)?.undo;
    return undo !== undefined && "store" in undo;
  }

  /** What records a call; undefined if nothing is recorded. */
  async recorder(facts: CallFacts): Promise<CallRecorder | undefined> {
    if (!this.isOn) return undefined;
    const { CallRecorder } = await this.#load();
    return new CallRecorder({
      facts,
      waitMs: this.#waitMs,
      keeperOf: (root) => this.#keeperOf(root.name),
      isExcluded: (root, path) => this.isExcluded(root.name, path),
    });
  }

  /** What can be asked of a root's store. Throws if there is none. */
  async operations(name: string, who: Omit<Asking, "waitMs">): Promise<UndoOperations> {
    const keeper = await this.#keeperOf(name);
    if (keeper === undefined) {
      const { undo_note: why = "the server was started without it" } = this.describe(name);
      throw new PaddockError("UNSUPPORTED", `undo is off for root ${name}: ${why}`);
    }
    const { UndoOperations } = await import("../engine/undo/asking.ts");
    return new UndoOperations(keeper, { ...who, waitMs: this.#waitMs });
  }

  /** Recovers what a dead process left half done in a root, before anything else is changed there. */
  async recover(name: string, changing: Changing): Promise<void> {
    const undo = this.#roots.get(name)?.undo;
    if (undo === undefined || "off" in undo) return;
    const { recoverIfThere } = await this.#load();
    const keeper = await this.#keeperOf(name);
    if (keeper !== undefined) await recoverIfThere(keeper, { changing, waitMs: this.#waitMs });
  }

  /**
   * The same before a read: only if there is a mark, which is checked from time to time. Undefined if there is
   * nothing to wait for.
   */
  recoverHalfDone(names: readonly string[], changing: Changing): Promise<void> | undefined {
    const halfDone = names.filter((name) => this.#isHalfDone(name));
    return halfDone.length === 0 ? undefined : this.#recoverAll(halfDone, changing);
  }

  async #recoverAll(names: readonly string[], changing: Changing): Promise<void> {
    for (const name of names) await this.recover(name, changing);
  }

  #isHalfDone(name: string): boolean {
    const undo = this.#roots.get(name)?.undo;
    if (undo === undefined || "off" in undo) return false;
    let looking = this.#looks.get(undo.store);
    if (looking === undefined) {
      looking = { isHalfDone: halfDoneLook(undo.store), at: -Infinity };
      this.#looks.set(undo.store, looking);
    }
    const now = performance.now();
    if (now - looking.at < LOOK_AGAIN_MS) return false;
    if (looking.isHalfDone()) return true;
    looking.at = now;
    return false;
  }

  async close(): Promise<void> {
    for (const { keeper } of this.#keepers.values()) await keeper.close();
    this.#keepers.clear();
  }

  /** Whether the operator has excluded a path, relative to the root, from undo. */
  async isExcluded(name: string, path: string): Promise<boolean> {
    const undo = this.#roots.get(name)?.undo;
    if (undo === undefined || "off" in undo || undo.exclude.length === 0) return false;
    const { compileGlobFilter } = await import("../engine/search/mod.ts");
    for (const glob of undo.exclude) {
      const filter = this.#globs.get(glob) ?? compileGlobFilter(glob);
      this.#globs.set(glob, filter);
      if (await filter.matches(path, () => Promise.resolve(true))) return true;
    }
    return false;
  }

  async #keeperOf(name: string): Promise<StoreKeeper | undefined> {
    const known = this.#keepers.get(name);
    if (known !== undefined) return known.keeper;
    const { confined, undo } = this.#roots.get(name) ?? {};
    if (confined === undefined || undo === undefined || "off" in undo) return undefined;
    const { StoreKeeper } = await this.#load();
    const again = this.#keepers.get(name);
    if (again !== undefined) return again.keeper;
    const keeper = new StoreKeeper(confined, undo);
    this.#keepers.set(name, { keeper, undo });
    return keeper;
  }

  #load(): Promise<UndoModule> {
    return this.#module ??= import("../engine/undo/mod.ts");
  }
}

function isSame(a: RootUndo | undefined, b: RootUndo | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
