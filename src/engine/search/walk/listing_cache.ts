/**
 * Folders that were listed before, sorted, so that the next walk asks for their state only. Every change of what
 * is in a folder changes its time stamps; as they come in whole seconds, a folder that was changed a moment ago
 * is not kept. One that was reached through a swapped folder would be kept under a wrong name: so nothing on the
 * way to it may have been changed a moment ago either. That takes a while to find out, and is done for folders
 * that are listed a second time.
 */
import { type FileState, isSameState, stateOf } from "../../../confine/unproven.ts";
import { leftAlone } from "../../../confine/proof.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";

/** Two seconds of distrust, and one that the time stamp may be behind. */
const SETTLED_MS = 3_000;
export const MAX_ENTRIES = 100_000;

/** A folder's entries, in some form. */
interface Listed {
  readonly items: readonly unknown[];
}

export class ListingCache<T extends Listed> {
  readonly #maxEntries: number;
  readonly #kept = new Map<string, { state: FileState; listed: T }>();
  /** Folders that were listed once. */
  readonly #seen = new Set<string>();
  #entries = 0;

  constructor(maxEntries = MAX_ENTRIES) {
    this.#maxEntries = maxEntries;
  }

  clear(): void {
    this.#kept.clear();
    this.#seen.clear();
    this.#entries = 0;
  }

  /** What is in a folder: as it was kept, or as `list` tells. */
  async of(
    folder: ConfinedPath,
    list: (folder: ConfinedPath) => Promise<T>,
  ): Promise<T> {
    const key = `${folder.owner.git} ${folder.absolute}`;
    if (!this.#kept.has(key) && !this.#seen.has(key)) {
      if (this.#seen.size < this.#maxEntries) this.#seen.add(key);
      return await list(folder);
    }
    const since = Date.now();
    const state = stateOf(folder, "folder");
    const kept = this.#kept.get(key);
    if (kept !== undefined && isSameState(kept.state, state)) return kept.listed;
    this.#forget(key);
    const listed = await list(folder);
    const isSettled = state !== undefined && since - state.ctimeMs > SETTLED_MS &&
      isSameState(state, stateOf(folder, "folder")) && leftAlone(folder, since);
    if (isSettled && !this.#kept.has(key) && this.#entries + listed.items.length < this.#maxEntries) {
      this.#kept.set(key, { state, listed });
      this.#entries += 1 + listed.items.length;
    }
    return listed;
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#seen.add(key);
    this.#entries -= 1 + kept.listed.items.length;
  }
}
