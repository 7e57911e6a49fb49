/** Which commits of a workspace were reverted by later ones, according to what those say. */
import type { History } from "../../engine/history/mod.ts";
import { commitFacts, commitsOf } from "./commits.ts";

/** How many commits back to search. */
const MOST_COMMITS = 2_000;
const DIGITS = 10;

export class Reverts {
  /** The commits that revert another one, with the first digits of that one; newest first. */
  #found: readonly (readonly [by: string, of: string])[] = [];
  #undone: ReadonlyMap<string, string> = new Map();
  #head: string | undefined;

  /** Reads the commits made since the last time. */
  async learn(history: History, signal?: AbortSignal): Promise<void> {
    const head = history.head();
    if (head === this.#head) return;
    const fresh: [string, string][] = [];
    let looked = 0;
    let isKnown = false;
    for await (const { entry: { commit, message } } of commitsOf(history, { signal })) {
      isKnown = commit === this.#head;
      if (isKnown || ++looked > MOST_COMMITS) break;
      const { reverts } = commitFacts(message);
      if (reverts !== null) fresh.push([commit, reverts]);
    }
    this.#found = [...fresh, ...isKnown ? this.#found : []];
    this.#head = head;
    const undone = new Map<string, string>();
    for (const [by, of] of this.#found) { // a commit that was itself reverted does not count
      if (!undone.has(by.slice(0, DIGITS)) && !undone.has(of)) undone.set(of, by);
    }
    this.#undone = undone;
  }

  /** The commit that reverted this one. */
  undoneBy(commit: string): string | null {
    return this.#undone.get(commit.slice(0, DIGITS)) ?? null;
  }
}
