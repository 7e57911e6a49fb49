/** Applies git's deltas: a list of pieces to copy from another object, and of bytes to add. */
import { Buffer } from "node:buffer";

/** No more is taken into memory, whatever a delta says: a few bytes of it can stand for any number. */
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
  /** As many bytes of a number as the bits of the instruction say. */
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
      if (from + length > base.length) throw new RangeError("a delta copies from behind the end");
      piece = base.subarray(from, from + length);
    } else {
      piece = delta.subarray(at, at += instruction);
    }
    filled += piece.length;
    if (filled > MAX_RESULT) throw new RangeError("a delta makes more than is read");
    pieces.push(piece);
  }
  // Only now is it known that there is as much as it says.
  if (filled !== size) throw new RangeError("a delta is incomplete");
  return Buffer.concat(pieces);
}

/** How large the result is, from the first bytes of a delta; undefined when they are too few. */
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
