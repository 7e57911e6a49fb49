/**
 * Remembers sorted listings of folders, so that the next search only has to ask for a folder's state. Every change
 * of a folder's entries changes its time stamps; those have whole seconds, so a folder that changed a moment ago
 * is not remembered. A folder reached through a swapped one would be remembered under a wrong path, so no folder
 * above it may have changed a moment ago either. Checking that takes a while, so only folders that are listed a
 * second time are remembered.
 */
import { type FileState, isSameState, stateOf } from "../../../confine/unproven.ts";
import { leftAlone } from "../../../confine/proof.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";

/** Two seconds of distrust, and one because time stamps are cut to whole seconds. */
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

  /** The entries of a folder, remembered or from `list`. */
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
