/**
 * Finds where in a text the hunks of a patch belong: where the header says, moved as the hunk before was
 * moved, else at the nearest place that has exactly its old lines. Line endings are not compared, so that
 * LF patches fit CRLF files. Hunks keep their order and share no line.
 */

import type { Hunk } from "./parse_patch.ts";
import type { LineTable } from "./line_table.ts";
import type { Line } from "./lines.ts";

export type Placement =
  /** For each hunk, the index of the line it begins at. */
  | { readonly places: readonly number[] }
  | { readonly misfit: Misfit };

export interface Misfit {
  readonly hunk: number;
  readonly line: number;
  readonly detail: string;
}

export function placeHunks(lines: LineTable, hunks: readonly Hunk[]): Placement {
  const search = new Search(lines, hunks);
  const places: number[] = [];
  let free = 0;
  let moved = 0;
  for (const [i, hunk] of hunks.entries()) {
    const old = oldLines(hunk);
    const wanted = Math.max(0, headerIndex(hunk) + moved);
    const found = search.find(old, { wanted, free });
    if (typeof found === "object") return { misfit: { hunk: i + 1, ...found } };
    places.push(found);
    free = found + old.length;
    moved = found - headerIndex(hunk);
  }
  return { places };
}

/** The index of the line that the header has the hunk begin at. */
export function headerIndex(hunk: Hunk): number {
  return hunk.lines.some(({ kind }) => kind !== "+") ? hunk.oldStart - 1 : hunk.oldStart;
}

interface Old {
  readonly lines: readonly Line[];
  readonly length: number;
  /** The hunk reaches the end of the file, which has no newline before or after the change. */
  readonly last: boolean;
}

function oldLines(hunk: Hunk): Old {
  const lines = hunk.lines.filter(({ kind }) => kind !== "+");
  return { lines, length: lines.length, last: hunk.lines.some(({ ending }) => ending === "") };
}

class Search {
  readonly #lines: LineTable;
  readonly #hunks: readonly Hunk[];
  #numbers: { of: ReadonlyMap<string, number>; text: Int32Array } | undefined;
  /** Comparisons left: a crafted patch could otherwise have every hunk sought all over a large file. */
  #budget = 100_000_000;

  constructor(lines: LineTable, hunks: readonly Hunk[]) {
    this.#lines = lines;
    this.#hunks = hunks;
  }

  /** `wanted` is tried first; nothing before `free` is. */
  find(old: Old, { wanted, free }: { wanted: number; free: number }): number | Omit<Misfit, "hunk"> {
    if (this.#lines.length === 0 && old.length === 0) return 0;
    if (wanted >= free && this.#fits(old, wanted)) return wanted;
    const last = this.#lines.length - old.length;
    const first = old.last ? Math.max(free, last) : free;
    if (old.length === 0 || first > last) return this.#explain(old, { wanted, free });
    const { at, best } = this.#scan(old, { wanted, first, last });
    return at ?? this.#explain(old, { wanted: best ?? wanted, free });
  }

  /**
   * Outwards from `wanted`, below it first, as `patch` and git do. `best` is where the hunk stops fitting
   * only in its second half: the better place to complain about.
   */
  #scan(old: Old, { wanted, first, last }: { wanted: number; first: number; last: number }) {
    const { of, text } = this.#numbered();
    const sought = Int32Array.from(old.lines, ({ content }) => of.get(content) ?? 0);
    let best: number | undefined;
    let most = Math.ceil(old.length / 2) - 1;
    let below = Math.min(Math.max(wanted, first), last);
    let above = below - 1;
    while ((below <= last || above >= first) && this.#budget > 0) {
      const at = below <= last && (above < first || below - wanted <= wanted - above) ? below++ : above--;
      let same = 0;
      while (same < sought.length && sought[same] === text[at + same]) same++;
      this.#budget -= same + 1;
      if (same === sought.length && this.#fits(old, at)) return { at };
      if (same > most) [best, most] = [at, same];
    }
    return { best };
  }

  /** Gives equal lines one number, so that a comparison costs the same however long the lines are. */
  #numbered() {
    if (this.#numbers === undefined) {
      const of = new Map<string, number>();
      for (const { lines } of this.#hunks) {
        for (const { content } of lines) if (!of.has(content)) of.set(content, of.size + 1);
      }
      const text = new Int32Array(this.#lines.length);
      for (let i = 0; i < text.length; i++) text[i] = of.get(this.#lines.content(i)) ?? 0;
      this.#numbers = { of, text };
    }
    return this.#numbers;
  }

  #fits(old: Old, at: number): boolean {
    const end = at + old.length;
    return (old.last ? end === this.#lines.length : end <= this.#lines.length) &&
      old.lines.every((line, i) => this.#isSame(line, at + i));
  }

  #explain(old: Old, { wanted, free }: { wanted: number; free: number }): Omit<Misfit, "hunk"> {
    const miss = (index: number, detail: string) => ({ line: index + 1, detail });
    if (wanted < free && (old.length === 0 || this.#fits(old, wanted))) {
      return miss(
        wanted,
        `the hunk before it reaches to line ${free}, and hunks may not overlap`,
      );
    }
    const end = this.#lines.length === 0
      ? "an empty file"
      : `the end of the file after line ${this.#lines.length}`;
    for (const [i, line] of old.lines.entries()) {
      const at = wanted + i;
      if (this.#isSame(line, at)) continue;
      if (at >= this.#lines.length) return miss(at, `expected ${quote(line.content)}, found ${end}`);
      const there = this.#lines.content(at);
      if (line.content !== there) return miss(at, expectedAndFound(line.content, there));
      return miss(at, `expected no newline after ${quote(there)}, found one`);
    }
    const at = wanted + old.length;
    if (at >= this.#lines.length) return miss(at, `found ${end}`);
    return miss(at, `expected the end of the file, found ${quote(this.#lines.content(at))}`);
  }

  /** A missing newline at the end of the file is only a matter if the patch speaks of it. */
  #isSame(line: Line, at: number): boolean {
    return at < this.#lines.length && this.#lines.hasContent(at, line.content) &&
      (line.ending !== "" || this.#lines.ending(at) === "");
  }
}

const SHOWN = 100;

function expectedAndFound(expected: string, found: string): string {
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same++;
  const from = same < SHOWN - 20 ? 0 : same - 20;
  return `expected ${quote(expected, from)}, found ${quote(found, from)}`;
}

function quote(line: string, from = 0): string {
  const shown = line.slice(from, from + SHOWN);
  return JSON.stringify(`${from > 0 ? "…" : ""}${shown}${line.length > from + SHOWN ? "…" : ""}`);
}
