/** Applies git's deltas: a list of pieces to copy from another object, and of bytes to add. */
import { Buffer } from "node:buffer";

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
  const result = Buffer.alloc(number());
  let filled = 0;
  while (at < delta.length) {
    const instruction = byte();
    if (instruction & 0x80) {
      const from = sparse(instruction & 0x0f, 4);
      const length = sparse((instruction >> 4) & 0x07, 3) || 0x10000;
      if (from + length > base.length) throw new RangeError("a delta copies from behind the end");
      filled += base.copy(result, filled, from, from + length);
    } else {
      filled += delta.copy(result, filled, at, at + instruction);
      at += instruction;
    }
  }
  if (filled !== result.length) throw new RangeError("a delta is incomplete");
  return result;
}
