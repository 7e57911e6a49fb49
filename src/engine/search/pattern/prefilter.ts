/**
 * Which places of a text are worth a closer look: a matching line contains one of a few rows of bytes, and of
 * those the kernel looks for the two or three that are rarest. Many patterns have none; then every line is run.
 */
import type { Node } from "./ast.ts";
import { type ByteRow, type ByteSet, likelihood, onlyByte } from "../bytes/byte_sets.ts";
import { MAX_OFFSET, type Probe, TABLE_BYTES } from "../bytes/kernel.ts";
import { at } from "../bytes/ranges.ts";
import { requiredBy } from "./required.ts";

/** A probe that fits more places than this is slower than running every line. */
const MAX_LIKELIHOOD = 1 / 80;
/** Two bytes are found three times as fast as three classes, but must be rare enough alone. */
const MAX_PAIR_LIKELIHOOD = 1 / 5000;
/** Among so many first places of the rows the three rarest are chosen: all triples are tried. */
const MAX_TRIED = 12;
const CR = 0x0d;

export class Prefilter {
  readonly probe: Probe;
  /** Whether a line that `confirms` has accepted is sure to match. */
  readonly isExact: boolean;
  readonly #rows: readonly ByteRow[];

  constructor(rows: readonly ByteRow[], probe: Probe, isExact: boolean) {
    this.probe = probe;
    this.isExact = isExact;
    this.#rows = rows;
  }

  /** Whether one of the rows is at a place that the kernel has found, before `end`. */
  confirms(bytes: Uint8Array, place: number, end: number): boolean {
    for (const row of this.#rows) {
      if (place + row.length <= end && isAt(row, bytes, place)) return true;
    }
    return false;
  }
}

/** The most promising first; none when every line of an ordinary text may as well be run. */
export function prefiltersFor(node: Node): Prefilter[] {
  return requiredBy(node).flatMap(({ rows, isExact }) => {
    const probe = pairProbe(rows) ?? classProbe(rows) ?? runProbe(rows);
    if (probe === undefined) return [];
    // The line may end in \r\n: then the \r is not part of it, and only a run can decide.
    const maybeCut = rows.some((row) => row.some((set) => set[CR] === 1));
    return [new Prefilter(rows, probe, isExact && !maybeCut)];
  });
}

function isAt(row: ByteRow, bytes: Uint8Array, place: number): boolean {
  for (let i = 0; i < row.length; i++) {
    if ((row[i] as ByteSet)[at(bytes, place + i)] === 0) return false;
  }
  return true;
}

/** The two rarest bytes of the only row, or its only one. */
function pairProbe(rows: readonly ByteRow[]): Probe | undefined {
  const [row, another] = rows;
  if (row === undefined || another !== undefined) return undefined;
  const singles: { offset: number; byte: number; share: number }[] = [];
  for (const [offset, set] of row.entries()) {
    const byte = onlyByte(set);
    if (byte !== undefined && offset <= MAX_OFFSET) singles.push({ offset, byte, share: likelihood(set) });
  }
  singles.sort((a, b) => a.share - b.share);
  const [first, second = first] = singles;
  if (first === undefined || second === undefined) return undefined;
  const likely = first === second ? first.share : first.share * second.share;
  const isRare = row.length === 1 ? likely <= MAX_LIKELIHOOD : likely <= MAX_PAIR_LIKELIHOOD;
  if (!isRare && row.length !== 2) return undefined;
  if (likely > MAX_LIKELIHOOD) return undefined;
  return {
    kind: "pair",
    offsets: [first.offset, second.offset],
    bytes: [first.byte, second.byte],
    others: singles.slice(2).reverse(), // the rarest last
  };
}

/** The three places whose bytes, over all rows, are rarest together. */
function classProbe(rows: readonly ByteRow[]): Probe | undefined {
  const length = Math.min(MAX_TRIED, ...rows.map((row) => row.length));
  const shares = rows.map((row) => row.slice(0, length).map(likelihood));
  let chosen: [number, number, number] | undefined;
  let least = MAX_LIKELIHOOD;
  for (let i = 0; i < length; i++) {
    for (let j = Math.min(i + 1, length - 1); j < length; j++) {
      for (let k = Math.min(j + 1, length - 1); k < length; k++) {
        const offsets = [...new Set([i, j, k])];
        let likely = 0;
        for (const row of shares) likely += offsets.reduce((product, at) => product * (row[at] ?? 1), 1);
        if (likely < least * 0.999) [chosen, least] = [[i, j, k], likely];
      }
    }
  }
  if (chosen === undefined) return undefined;
  const offsets = rarestFirst(chosen, shares);
  return { kind: "classes", offsets, tables: tablesFor(rows, offsets) };
}

/** The kernel looks at the third only where the first two fit: so the likeliest comes last. */
function rarestFirst(
  offsets: readonly [number, number, number],
  shares: readonly (readonly number[])[],
): [number, number, number] {
  const [i, j, k] = offsets;
  const shareOf = (offset: number) => shares.reduce((sum, row) => sum + (row[offset] ?? 1), 0);
  const last = [i, j, k].reduce((likeliest, offset) =>
    shareOf(offset) > shareOf(likeliest) ? offset : likeliest
  );
  if (last === i) return [j, k, i];
  return last === j ? [i, k, j] : [i, j, k];
}

/** All bytes of the only row together, which are many and each of them likely. */
function runProbe(rows: readonly ByteRow[]): Probe | undefined {
  const [row, another] = rows;
  if (row === undefined || another !== undefined) return undefined;
  const any: ByteSet = new Uint8Array(256);
  for (const set of row) for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) any[byte] = 1;
  if (likelihood(any) ** row.length > MAX_LIKELIHOOD) return undefined;
  return { kind: "run", length: row.length, tables: tableOf(any) };
}

/** One bucket for all high halves with the same low halves: there are eight at most of ASCII. */
function tableOf(set: ByteSet): Uint8Array {
  const table = new Uint8Array(32);
  const buckets = new Map<string, number>();
  for (let high = 0; high < 16; high++) {
    const lows = set.subarray(16 * high, 16 * high + 16);
    if (!lows.includes(1)) continue;
    const key = lows.join();
    const bit = buckets.get(key) ?? 1 << Math.min(buckets.size, 7);
    buckets.set(key, bit);
    table[16 + high] = bit;
    for (let low = 0; low < 16; low++) if (lows[low] === 1) table[low] = at(table, low) | bit;
  }
  return table;
}

/** Rows that share a bucket also fit where their bytes are mixed: `confirms` decides. */
function tablesFor(rows: readonly ByteRow[], offsets: readonly number[]): Uint8Array {
  const tables = new Uint8Array(TABLE_BYTES);
  const add = (index: number, bit: number) => tables[index] = at(tables, index) | bit;
  for (const [number, row] of rows.entries()) {
    const bit = 1 << (number & 7);
    for (const [i, offset] of offsets.entries()) {
      for (let byte = 0; byte < 256; byte++) {
        if (row[offset]?.[byte] !== 1) continue;
        add(32 * i + (byte & 15), bit);
        add(32 * i + 16 + (byte >> 4), bit);
      }
    }
  }
  return tables;
}
