/** The commits of a workspace as changes, and whether each has been reverted. */
import type { CommitSummary, History } from "../../engine/history/mod.ts";
import type { Change } from "../api_types.ts";
import { commitFacts, commitNamed } from "./commits.ts";
import { Reverts } from "./reverts.ts";

const MOST_PATHS = 10;
/** How many commits are remembered, with the paths they touched. */
const REMEMBERED = 2_000;
const IS_MERGE = "it is a merge; `git revert -m` can undo it";

export class CommitChanges {
  readonly #source: string;
  readonly #known = new Map<string, Change>();
  readonly #reverts = new Reverts();

  constructor(source: string) {
    this.#source = source;
  }

  /** Finds out which commits have been reverted by now. */
  learn(history: History, signal?: AbortSignal): Promise<void> {
    return this.#reverts.learn(history, signal);
  }

  isUndone({ commit }: CommitSummary): boolean {
    return this.#reverts.undoneBy(commit) !== null;
  }

  forget(): void {
    this.#known.clear();
  }

  /** Includes the commit that it reverts, and the one that that commit had reverted: all of them have changed. */
  async withReverted(entry: CommitSummary, history: History): Promise<Change[]> {
    const told = [await this.told(entry, history)];
    for (let depth = 0; depth < 2; depth++) {
      const [id] = told[0]?.undoes ?? [];
      const undone = id === undefined ? undefined : await commitNamed(history, id);
      if (undone === undefined) break;
      told.unshift(await this.told(undone, history));
    }
    return told;
  }

  async told(entry: CommitSummary, history: History): Promise<Change> {
    const known = this.#known.get(entry.commit) ?? await this.#remember(entry, history);
    const undoneBy = this.#reverts.undoneBy(entry.commit);
    return { ...known, undone_by: undoneBy, undoable: known.undoable && undoneBy === null };
  }

  async #remember(
    { commit, date, author, message, parents }: CommitSummary,
    history: History,
  ): Promise<Change> {
    const files = await history.versions({ to: commit, renames: false });
    const { tool, client, summary, reverts } = commitFacts(message);
    const reverted = reverts === null ? undefined : await commitNamed(history, reverts);
    const isMerge = parents.length > 1;
    const change: Change = {
      source: this.#source,
      id: commit,
      time: date,
      tool,
      client,
      session: null,
      author,
      summary,
      paths: files.slice(0, MOST_PATHS).map(({ path }) => path),
      path_count: files.length,
      undoable: !isMerge,
      why_not: isMerge ? IS_MERGE : null,
      undone_by: null,
      undoes: reverted === undefined ? [] : [reverted.commit],
      also: null,
    };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(commit, change);
    return change;
  }
}
