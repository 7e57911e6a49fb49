/**
 * Three-way merging, line by line, of bytes that are text: whatever their encoding, every byte is preserved. The
 * work is bounded in advance: lines that occur many times make it grow with the square of their number.
 */
import { Buffer } from "node:buffer";
import { looksBinary } from "../../text/utf8.ts";

export interface Versions {
  /** The common ancestor. */
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

export type Merged =
  | { readonly bytes: Uint8Array }
  /** The lines of `ours`, counted from 1, that conflict. */
  | { readonly conflict: { readonly first: number; readonly last: number } }
  | { readonly refused: string };

/** The most pairs of equal lines that are compared. */
const MOST_PAIRS = 4_000_000;
/** For each line between the changes, diff3 steps over all matches before it: this many steps take about a second. */
const MOST_STEPS = 1_000_000_000;

export async function merge({ base, ours, theirs }: Versions): Promise<Merged> {
  if ([base, ours, theirs].some((bytes) => looksBinary(bytes))) return { refused: "it is not text" };
  const [o, a, b] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  const head = commonHead(o, a, b);
  const tail = commonTail(o, a, b, head);
  const cut = (lines: string[]) => lines.slice(head, lines.length - tail);
  const [o2, a2, b2] = [cut(o), cut(a), cut(b)];
  if (pairs(o2, a2) + pairs(o2, b2) > MOST_PAIRS) {
    return { refused: "it has too many equal lines to be merged" };
  }
  if (o2.length * (a2.length + b2.length) > MOST_STEPS) {
    return { refused: "it has too many lines between the changes to be merged" };
  }
  const { diff3Merge } = await import("node-diff3");
  const parts = [a.slice(0, head)];
  for (const region of diff3Merge<string>(a2, o2, b2, { excludeFalseConflicts: true })) {
    if (region.conflict !== undefined) {
      const first = head + region.conflict.aIndex + 1;
      return { conflict: { first, last: Math.max(first, first + region.conflict.a.length - 1) } };
    }
    parts.push(region.ok ?? []);
  }
  parts.push(a.slice(a.length - tail));
  return { bytes: new Uint8Array(Buffer.from(parts.flat().join(""), "latin1")) };
}

/** With their line endings; a character is a byte. */
function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1");
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function commonHead(...all: string[][]): number {
  const shortest = Math.min(...all.map((lines) => lines.length));
  let head = 0;
  while (head < shortest && all.every((lines) => lines[head] === all[0]?.[head])) head++;
  return head;
}

function commonTail(o: string[], a: string[], b: string[], head: number): number {
  const most = Math.min(o.length, a.length, b.length) - head;
  let tail = 0;
  while (tail < most && o.at(-1 - tail) === a.at(-1 - tail) && o.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return tail;
}

function pairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
