/** Finds the old text of an edit in the staged text, according to its own kind of line breaks. */

import { findLinear } from "./find_linear.ts";
import { countBreaks, fold, type Folded } from "./folded.ts";
import type { Span, StagedText } from "./staged_text.ts";

/** How many places are kept by default; others are only counted. */
const MAX_PLACES = 100;
/** Up to this many places, the line breaks of each are looked up separately. */
const FEW = 8;

export interface Places {
  readonly count: number;
  /** The offsets of the first ones. */
  readonly offsets: readonly number[];
  /** The first place where the text matches except for its line breaks. */
  readonly otherBreaks: number | undefined;
}

/** Places may overlap. Old text with a CR must match line breaks exactly, other text matches any. */
export function* findPlaces(
  staged: StagedText,
  oldText: string,
  most = MAX_PLACES,
): Generator<void, Places> {
  const old = fold(oldText);
  if (old.text === "") {
    // By definition it occurs before and after every character.
    const count = staged.length + 1;
    return { count, offsets: count === 1 ? [0] : [], otherBreaks: undefined };
  }
  // A lone surrogate could only match one half of a character.
  const found = oldText.isWellFormed() ? staged.find(old.text) : [];
  return yield* oldText.includes("\r") ? collectSame(staged, old, { found, most }) : collect(found, most);
}

type Found = Iterable<number | undefined>;

function* collect(found: Found, most: number): Generator<void, Places> {
  const offsets: number[] = [];
  let count = 0;
  for (const at of found) {
    if (at === undefined) yield;
    else if (++count <= most) offsets.push(at);
  }
  return { count, offsets, otherBreaks: undefined };
}

function* collectSame(
  staged: StagedText,
  old: Folded,
  { found, most }: { found: Found; most: number },
): Generator<void, Places> {
  const all: number[] = [];
  for (const at of found) {
    if (at === undefined) yield;
    else all.push(at);
  }
  const length = old.text.length;
  const hasSame = all.length <= FEW
    ? (at: number) => breaksIn(staged, { start: at, end: at + length }) === old.breaks
    : sameBreaksInOnePass(staged, old.breaks);
  let otherBreaks: number | undefined;
  const same = all.filter((at) => {
    const isSame = hasSame(at);
    if (!isSame) otherBreaks ??= at;
    return isSame;
  });
  yield;
  return { ...yield* collect(same, most), otherBreaks };
}

/** Must be called with ascending offsets. Linear, however many there are and however long the text is. */
function sameBreaksInOnePass(staged: StagedText, breaks: string): (at: number) => boolean {
  const text = staged.toFolded();
  const all = staged.breaks({ start: 0, end: Infinity });
  const fits = new Uint8Array(all.length);
  for (const number of findLinear(all, breaks)) fits[number] = 1;
  let number = 0;
  let counted = 0;
  return (at) => {
    number += countBreaks(text.slice(counted, at));
    counted = at;
    return fits[number] === 1;
  };
}

export function breaksIn(staged: StagedText, { start, end }: Span): string {
  return staged.breaks({ start: staged.countBreaks(start), end: staged.countBreaks(end) });
}

/** Lines from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export function linesOf(staged: StagedText, { start, end }: Span): LineRange {
  const last = Math.max(start, end - 1);
  return { start: staged.countBreaks(start) + 1, end: staged.countBreaks(last) + 1 };
}
