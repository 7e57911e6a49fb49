/** Applies git's deltas: instructions to copy pieces of another object and to add bytes. */
import { Buffer } from "node:buffer";

/** No more than this is held in memory, whatever a delta says: a few bytes of it can stand for any number. */
const MAX_RESULT = 512 * 1024 * 1024;

export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const byte = () => {
    const value = delta[at++];
    if (value === undefined) throw new RangeError("a delta ends too early");
    return value;
  };
  const number = () => {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const next = byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) return value;
    }
  };
  /** A number of which the instruction's bits say which bytes are present. */
  const sparse = (bits: number, count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++) if (bits & (1 << i)) value += byte() * 2 ** (8 * i);
    return value;
  };
  if (number() !== base.length) throw new RangeError("a delta is for another object");
  const size = number();
  const pieces: Buffer[] = [];
  let filled = 0;
  while (at < delta.length) {
    const instruction = byte();
    let piece: Buffer;
    if (instruction & 0x80) {
      const from = sparse(instruction & 0x0f, 4);
      const length = sparse((instruction >> 4) & 0x07, 3) || 0x10000;
      if (from + length > base.length) throw new RangeError("a delta copies from beyond the end");
      piece = base.subarray(from, from + length);
    } else {
      piece = delta.subarray(at, at += instruction);
    }
    filled += piece.length;
    if (filled > MAX_RESULT) throw new RangeError("a delta produces more than the limit");
    pieces.push(piece);
  }
  // The claimed size is trusted only now.
  if (filled !== size) throw new RangeError("a delta is incomplete");
  return Buffer.concat(pieces);
}

/** The size of the result, from the first bytes of a delta; undefined if there are too few. */
export function sizeAfter(delta: Buffer): number | undefined {
  let at = 0;
  for (let number = 0; number < 2; number++) {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const next = delta[at++];
      if (next === undefined) return undefined;
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
    }
    if (number === 1) return value;
  }
  return undefined;
}
