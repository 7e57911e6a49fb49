/**
 * For a text that is not there: the place that was most likely meant, and how it differs. First, places that
 * differ only in whitespace, case and quotation marks; failing that, the most similar lines.
 */

import { type Difference, differences, squeeze } from "./differences.ts";
import { findLinear } from "./find_linear.ts";
import { countBreaks } from "./folded.ts";
import { countLfLines } from "./lf_lines.ts";
import { findSimilarLines } from "./similar_lines.ts";
import type { Span } from "./staged_text.ts";
import { runAll, splitInSteps } from "./steps.ts";

/** How many characters to examine. */
const MAX_COMPARED = 2_000_000;
/** How many characters to compare in detail, to find the best of several places. */
const MAX_WEIGHED = 1_000_000;
const MAX_PLACES = 100;
/** How many of the wanted lines to use when looking for similar ones. */
const MAX_WANTED_LINES = 100;
const MAX_SHOWN = 4_000;

export interface NearMatch {
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
  /** The text found there; whole lines if they are only similar to the wanted ones. */
  readonly text: string;
  /** Whether the text was too long to show in full. */
  readonly isCut: boolean;
  readonly differs: readonly Difference[];
}

export interface Nearest {
  readonly match: NearMatch | undefined;
  readonly linesCompared: number;
}

/** Both texts are folded. */
export function nearestMatch(text: string, wanted: string): Nearest {
  return runAll(nearestMatchSteps(text, wanted));
}

/** The same in steps. */
export function* nearestMatchSteps(text: string, wanted: string): Generator<void, Nearest> {
  const { matches, linesCompared } = yield* nearestMatchesSteps(text, wanted, 1);
  return { match: matches[0], linesCompared };
}

export interface NearestSeveral {
  /** Nearest first, all of one kind: the same except for marks, or else similar. */
  readonly matches: readonly NearMatch[];
  readonly linesCompared: number;
}

export function* nearestMatchesSteps(
  text: string,
  wanted: string,
  most: number,
): Generator<void, NearestSeveral> {
  const compared = text.slice(0, MAX_COMPARED);
  const same = yield* findSameButMarks(compared, wanted, most);
  const matches = same.length > 0 ? same : yield* findMostLike(compared, wanted, most);
  return { matches, linesCompared: countLfLines(compared) };
}

export function showMatch(text: string, rest: Omit<NearMatch, "text" | "isCut">): NearMatch {
  const isCut = text.length > MAX_SHOWN;
  return { ...rest, text: isCut ? text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, "") : text, isCut };
}

function* findSameButMarks(text: string, wanted: string, most: number): Generator<void, NearMatch[]> {
  const key = squeeze(wanted).text;
  yield;
  const squeezed = squeeze(text);
  yield;
  const weighed = Math.min(MAX_PLACES, Math.ceil(MAX_WEIGHED / wanted.length));
  const found: { span: Span; differs: Difference[]; score: number }[] = [];
  for (const at of findLinear(squeezed.text, key).take(weighed)) {
    yield;
    const first = squeezed.offsets[at] ?? 0;
    const last = squeezed.offsets[at + key.length - 1] ?? 0;
    const span = widen(text, { start: first, end: last + 1 }, wanted);
    const differs = differences(wanted, text.slice(span.start, span.end));
    const score = differs.length * MAX_COMPARED + Math.abs(span.end - span.start - wanted.length);
    found.push({ span, differs, score });
  }
  return found.sort((a, b) => a.score - b.score).slice(0, most).map(({ span: { start, end }, differs }) => {
    const line = countBreaks(text.slice(0, start)) + 1;
    const there = text.slice(start, end);
    return showMatch(there, { line, endLine: line + countBreaks(there.slice(0, -1)), differs });
  });
}

/**
 * Extends the span over surrounding whitespace, as far as the wanted text has some there, with at most as
 * many line breaks.
 */
function widen(text: string, { start, end }: Span, wanted: string): Span {
  const lead = wanted.slice(0, wanted.length - wanted.trimStart().length);
  const trail = wanted.slice(wanted.trimEnd().length);
  return {
    start: walkBlanks(text, { from: start, step: -1, like: lead }),
    end: walkBlanks(text, { from: end, step: 1, like: trail }),
  };
}

function walkBlanks(text: string, walk: { from: number; step: 1 | -1; like: string }): number {
  const { from, step, like } = walk;
  const lines = like.split("\n");
  const takesBlanks = lines.at(step === 1 ? -1 : 0) !== "";
  let breaks = lines.length - 1;
  let at = from;
  for (; takesBlanks || breaks > 0; at += step) {
    const character = text[step === 1 ? at : at - 1];
    if (character === undefined || character.trim() !== "") break;
    if (character === "\n" && breaks-- === 0) break;
  }
  return at;
}

function* findMostLike(text: string, wanted: string, most: number): Generator<void, NearMatch[]> {
  const isText = (line: string) => line.trim() !== "";
  const all = wanted.split("\n");
  const wantedLines = all.slice(all.findIndex(isText), all.findLastIndex(isText) + 1)
    .slice(0, MAX_WANTED_LINES);
  const lines = yield* splitInSteps(text);
  return (yield* findSimilarLines(lines, wantedLines, most)).map((start) => {
    const found = lines.slice(start, start + wantedLines.length);
    // The wanted text may begin within a line.
    const begin = wantedLines[0]?.trimStart() === wantedLines[0] ? found[0]?.trimStart() : found[0];
    return showMatch(found.join("\n"), {
      line: start + 1,
      endLine: start + found.length,
      differs: differences(wantedLines.join("\n"), [begin ?? "", ...found.slice(1)].join("\n")),
    });
  });
}
