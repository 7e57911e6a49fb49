/**
 * Which groups of three bytes a file contains, in little space and with errors in one direction only: a group
 * that is present is never denied (a Bloom filter with one hash). Letters count without their case, so that one
 * filter serves patterns of both kinds.
 */
import type { ByteRow, ByteSet } from "../bytes/byte_sets.ts";
import { PatternError } from "../pattern/pattern_error.ts";
import { requiredBy } from "../pattern/required.ts";
import { parsePattern } from "../pattern/syntax.ts";

/** Bytes with ASCII letters in lower case. */
const FOLDED = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);
const THREE_BYTES = 0xffffff;
const MULTIPLIER = 0x9e3779b1;

const MIN_BYTES = 32;
const MAX_BYTES = 32 * 1024;

/** Lists of groups: a file can only match if it contains all groups of at least one list. */
type Choice = readonly (readonly number[])[];

/** Every one of these choices must be met. */
export type SoughtTrigrams = readonly Choice[];

/** Undefined when a file can match without containing any particular group. */
export function trigramsOf(pattern: string, caseInsensitive: boolean): SoughtTrigrams | undefined {
  let choices: Choice[];
  try {
    choices = requiredBy(parsePattern(pattern, { caseInsensitive })).map(({ rows }) => rows.map(trigramsIn));
  } catch (error) {
    if (error instanceof PatternError) return undefined; // compiling the pattern reports the error
    throw error;
  }
  const sought = choices.filter((lists) => lists.every((list) => list.length > 0));
  return sought.length === 0 ? undefined : sought;
}

function trigramsIn(row: ByteRow): number[] {
  const bytes = row.map(foldedByte);
  const trigrams = new Set<number>();
  for (let i = 2; i < bytes.length; i++) {
    const [a, b, c] = [bytes[i - 2], bytes[i - 1], bytes[i]];
    if (a !== undefined && b !== undefined && c !== undefined) trigrams.add((a << 16) | (b << 8) | c);
  }
  return [...trigrams];
}

/** The one byte that all bytes of a set become in lower case; undefined if they become several. */
function foldedByte(set: ByteSet): number | undefined {
  let found: number | undefined;
  for (let byte = 0; byte < 256; byte++) {
    if (!set[byte]) continue;
    if (found !== undefined && found !== FOLDED[byte]) return undefined;
    found = FOLDED[byte];
  }
  return found;
}

/** For a file of this many bytes. */
export function newFilter(size: number): Uint8Array {
  const wanted = Math.min(Math.max(size / 8, MIN_BYTES), MAX_BYTES);
  return new Uint8Array(2 ** Math.ceil(Math.log2(wanted)));
}

/**
 * Adds the groups in these bytes, which start `from` bytes into the file and follow those in `group`;
 * returns the last of them. About one bit in six is set in the end.
 */
export function addTrigrams(
  filter: Uint8Array,
  bytes: Uint8Array,
  { group, from }: { group: number; from: number },
): number {
  const shift = shiftFor(filter);
  let last = group;
  for (let i = 0; i < bytes.length; i++) {
    last = ((last << 8) | (FOLDED[bytes[i] ?? 0] ?? 0)) & THREE_BYTES;
    if (from + i < 2) continue;
    const bit = Math.imul(last, MULTIPLIER) >>> shift;
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }
  return last;
}

/** The groups in these bytes. */
export function filterOf(bytes: Uint8Array): Uint8Array {
  const filter = newFilter(bytes.length);
  addTrigrams(filter, bytes, { group: 0, from: 0 });
  return filter;
}

/** False only when a file with this filter cannot match. */
export function mayHold(filter: Uint8Array, sought: SoughtTrigrams): boolean {
  const shift = shiftFor(filter);
  for (const lists of sought) if (!holdsOne(filter, shift, lists)) return false;
  return true;
}

function holdsOne(filter: Uint8Array, shift: number, lists: Choice): boolean {
  for (const list of lists) if (holdsAll(filter, shift, list)) return true;
  return false;
}

function holdsAll(filter: Uint8Array, shift: number, list: readonly number[]): boolean {
  for (let i = 0; i < list.length; i++) {
    const bit = Math.imul(list[i] ?? 0, MULTIPLIER) >>> shift;
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** The highest bits of a product are the best mixed ones. */
function shiftFor(filter: Uint8Array): number {
  return Math.clz32(filter.length) - 2; // its length is a power of two, of bytes with eight bits each
}
