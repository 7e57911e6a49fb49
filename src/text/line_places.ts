/**
 * Finds where some lines occur in a text: all places, ordered by their distance from where they are expected.
 * Equal lines share a number, so a comparison costs the same however long the lines are, and the total number
 * of comparisons is limited: a crafted patch could otherwise have every hunk searched all over a large file.
 */

import type { LineTable } from "./line_table.ts";
import { PIECE } from "./steps.ts";

export interface Range {
  /** The index of the line where they are expected. */
  readonly wanted: number;
  /** The range in which they may begin, inclusive. */
  readonly first: number;
  readonly last: number;
}

export interface LinePlacesOptions {
  /** All lines that will be searched for. */
  sought: Iterable<string>;
  /** What must be equal in two lines. Default: everything. */
  key?: (line: string) => string;
  /** How many comparisons may be spent on finding the first place for each. */
  budget?: number;
}

/** How many comparisons to make between two pauses. */
const PAUSE = 1_000_000;
const BUDGET = 100_000_000;
/** How many more may be spent on checking for further places. */
const SPARE_BUDGET = 10_000_000;

export class LinePlaces {
  readonly #numbers = new Map<string, number>();
  readonly #key: (line: string) => string;
  readonly #text: Int32Array;
  #budget: number;
  #spare = SPARE_BUDGET;

  private constructor(length: number, { sought, key = (line) => line, budget = BUDGET }: LinePlacesOptions) {
    this.#key = key;
    this.#budget = budget;
    for (const line of sought) {
      const known = key(line);
      if (!this.#numbers.has(known)) this.#numbers.set(known, this.#numbers.size + 1);
    }
    this.#text = new Int32Array(length);
  }

  /** Numbers the lines of the text, in steps. */
  static *in(lines: LineTable, options: LinePlacesOptions): Generator<void, LinePlaces> {
    const places = new LinePlaces(lines.length, options);
    for (let i = 0; i < lines.length; i++) {
      if (i % PIECE === 0) yield;
      places.#text[i] = places.#numberOf(lines.content(i));
    }
    return places;
  }

  /**
   * Searches outwards from where they are wanted, below it first, as `patch` and git do; undefined is a
   * pause. If nothing matches, returns the place where the most lines match, if that is at least the first
   * half: the place to complain about.
   */
  *places(
    lines: readonly string[],
    { wanted, first, last }: Range,
  ): Generator<number | undefined, number | undefined> {
    const text = this.#text;
    const sought = Int32Array.from(lines, (line) => this.#numberOf(line));
    let best: number | undefined;
    let most = Math.ceil(lines.length / 2) - 1;
    let below = Math.min(Math.max(wanted, first), last);
    let above = below - 1;
    let isFound = false;
    let sincePause = 0;
    while ((below <= last || above >= first) && (isFound ? this.#spare : this.#budget) > 0) {
      const at = below <= last && (above < first || below - wanted <= wanted - above) ? below++ : above--;
      let same = 0;
      while (same < sought.length && sought[same] === text[at + same]) same++;
      if ((sincePause += same + 1) > PAUSE) {
        sincePause = 0;
        yield undefined;
      }
      if (isFound) this.#spare -= same + 1;
      else this.#budget -= same + 1;
      if (same === sought.length) {
        isFound = true;
        yield at;
      } else if (same > most) [best, most] = [at, same];
    }
    return best;
  }

  /** Subtracts comparisons made elsewhere from the budget for checking for further places. */
  spend(comparisons: number): void {
    this.#spare -= comparisons;
  }

  #numberOf(line: string): number {
    return this.#numbers.get(this.#key(line)) ?? 0;
  }
}
