/** Whether the old lines of a hunk match at a place in a text; and if not, the first line that differs. */

import type { LineTable } from "./line_table.ts";
import type { Line } from "./lines.ts";
import type { Hunk } from "./parse_patch.ts";

export interface OldLines {
  readonly lines: readonly Line[];
  readonly length: number;
  /** The hunk reaches the end of a file that has no final newline before or after the change. */
  readonly last: boolean;
}

export interface Misfit {
  /** From 1. */
  readonly line: number;
  /** What is wrong, as a predicate of the hunk. */
  readonly problem: string;
}

export function oldLines(hunk: Hunk): OldLines {
  const lines = hunk.lines.filter(({ kind }) => kind !== "+");
  return { lines, length: lines.length, last: hunk.lines.some(({ ending }) => ending === "") };
}

export function fits(lines: LineTable, old: OldLines, at: number): boolean {
  const end = at + old.length;
  return (old.last ? end === lines.length : end <= lines.length) &&
    old.lines.every((line, i) => isSame(lines, line, at + i));
}

/** `wanted` is the index where they do not match; lines before `free` belong to another hunk. */
export function explainMisfit(
  lines: LineTable,
  old: OldLines,
  { wanted, free }: { wanted: number; free: number },
): Misfit {
  const miss = (index: number, detail: string): Misfit => ({
    line: index + 1,
    problem: `does not match at line ${index + 1}; ${detail}`,
  });
  if (wanted < free && (old.length === 0 || fits(lines, old, wanted))) {
    return miss(wanted, `the hunk before it reaches to line ${free}, and hunks may not overlap`);
  }
  const end = lines.length === 0 ? "an empty file" : `the end of the file after line ${lines.length}`;
  for (const [i, line] of old.lines.entries()) {
    const at = wanted + i;
    if (isSame(lines, line, at)) continue;
    if (at >= lines.length) return miss(at, `expected ${quote(line.content)}, found ${end}`);
    const there = lines.content(at);
    if (line.content !== there) return miss(at, expectedAndFound(line.content, there));
    return miss(at, `expected no newline after ${quote(there)}, found one`);
  }
  const at = wanted + old.length;
  if (at >= lines.length) return miss(at, `found ${end}`);
  return miss(at, `expected the end of the file, found ${quote(lines.content(at))}`);
}

export function withoutBlanks(line: string): string {
  return line.replace(/\s+/g, "");
}

/** A missing final newline only matters if the patch mentions it. */
function isSame(lines: LineTable, line: Line, at: number): boolean {
  return at < lines.length && lines.hasContent(at, line.content) &&
    (line.ending !== "" || lines.ending(at) === "");
}

const SHOWN = 100;

function expectedAndFound(expected: string, found: string): string {
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same++;
  const from = same < SHOWN - 20 ? 0 : same - 20;
  const both = `expected ${quote(expected, from)}, found ${quote(found, from)}`;
  const isBlank = withoutBlanks(expected) === withoutBlanks(found);
  return isBlank ? `${both}: only the white space differs; copy the line as it is` : both;
}

function quote(line: string, from = 0): string {
  const shown = line.slice(from, from + SHOWN);
  return JSON.stringify(`${from > 0 ? "…" : ""}${shown}${line.length > from + SHOWN ? "…" : ""}`);
}
