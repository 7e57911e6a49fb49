/**
 * Reads a file that is too large for memory, chunk by chunk: counts all its lines and keeps the bytes of one
 * range of them. Lines are those of lf_lines.ts. Nothing is decoded: in UTF-8 no other code point contains an
 * LF byte.
 */
import { utf8Boundary } from "./utf8.ts";

const LF = 0x0a;
const CR = 0x0d;

export interface LineScannerOptions {
  /** The first line to keep, from 1. */
  firstLine: number;
  /** The last line to keep. Default: the end of the file. */
  lastLine?: number;
  /** How many bytes to keep at most. */
  maxBytes?: number;
}

export interface ScannedLines {
  totalLines: number;
  /** From the start of the first line to the end of the last one, its ending included. */
  bytes: Uint8Array;
  /** Where in the file they begin. */
  startByte: number;
  startLine: number;
  /** The last line of which `bytes` has a part; `startLine - 1` if there is none. */
  endLine: number;
  /** Whether `maxBytes` cut something off: whole lines, or part of the first if that alone is too long. */
  cut: boolean;
}

export class LineScanner {
  readonly #firstLine: number;
  readonly #lastLine: number;
  readonly #maxBytes: number;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  /** How many bytes come before the first line. */
  #startByte = 0;
  /** The line that the next byte belongs to. */
  #line = 1;
  /** Whether the last byte seen was not an ending. */
  #open = false;

  constructor({ firstLine, lastLine = Infinity, maxBytes = Infinity }: LineScannerOptions) {
    this.#firstLine = firstLine;
    this.#lastLine = lastLine;
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes of the file. Kept bytes are copied, so the caller may reuse its buffer. */
  push(chunk: Uint8Array): void {
    const before = this.#advance(chunk, this.#firstLine);
    this.#startByte += before;
    const rest = chunk.subarray(before);
    const length = this.#advance(rest, this.#lastLine + 1);
    this.#keep(rest.subarray(0, length));
    this.#advance(rest.subarray(length), Infinity);
    const last = chunk.at(-1);
    if (last !== undefined) this.#open = last !== LF;
  }

  end(): ScannedLines {
    const totalLines = this.#line - (this.#open ? 0 : 1);
    const start = { startLine: this.#firstLine, startByte: this.#startByte };
    const { startLine } = start;
    const bytes = concat(this.#kept, this.#keptBytes);
    if (bytes.length <= this.#maxBytes) {
      const endLine = Math.max(startLine - 1, Math.min(this.#lastLine, totalLines));
      return { totalLines, bytes, ...start, endLine, cut: false };
    }
    const whole = bytes.subarray(0, cutPoint(bytes, this.#maxBytes));
    return { totalLines, bytes: whole, ...start, endLine: startLine - 1 + countLines(whole), cut: true };
  }

  /** Reads until `line` begins; returns how many bytes of the chunk precede it. */
  #advance(chunk: Uint8Array, line: number): number {
    const length = chunk.length;
    let current = this.#line;
    let i = 0;
    while (i < length && current < line) if (chunk[i++] === LF) current++;
    this.#line = current;
    return i;
  }

  /** Keeps one byte more than allowed: it shows whether there is more, and what a cut would divide. */
  #keep(bytes: Uint8Array): void {
    const copy = bytes.slice(0, this.#maxBytes + 1 - this.#keptBytes);
    if (copy.length === 0) return;
    this.#kept.push(copy);
    this.#keptBytes += copy.length;
  }
}

/** Where to cut `bytes`, which are longer than `max`: after a line, or else after a code point or a CRLF. */
function cutPoint(bytes: Uint8Array, max: number): number {
  const afterLine = max === 0 ? 0 : bytes.lastIndexOf(LF, max - 1) + 1;
  if (afterLine > 0) return afterLine;
  return bytes[max - 1] === CR && bytes[max] === LF ? max - 1 : utf8Boundary(bytes, max);
}

function countLines(bytes: Uint8Array): number {
  const scanner = new LineScanner({ firstLine: Infinity });
  scanner.push(bytes);
  return scanner.end().totalLines;
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
