/** The entries of an index as bytes: finds one by name, and inserts others. */
import { Buffer } from "node:buffer";
import type { TreeEntry } from "../objects/tree.ts";
import { compareName, emptyIndex, HASH_AT, type IndexEntries } from "./index_format.ts";

/** Where the entry of a name begins; undefined if there is none. */
export function startOf(entries: IndexEntries, name: string): number | undefined {
  const start = entries.starts[lowerBound(entries, name)];
  return start !== undefined && compareName(entries.bytes, start, name) === 0 ? start : undefined;
}

/** The number of the first entry that does not sort before a name. */
export function lowerBound({ bytes, starts }: IndexEntries, name: string): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareName(bytes, starts[middle] ?? 0, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function entryFrom({ bytes }: IndexEntries, start: number): TreeEntry {
  return {
    mode: bytes.readUInt32BE(start + 24),
    oid: bytes.toString("hex", start + HASH_AT, start + HASH_AT + 20),
  };
}

export interface EntryEdits {
  /** By number; empty for an entry to remove. */
  readonly replaced: ReadonlyMap<number, Buffer>;
  readonly added: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** Replaces some entries and inserts others. If all keep their length, the buffer is changed in place. */
export function merged(entries: IndexEntries, { replaced, added }: EntryEdits): IndexEntries {
  const { bytes, starts } = entries;
  const endOf = (i: number) => starts[i + 1] ?? bytes.length;
  const inPlace = added.length === 0 &&
    [...replaced].every(([i, entry]) => entry.length === endOf(i) - (starts[i] ?? 0));
  if (inPlace) {
    for (const [i, entry] of replaced) entry.copy(bytes, starts[i] ?? 0);
    return entries;
  }
  const edits = [
    ...Array.from(replaced, ([i, entry]) => ({ i, until: i + 1, name: "", entry })),
    ...added.map(({ name, bytes: entry }) => {
      const i = lowerBound(entries, name);
      return { i, until: i, name, entry };
    }),
  ].sort((a, b) => a.i - b.i || a.until - b.until || (a.name < b.name ? -1 : 1));
  const parts: Buffer[] = [];
  const moved: number[] = [];
  let [next, length] = [0, 0];
  const keep = (until: number) => {
    const from = next < starts.length ? starts[next] ?? 0 : bytes.length;
    const to = until < starts.length ? starts[until] ?? 0 : bytes.length;
    const shift = length + HEADER - from;
    for (let i = next; i < until; i++) moved.push((starts[i] ?? 0) + shift);
    parts.push(bytes.subarray(from, to));
    length += to - from;
  };
  for (const { i, until, entry } of edits) {
    keep(i);
    if (entry.length > 0) moved.push(length + HEADER);
    parts.push(entry);
    length += entry.length;
    next = until;
  }
  keep(starts.length);
  const whole = Buffer.concat([bytes.subarray(0, HEADER), ...parts]);
  whole.writeUInt32BE(moved.length, 8);
  return { bytes: whole, starts: Int32Array.from(moved) };
}

const HEADER = emptyIndex().bytes.length;
