/**
 * Strict UTF-8. Invalid bytes are never replaced with U+FFFD, which would destroy them at the next write, and
 * a byte order mark stays part of the text.
 */
import { nodeBuffer } from "../base/node_buffer.ts";

/** How much of a file is examined to find out what it contains. */
export const SNIFFED_BYTES = 8192;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const showing = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** The text, or undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const node = nodeBuffer(bytes.length);
  if (node?.isAscii(bytes)) return node.Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length);
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** For display only: invalid bytes become U+FFFD. */
export function showUtf8(bytes: Uint8Array): string {
  return showing.decode(bytes);
}

/** A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** The length of `encodeUtf8(text)`, without encoding it. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) i++;
  }
  return length;
}

/** A NUL near the start marks a binary file, whatever its encoding. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

/**
 * The last place up to `index` that does not cut a code point in two. Bytes that are not UTF-8 may be cut
 * anywhere.
 */
export function utf8Boundary(bytes: Uint8Array, index = bytes.length): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[index - back];
    if (byte === undefined) break;
    if (!isContinuation(byte)) return sequenceLength(byte) > back ? index - back : index;
  }
  return index;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * A stretch of bytes with both ends moved back to where characters begin, so that consecutive stretches stay
 * consecutive, even if one of them is not UTF-8. If it would be empty, it gets the character it lies in.
 * `bytes` must extend far enough to contain a character at its end completely.
 */
export function wholeCharacters(bytes: Uint8Array, { from, to }: Stretch): Stretch {
  const start = characterStart(bytes, from);
  const end = characterStart(bytes, to);
  return { from: start, to: end > start ? end : start + sequenceLength(bytes[start] ?? 0) };
}

/** Where the character around an index begins; the index itself if it is not within one. */
function characterStart(bytes: Uint8Array, index: number): number {
  for (let start = index - 1; start >= Math.max(0, index - 3); start--) {
    if (isContinuation(bytes[start] ?? 0)) continue;
    const end = start + sequenceLength(bytes[start] ?? 0);
    const isWhole = end > index && end <= bytes.length && bytes.subarray(index, end).every(isContinuation);
    return isWhole ? start : index;
  }
  return index;
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
