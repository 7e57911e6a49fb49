/** How many bytes a text takes in UTF-8. */
import { nodeBuffer } from "./node_buffer.ts";

/** Above this length the runtime's own encoder is faster, although it makes a copy. */
const LONG = 4_096;

const encoder = new TextEncoder();

export function utf8Length(text: string): number {
  if (text.length > LONG) {
    return nodeBuffer(text.length)?.Buffer.byteLength(text) ?? encoder.encode(text).length;
  }
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    bytes++;
    if (code < 0x800) continue;
    if (isPair(code, text.charCodeAt(i + 1))) i++; // four bytes for two units
    bytes++;
  }
  return bytes;
}

/** A lone surrogate is encoded as U+FFFD, which takes three bytes. */
function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
