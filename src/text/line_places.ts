/**
 * Where in a text some lines stand: all places, in the order of their distance from where they are expected.
 * Equal lines have one number, so that a comparison costs the same however long the lines are, and there is a
 * bound on all comparisons: a crafted patch could otherwise have every hunk sought all over a large file.
 */

import type { LineTable } from "./line_table.ts";
import { PIECE } from "./steps.ts";

export interface Range {
  /** The index of the line where they are expected. */
  readonly wanted: number;
  /** Between which they may begin, both included. */
  readonly first: number;
  readonly last: number;
}

export interface LinePlacesOptions {
  /** All lines that will be sought. */
  sought: Iterable<string>;
  /** What must be the same in two lines; all of them unless given. */
  key?: (line: string) => string;
  /** Comparisons that may be made to find a first place for each. */
  budget?: number;
}

/** Comparisons between two pauses. */
const PAUSE = 1_000_000;
const BUDGET = 100_000_000;
/** As many more may be made to see whether there are others. */
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

  /** In steps: the lines of the text get their numbers. */
  static *in(lines: LineTable, options: LinePlacesOptions): Generator<void, LinePlaces> {
    const places = new LinePlaces(lines.length, options);
    for (let i = 0; i < lines.length; i++) {
      if (i % PIECE === 0) yield;
      places.#text[i] = places.#numberOf(lines.content(i));
    }
    return places;
  }

  /**
   * Outwards from where they are wanted, below it first, as `patch` and git do; undefined is a pause. Returns where
   * they stop fitting only in their second half, if they do so anywhere: the place to complain about.
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

  /** Takes comparisons made elsewhere off what is left for seeing whether there are other places. */
  spend(comparisons: number): void {
    this.#spare -= comparisons;
  }

  #numberOf(line: string): number {
    return this.#numbers.get(this.#key(line)) ?? 0;
  }
}
