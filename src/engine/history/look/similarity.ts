/**
 * How similar two files are, computed as in git, so that both see the same renames: the files are cut into pieces
 * at newlines and after 64 bytes; the result is the share of the larger file that consists of pieces they have in
 * common, out of 60,000. What comes after the last newline does not count, as in git up to 2.43.
 */
export const MAX_SCORE = 60_000;
/** From here on, git takes one file for the renamed other. */
export const MIN_SCORE = 30_000;

const PIECE = 64;
const HASHES = 107_927;
const LF = 10;
const CR = 13;
/** How far git reads to decide whether a file is text. */
const SNIFFED = 8_000;

/** The number of bytes in pieces of each hash. */
export type Pieces = ReadonlyMap<number, number>;

export function piecesOf(bytes: Uint8Array): Pieces {
  const pieces = new Map<number, number>();
  const isText = !bytes.subarray(0, SNIFFED).includes(0);
  let [first, second, length] = [0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (isText && byte === CR && bytes[i + 1] === LF) continue;
    const before = first;
    first = ((first << 7) ^ (second >>> 25)) >>> 0;
    second = ((second << 7) ^ (before >>> 25)) >>> 0;
    first = (first + byte) >>> 0;
    if (++length < PIECE && byte !== LF) continue;
    const hash = ((first + Math.imul(second, 0x61)) >>> 0) % HASHES;
    pieces.set(hash, (pieces.get(hash) ?? 0) + length);
    [first, second, length] = [0, 0, 0];
  }
  return pieces;
}

/** Whether two sizes are so different that the files cannot be similar enough. */
export function sizesDiffer(a: number, b: number): boolean {
  const larger = Math.max(a, b);
  return larger * (MAX_SCORE - MIN_SCORE) < (larger - Math.min(a, b)) * MAX_SCORE;
}

export function similarity(
  a: { pieces: Pieces; size: number },
  b: { pieces: Pieces; size: number },
): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const [hash, count] of a.pieces) common += Math.min(count, b.pieces.get(hash) ?? 0);
  return Math.floor(common * MAX_SCORE / Math.max(a.size, b.size));
}
