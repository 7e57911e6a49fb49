/**
 * The paths of operations, each on the root as those before it would leave it: links are followed as they are on
 * disk, except where an operation has removed or put something. In any case each step resolves its path again when
 * it is made, with every check of the fence (perform.ts).
 */
import { PaddockError } from "../../base/errors.ts";
import { quote, segmentsOf } from "../../confine/path_rules.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import type { Wanted } from "./changes.ts";
import { liesIn, selfAndAbove } from "./state.ts";
import type { UndoStore } from "./store.ts";

/** What became of a path, and by which operation. */
interface Fate {
  readonly index: number;
  /** Where it was moved to. */
  readonly to?: string;
}

export class ChangedPaths {
  readonly #store: UndoStore;
  readonly #wanted: Wanted;
  readonly #fates = new Map<string, Fate>();

  constructor(store: UndoStore, wanted: Wanted) {
    this.#store = store;
    this.#wanted = wanted;
  }

  /** Relative to the root. `follow` applies to a link at the very end. */
  async resolve(given: string, { follow }: { follow: boolean }): Promise<string> {
    const literal = this.#changedName(given);
    const resolved = this.#resolved(given, { follow, isChanged: literal !== undefined });
    if (resolved !== undefined && resolved.owner !== this.#store.root) throw inAnotherRoot(resolved);
    const path = literal ?? resolved?.relative ?? "";
    if (await this.#wanted.isExcluded(path)) throw excluded(given);
    return path;
  }

  /** Notes that an operation changes what is at a path. */
  note(path: string, fate: Fate): void {
    this.#fates.set(path, fate);
  }

  /** In words, which operation removed a path; empty if none did. */
  whyGone(path: string): string {
    const at = selfAndAbove(path).find((each) => this.#fates.has(each));
    const fate = at === undefined ? undefined : this.#fates.get(at);
    if (at === undefined || fate === undefined) return "";
    if (fate.to === undefined) return `; changes[${fate.index}] deleted it`;
    return `; changes[${fate.index}] moved it to ${quote(fate.to + path.slice(at.length))}`;
  }

  /** The path by its names alone, if an operation has changed something at it or above it. */
  #changedName(given: string): string | undefined {
    if (this.#fates.size === 0 || given.startsWith("/")) return undefined;
    const path = segmentsOf(given).join("/");
    return selfAndAbove(path).some((each) => this.#fates.has(each)) ? path : undefined;
  }

  #resolved(
    given: string,
    { follow, isChanged }: { follow: boolean; isChanged: boolean },
  ): ConfinedPath | undefined {
    try {
      return this.#wanted.resolve(given, { follow });
    } catch (error) {
      const isOfTheDisk = error instanceof PaddockError && error.code === "INVALID_INPUT";
      if (isChanged && isOfTheDisk) return undefined; // for example a file that an operation has replaced by a folder
      throw error;
    }
  }
}

function inAnotherRoot({ given, owner }: ConfinedPath): PaddockError {
  return new PaddockError(
    "NOT_ALLOWED",
    `${quote(given)} is in root ${owner.name}; change it in a call for that root`,
  );
}

function excluded(given: string): PaddockError {
  return new PaddockError(
    "NOT_ALLOWED",
    `the operator has excluded ${quote(given)} from undo; change it by itself, with write_file for example`,
  );
}

/** Whether a folder would be moved into itself. */
export function isIntoItself(from: string, to: string): boolean {
  return from !== to && liesIn(from, to);
}
