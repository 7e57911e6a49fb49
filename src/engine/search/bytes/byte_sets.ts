/**
 * Sets of bytes, and rows of them: the bytes possible at one position of a match, and at consecutive positions.
 * How likely a set is in ordinary text decides which positions are worth searching for.
 */
import { encodeUtf8 } from "../../../text/utf8.ts";
import { at, includes, type Ranges } from "./ranges.ts";

/** One flag for each byte. It does not change once it is in use. */
export interface ByteSet extends Uint8Array {
  /** Its likelihood, computed on first use: one set is in many rows. */
  share?: number;
}
export type ByteRow = readonly ByteSet[];

const LF = 0x0a;
const REPLACEMENT = 0xfffd;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
/** At most this many code points beyond ASCII are spelled out; a larger set is known only by its single bytes. */
const MAX_SPELLED = 8;

const NONE: ByteSet = new Uint8Array(256);

/** How rare each byte is in source code and prose: A is every byte, B every second one, C every fourth. */
const RARITY =
  "ZZZZZZZZZGFZZOZZZZZZZZZZZZZZZZZZDKGLLNKIHHHKGIGHHHIIIJJJJJHHKHKJKIJIIIJKKILLIIIIILIIHJKJMKLJJJMI" +
  "JFHGGEGHGFJIFGFFGJFFEGHIHHJHJHQZMNNNOOOOOOOPOOQOPQPPOOPPPOPPOPOOPOPPNONNOPOPPONONONONNOONOOOONNOZZ" +
  "QNPPTXUQVWTZOPLMRSUPROMNQPZZRZLNOPONNOOOTSQSZRTZZZZZZZZZZZZZZZ";
const SHARE = Float64Array.from({ length: 256 }, (_, byte) => 2 ** (65 - RARITY.charCodeAt(byte)));

export function likelihood(set: ByteSet): number {
  return set.share ??= sumOf(set);
}

function sumOf(set: ByteSet): number {
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) if (set[byte]) sum += at(SHARE, byte);
  return Math.min(1, sum);
}

/** The only byte of a set that has just one. */
export function onlyByte(set: ByteSet): number | undefined {
  const first = set.indexOf(1);
  return first >= 0 && set.indexOf(1, first + 1) < 0 ? first : undefined;
}

/**
 * All ways to write the code points of a set, or undefined when they are too many. U+FFFD is what any invalid
 * byte is read as, so a set that contains it has no end of ways. No line contains a newline, so it has no spelling.
 */
export function spellings(ranges: Ranges): ByteRow[] | undefined {
  if (includes(ranges, REPLACEMENT)) return undefined;
  const rows: ByteSet[][] = [];
  const ascii = asciiOf(ranges);
  if (ascii.includes(1)) rows.push([ascii]);
  let count = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    for (let rune = Math.max(0x80, at(ranges, i)); rune <= at(ranges, i + 1); rune++) {
      if (rune >= FIRST_SURROGATE && rune <= LAST_SURROGATE) continue;
      if (++count > MAX_SPELLED) return undefined;
      addSpelling(rows, encodeUtf8(String.fromCodePoint(rune)));
    }
  }
  return rows;
}

/** The possible bytes at the edge of a code point of the set: any byte beyond ASCII stands for all of those. */
export function edgeOf(ranges: Ranges): ByteSet {
  const set = asciiOf(ranges);
  if ((ranges.at(-1) ?? 0) >= 0x80) set.fill(1, 0x80);
  return set;
}

function asciiOf(ranges: Ranges): ByteSet {
  const set = new Uint8Array(256);
  for (let i = 0; i < ranges.length && at(ranges, i) < 0x80; i += 2) {
    set.fill(1, at(ranges, i), Math.min(at(ranges, i + 1), 0x7f) + 1);
  }
  set[LF] = 0;
  return set;
}

/** Adds a spelling to a row that differs from it only in the last byte, if there is one: é and É, for instance. */
function addSpelling(rows: ByteSet[][], bytes: Uint8Array): void {
  const alike = rows.find((row) =>
    row.length === bytes.length && bytes.subarray(0, -1).every((byte, i) => onlyByte(row[i] ?? NONE) === byte)
  );
  const last = alike?.at(-1);
  const lastByte = bytes.at(-1) ?? 0;
  if (last !== undefined && bytes.length > 1) last[lastByte] = 1;
  else rows.push(Array.from(bytes, (byte) => new Uint8Array(256).fill(1, byte, byte + 1)));
}
