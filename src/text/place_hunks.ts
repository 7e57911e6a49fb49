/**
 * Finds where in a text the hunks of a patch belong: where the header says, moved as far as the hunk before
 * was, else at the nearest place that has exactly its old lines. If several places are equally good and lead
 * to different results, none is chosen: a guess would edit the wrong text. Line endings are not compared, so
 * LF patches apply to CRLF files. Hunks keep their order and share no line.
 */

import { explainMisfit, fits, type Misfit, type OldLines, oldLines, withoutBlanks } from "./hunk_fit.ts";
import { LinePlaces, type Range } from "./line_places.ts";
import type { LineTable } from "./line_table.ts";
import type { Hunk } from "./parse_patch.ts";

export type Placement =
  | {
    /** For each hunk, the index of the line it begins at. */
    readonly places: readonly number[];
    /** What the author of the patch should know. */
    readonly notes: readonly string[];
  }
  | { readonly misfit: HunkMisfit };

export interface HunkMisfit extends Misfit {
  /** From 1. */
  readonly hunk: number;
  /** The lines it could begin at, where there are too many. */
  readonly candidates?: readonly number[];
}

/** In steps: hunks that are not near their place are searched for in the whole text. */
export function* placeHunks(lines: LineTable, hunks: readonly Hunk[]): Generator<void, Placement> {
  const placing = new Placing(lines, hunks);
  const places: number[] = [];
  const notes: string[] = [];
  let free = 0;
  let moved = 0;
  for (const [i, hunk] of hunks.entries()) {
    const header = headerIndex(hunk);
    if (i % HUNKS_A_STEP === 0) yield;
    const found = yield* placing.place(hunk, {
      wanted: header === undefined ? undefined : Math.max(0, header + moved),
      free,
    });
    if ("problem" in found) return { misfit: { hunk: i + 1, ...found } };
    const { at, note } = found;
    if (note !== undefined) notes.push(`hunk ${i + 1} ${note}`);
    places.push(at);
    free = at + oldLines(hunk).length;
    if (header !== undefined) moved = at - header;
  }
  return { places, notes };
}

/** The index of the line at which the hunk begins according to its header; undefined without numbers. */
export function headerIndex({ oldStart, lines }: Hunk): number | undefined {
  if (oldStart === undefined) return undefined;
  return lines.some(({ kind }) => kind !== "+") ? oldStart - 1 : oldStart;
}

interface Wish {
  /** The index to try first; undefined when the header has none. */
  readonly wanted: number | undefined;
  /** Nothing before this index may be used. */
  readonly free: number;
}

type Place = { readonly at: number; readonly note?: string } | Omit<HunkMisfit, "hunk">;

const HUNKS_A_STEP = 256;
/** How many places are listed. */
const LISTED = 5;
/** How many comparisons to spend on finding out whether only white space is wrong. */
const BLANK_BUDGET = 10_000_000;

class Placing {
  readonly #lines: LineTable;
  readonly #hunks: readonly Hunk[];
  #exact: LinePlaces | undefined;

  constructor(lines: LineTable, hunks: readonly Hunk[]) {
    this.#lines = lines;
    this.#hunks = hunks;
  }

  *place(hunk: Hunk, { wanted, free }: Wish): Generator<void, Place> {
    const lines = this.#lines;
    const old = oldLines(hunk);
    if (lines.length === 0 && old.length === 0) return { at: 0 };
    if (wanted !== undefined && wanted >= free && fits(lines, old, wanted)) return { at: wanted };
    const last = lines.length - old.length;
    const range = { wanted: wanted ?? free, first: old.last ? Math.max(free, last) : free, last };
    if (old.length === 0 && wanted === undefined) return { line: free + 1, problem: NOWHERE };
    if (old.length === 0 || range.first > last) {
      return explainMisfit(lines, old, { wanted: range.wanted, free });
    }
    const { found, best } = yield* this.#find(hunk, old, range);
    if (found.length > 0) return choose(found, { wanted });
    const near = (yield* this.#findButBlanks(old, range)) ?? best ?? range.wanted;
    return explainMisfit(lines, old, { wanted: near, free });
  }

  /**
   * The places that lead to different results, nearest first, and not many more than are listed; if there is
   * none, the best place to complain about.
   */
  *#find(hunk: Hunk, old: OldLines, range: Range): Generator<void, Found> {
    const found: number[] = [];
    const search = this.#exact ??= yield* LinePlaces.in(this.#lines, { sought: allLines(this.#hunks) });
    const places = search.places(old.lines.map(({ content }) => content), range);
    while (found.length <= LISTED) {
      const { done, value } = places.next();
      if (done) return { found, best: value };
      if (value === undefined) yield;
      else if (fits(this.#lines, old, value) && !this.#isAlike(hunk, found[0], value)) found.push(value);
    }
    return { found };
  }

  /** Whether applying the hunk at either of two places gives the same result. */
  #isAlike(hunk: Hunk, one: number | undefined, other: number): boolean {
    if (one === undefined) return false;
    const [low, high] = one < other ? [one, other] : [other, one];
    const apart = high - low;
    const old = oldLines(hunk).length;
    const made = hunk.lines.filter(({ kind }) => kind !== "-").map(({ content }) => content);
    let same = 0;
    const isSame = (i: number) =>
      (i < made.length ? made[i] : this.#lines.content(low + old + i - made.length)) ===
        (i < apart ? this.#lines.content(low + i) : made[i - apart]);
    while (same < made.length + apart && isSame(same)) same++;
    this.#exact?.spend(same);
    return same === made.length + apart;
  }

  /** The nearest place where the lines match except for white space. */
  *#findButBlanks({ lines }: OldLines, range: Range): Generator<void, number | undefined> {
    const butBlanks = yield* LinePlaces.in(this.#lines, {
      sought: allLines(this.#hunks),
      key: withoutBlanks,
      budget: BLANK_BUDGET,
    });
    const places = butBlanks.places(lines.map(({ content }) => content), range);
    for (;;) {
      const { done, value } = places.next();
      if (done) return undefined;
      if (value !== undefined) return value;
      yield;
    }
  }
}

interface Found {
  /** Nearest first. */
  readonly found: readonly number[];
  /** Where most lines match, if not all do anywhere. */
  readonly best?: number | undefined;
}

const NOWHERE = "has neither line numbers nor lines of the file around the new ones, so its place is unknown";

/** Chooses the nearest of several, if it is closer to the header's line than all others. */
function choose([at = 0, ...others]: readonly number[], { wanted }: { wanted: number | undefined }): Place {
  const isNumbered = wanted !== undefined;
  if (others.length === 0) {
    return isNumbered ? { at } : { at, note: `has no line numbers; its lines were found at line ${at + 1}` };
  }
  const candidates = [at, ...others].map((index) => index + 1).sort((a, b) => a - b);
  const listed = `lines ${candidates.slice(0, LISTED).join(", ")}${
    candidates.length > LISTED ? " and more" : ""
  }`;
  if (isNumbered && others.every((other) => Math.abs(other - wanted) > Math.abs(at - wanted))) {
    return { at, note: `fits at ${listed}; it was applied at line ${at + 1}, the nearest to its header` };
  }
  const why = isNumbered ? "none is nearest to its header" : "it has no line numbers";
  return {
    line: at + 1,
    problem: `fits at ${listed}, and ${why}; add lines of the file around it, or the right line number`,
    candidates,
  };
}

function* allLines(hunks: readonly Hunk[]): Generator<string> {
  for (const { lines } of hunks) for (const { content } of lines) yield content;
}
