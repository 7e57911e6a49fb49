/**
 * Reads lines from a byte stream, in linear time. A line over the limit is skipped without being kept, and
 * reported with the id of its request if that is at the very beginning or end, where clients put it: a caller
 * that gets no answer would wait until its own timeout.
 */
import type { Id } from "./batches.ts";
import { concat } from "./bytes.ts";

export interface ReadableBytes {
  /** Like Deno.stdin.read: null at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
}

export type InputLine =
  | { kind: "line"; text: string }
  | { kind: "long"; id: Id | null; code: number; message: string }
  | { kind: "garbled"; code: number; message: string };

const LF = 10;
const CHUNK = 64 * 1024;
const QUIET_MS = 20;
/** How much of each end of an overlong line is kept. */
export const EDGE = 512;

export class LineReader {
  readonly #input: ReadableBytes;
  readonly #maxLine: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #parts: Uint8Array[] = [];
  #length = 0;
  #stopped = false;
  #reads = 0;
  #lateFrom = Infinity;
  #ended = false;

  constructor(input: ReadableBytes, maxLine: number) {
    this.#input = input;
    this.#maxLine = maxLine;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Marks everything read from here on as late. */
  closeDoor(): void {
    this.#lateFrom = Math.min(this.#lateFrom, this.#reads + 1);
  }

  /** Whether the line yielded last is late. */
  get late(): boolean {
    return this.#reads >= this.#lateFrom;
  }

  /**
   * Settles when everything sent before has been read. Nothing reveals how much is waiting in a pipe: it
   * counts as empty when a read has brought nothing for a moment, twice, because this thread may have been
   * busy for longer than that.
   */
  async emptied(): Promise<void> {
    for (let quiet = 0, seen = this.#reads; quiet < 2 && !this.#ended; seen = this.#reads) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      quiet = seen === this.#reads ? quiet + 1 : 0;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<InputLine> {
    const buffer = new Uint8Array(CHUNK);
    for (;;) {
      const read = await this.#input.read(buffer);
      this.#reads++;
      if (read === null || this.#stopped) break;
      let chunk = buffer.subarray(0, read);
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF)) {
        this.#push(chunk.subarray(0, end), true);
        const line = this.#finish();
        if (line !== undefined) yield line;
        if (this.#stopped) return;
        chunk = chunk.subarray(end + 1);
      }
      if (chunk.length > 0) this.#push(chunk, false);
    }
    this.#ended = true;
    const rest = this.#finish(); // a last line without a line break counts
    if (rest !== undefined && !this.#stopped) yield rest;
  }

  /** `transient` bytes are consumed before the buffer is read into again, so they need no copy. */
  #push(bytes: Uint8Array, transient: boolean): void {
    this.#length += bytes.length;
    if (this.#length <= this.#maxLine) {
      this.#parts.push(transient ? bytes : bytes.slice());
      return;
    }
    const all = concat([...this.#parts, bytes]);
    const head = all.subarray(0, EDGE);
    this.#parts = [head.slice(), all.slice(Math.max(head.length, all.length - EDGE))];
  }

  #finish(): InputLine | undefined {
    const parts = this.#parts;
    const length = this.#length;
    this.#parts = [];
    this.#length = 0;
    if (length > this.#maxLine) {
      return {
        kind: "long",
        id: requestId(parts),
        code: -32600,
        message: `Request too large: the line has ${length} bytes, ${this.#maxLine} are allowed (--max-size)`,
      };
    }
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : concat(parts);
    let text: string;
    try {
      text = this.#decoder.decode(bytes).trim();
    } catch {
      return { kind: "garbled", code: -32700, message: "Parse error: the line is not valid UTF-8" };
    }
    return text === "" ? undefined : { kind: "line", text };
  }
}

/** Integers and strings without escapes, as JSON writes them: anything else is not worth guessing. */
const ID = String.raw`"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}]{0,200}")\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const ID_FIRST = new RegExp(String.raw`^\{\s*(?:${VERSION},\s*)?${ID},`, "u");
const ID_LAST = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}$`, "u");

/** The id of a request of which only the ends are known. A single closing brace is the message's own. */
function requestId(parts: readonly Uint8Array[]): Id | null {
  const [head = "", tail = head] = parts.map((part) => new TextDecoder().decode(part).trim());
  return idAtEnds(head, tail);
}

export function idAtEnds(head: string, tail: string): Id | null {
  const found = ID_FIRST.exec(head) ?? ID_LAST.exec(tail);
  return found?.[1] === undefined ? null : JSON.parse(found[1]) as Id;
}
