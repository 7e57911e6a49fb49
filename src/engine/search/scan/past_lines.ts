/** The lines before the current one, as far as context needs them. */
import type { ShownLine } from "../findings.ts";
import { showLine, SHOWN_BYTES } from "./shown_line.ts";

const LF = 0x0a;
const CR = 0x0d;

/** A line that was read, without its ending; it is decoded when it is shown. */
export class PastLine {
  readonly #bytes: Uint8Array;
  #shown: ShownLine | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A copy of as much of it as can ever be shown, because its buffer will be used again. */
  static copyOf(bytes: Uint8Array): PastLine {
    return new PastLine(bytes.slice(0, SHOWN_BYTES + 4));
  }

  shown(): ShownLine {
    return this.#shown ??= showLine(this.#bytes);
  }
}

/** The last lines, at most `count`, of those from `from` to before `to`, where a line begins. Each has its newline. */
export function lastLines(
  bytes: Uint8Array,
  { from, to, count }: { from: number; to: number; count: number },
): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let end = to; end > from && lines.length < count;) {
    let start = end - 1;
    while (start > from && bytes[start - 1] !== LF) start--;
    lines.push(bytes.subarray(start, endOfLine(bytes, start, end - 1)));
    end = start;
  }
  return lines.reverse();
}

/** Where a line whose newline is at `newline` ends: a \r before it is not part of the line. */
export function endOfLine(bytes: Uint8Array, start: number, newline: number): number {
  return newline > start && bytes[newline - 1] === CR ? newline - 1 : newline;
}

const CHUNK_BYTES = 64 * 1024;

/** The last lines of a file, at most `count`, before a place where a line begins: read from there backwards. */
export function readLastLines(
  source: { readAt(buffer: Uint8Array, position: number): number },
  { to, count }: { to: number; count: number },
): PastLine[] {
  const chunk = new Uint8Array(CHUNK_BYTES);
  // Where the lines begin, from the last to the first; the newline before each is what is looked for.
  const starts: number[] = [];
  let end = to - 1; // before the newline of the last line
  while (end > 0 && starts.length < count) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const read = readFully(source, { buffer: chunk.subarray(0, end - from), position: from });
    for (let i = read - 1; i >= 0 && starts.length < count; i--) {
      if (chunk[i] === LF) starts.push(from + i + 1);
    }
    end = from;
  }
  if (starts.length < count && to > 0) starts.push(0);
  const ends = [to, ...starts];
  return starts.map((start, i) => readLine(source, { start, newline: (ends[i] ?? to) - 1 })).reverse();
}

/** As much of a line as can be shown; a byte order mark is not part of the first. */
function readLine(
  source: { readAt(buffer: Uint8Array, position: number): number },
  { start, newline }: { start: number; newline: number },
): PastLine {
  const length = Math.min(newline - start, SHOWN_BYTES + 4);
  const buffer = new Uint8Array(length);
  const read = readFully(source, { buffer, position: start });
  const isWhole = length === newline - start;
  const bytes = buffer.subarray(0, isWhole ? endOfLine(buffer, 0, read) : read);
  const hasBom = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return new PastLine(hasBom ? bytes.subarray(3) : bytes);
}

function readFully(
  source: { readAt(buffer: Uint8Array, position: number): number },
  { buffer, position }: { buffer: Uint8Array; position: number },
): number {
  let read = 0;
  while (read < buffer.length) {
    const more = source.readAt(buffer.subarray(read), position + read);
    if (more === 0) break;
    read += more;
  }
  return read;
}
