/**
 * Writes the unified diff of two texts, as `patch` and `git apply` accept it. Like them it treats only LF as
 * a line ending: the CR of a CRLF is printed as the end of the line's text.
 */

import { type Change, type DiffBudget, diffBudget, diffLines, slideDown } from "./line_diff.ts";
import { PIECE, runAll, splitInSteps } from "./steps.ts";

export interface DiffOptions {
  /** Relative, with slashes: the name in the header. */
  path: string;
  /** Whether to prefix the name with a/ and b/, as git does. */
  prefixed?: boolean;
  /** Unchanged lines around each change. */
  context?: number;
  /** Shared by all files of a call. */
  budget?: DiffBudget;
}

/** How far below the last difference its change may be placed. */
const SLIDE = 50;

/** Empty when the texts are the same. */
export function unifiedDiff(before: string, after: string, options: DiffOptions): string {
  return runAll(unifiedDiffSteps(before, after, options));
}

/** The same in steps. */
export function* unifiedDiffSteps(
  before: string,
  after: string,
  options: DiffOptions,
): Generator<void, string> {
  if (before === after) return "";
  const { path, prefixed: isPrefixed = true, context = 3, budget = diffBudget() } = options;
  const { start, beforeEnd, afterEnd } = cutToChange(before, after);
  yield;
  const changedA = yield* toLines(before.slice(start, beforeEnd));
  const changedB = yield* toLines(after.slice(start, afterEnd));
  const lead = yield* toLines(before.slice(startOfLines(before, start, context), start));
  const trailEnd = endOfLines(before, beforeEnd, context + SLIDE);
  const trail = yield* toLines(before.slice(beforeEnd, trailEnd));
  const file: Window = {
    a: lead.concat(changedA, trail),
    b: lead.concat(changedB, trail),
    skipped: countNewlines(before, start) - lead.length,
    context,
  };
  yield;
  const changes = (yield* diffLines(changedA, changedB, budget)).map(({ aStart, aEnd, bStart, bEnd }) => ({
    aStart: aStart + lead.length,
    aEnd: aEnd + lead.length,
    bStart: bStart + lead.length,
    bEnd: bEnd + lead.length,
  }));
  yield;
  const [a, b] = isPrefixed ? ["a/", "b/"] : ["", ""];
  const parts = [`--- ${fileName(a + path)}\n+++ ${fileName(b + path)}\n`];
  const end = file.a.length - (trailEnd < before.length ? context : 0);
  for (const group of groupChanges(slideDown(changes, { ...file, end }), context)) {
    yield* writeHunk(parts, file, group);
  }
  return parts.join("");
}

/** The part of the file that matters: the changes, and the context around them. */
interface Window {
  readonly a: readonly string[];
  readonly b: readonly string[];
  /** Lines of the file before the first of `a` and `b`. */
  readonly skipped: number;
  readonly context: number;
}

/**
 * Leaves out the lines that both texts share at the beginning and the end, so a small change in a large file
 * takes little work and memory.
 */
function cutToChange(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  const same = sameAtStart(before, after, shorter);
  const start = same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
  const tail = sameAtEnd(before, after, shorter - start);
  const beforeEnd = endOfLines(before, before.length - tail, 1);
  return { start, beforeEnd, afterEnd: beforeEnd - before.length + after.length };
}

/** Stretches of this length are compared as a whole, which takes a fraction of the time of comparing characters. */
const STRETCH = 4_096;

function sameAtStart(one: string, other: string, most: number): number {
  let same = 0;
  while (same + STRETCH <= most && one.slice(same, same + STRETCH) === other.slice(same, same + STRETCH)) {
    same += STRETCH;
  }
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same++;
  return same;
}

function sameAtEnd(one: string, other: string, most: number): number {
  const before = (text: string, same: number, length: number) =>
    text.slice(text.length - same - length, text.length - same);
  let same = 0;
  while (same + STRETCH <= most && before(one, same, STRETCH) === before(other, same, STRETCH)) {
    same += STRETCH;
  }
  while (
    same < most && one.charCodeAt(one.length - 1 - same) === other.charCodeAt(other.length - 1 - same)
  ) same++;
  return same;
}

/** Where the `count` lines before a line begin. */
function startOfLines(text: string, lineStart: number, count: number): number {
  let at = lineStart;
  for (let i = 0; i < count && at > 0; i++) at = at === 1 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
  return at;
}

/** Where the `count` lines from here end. */
function endOfLines(text: string, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count && at < text.length; i++) at = text.indexOf("\n", at) + 1 || text.length;
  return at;
}

function countNewlines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

const NO_NEWLINE = "\n\\ No newline at end of file";

/** The lines as they are printed, so that a line without a newline differs from the same line with one. */
function* toLines(text: string): Generator<void, string[]> {
  const lines = yield* splitInSteps(text);
  const last = lines.pop() ?? "";
  if (last !== "") lines.push(last + NO_NEWLINE);
  return lines;
}

/** Changes whose contexts would touch belong to one hunk. */
function groupChanges(changes: readonly Change[], context: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.aStart - last.aEnd <= 2 * context) {
      group.push(change);
    } else groups.push([change]);
  }
  return groups;
}

function* writeHunk(
  parts: string[],
  { a, b, skipped, context }: Window,
  group: readonly Change[],
): Generator<void, void> {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return;
  const lead = Math.min(context, first.aStart);
  const trail = Math.min(context, a.length - last.aEnd);
  const oldRange = range(skipped + first.aStart - lead, skipped + last.aEnd + trail);
  const newRange = range(skipped + first.bStart - lead, skipped + last.bEnd + trail);
  parts.push(`@@ -${oldRange} +${newRange} @@\n`);
  let next = first.aStart - lead;
  let unpaused = 0;
  for (const { aStart, aEnd, bStart, bEnd } of group) {
    unpaused += aEnd - next + bEnd - bStart + 1;
    if (unpaused >= PIECE) {
      yield;
      unpaused = 0;
    }
    yield* writeLines(parts, " ", a.slice(next, aStart));
    yield* writeLines(parts, "-", a.slice(aStart, aEnd));
    yield* writeLines(parts, "+", b.slice(bStart, bEnd));
    next = aEnd;
  }
  yield* writeLines(parts, " ", a.slice(next, last.aEnd + trail));
}

function* writeLines(parts: string[], prefix: string, lines: readonly string[]): Generator<void, void> {
  for (let at = 0; at < lines.length; at += PIECE) {
    if (at > 0) yield;
    parts.push(`${prefix}${lines.slice(at, at + PIECE).join(`\n${prefix}`)}\n`);
  }
}

/** An empty range has the number of the line before it. */
function range(start: number, end: number): string {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** As git writes it: odd names as C strings, and a tab after a name with a space, to mark its end. */
function fileName(name: string): string {
  return name.includes(" ") ? `${quotedName(name)}\t` : quotedName(name);
}

/** Odd names as C strings, as git writes them. */
export function quotedName(name: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name) && !/["\\]/.test(name);
  return plain ? name : `"${Array.from(new TextEncoder().encode(name), escapeByte).join("")}"`;
}

function escapeByte(byte: number): string {
  const odd = byte < 0x20 || byte > 0x7e;
  return ESCAPES[byte] ?? (odd ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte));
}
