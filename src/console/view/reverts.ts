/** Which commits of a workspace later ones have taken back, by what these say of themselves. */
import { type History } from "../../engine/history/mod.ts";
import { commitFacts, commitsOf } from "./commits.ts";

/** So far back it is looked for. */
const MOST_COMMITS = 2_000;
const DIGITS = 10;

export class Reverts {
  /** The commits that take another one back, with the first digits of that; newest first. */
  #found: readonly (readonly [by: string, of: string])[] = [];
  #undone: ReadonlyMap<string, string> = new Map();
  #head: string | undefined;

  /** Looks at what has come since the last time. */
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
    for (const [by, of] of this.#found) { // one that was taken back itself takes nothing back
      if (!undone.has(by.slice(0, DIGITS)) && !undone.has(of)) undone.set(of, by);
    }
    this.#undone = undone;
  }

  /** The commit that has taken this one back. */
  undoneBy(commit: string): string | null {
    return this.#undone.get(commit.slice(0, DIGITS)) ?? null;
  }
}
