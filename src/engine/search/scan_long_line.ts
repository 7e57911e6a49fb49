/**
 * Judges a line that does not fit into the buffer. It is read once for the bytes that every match must hold; only
 * if they are there is it read again and run, piece by piece. Afterwards the buffer is behind it.
 */
import { type LineSearch } from "./line_search.ts";
import { type Matcher } from "./matcher.ts";
import { MAX_LENGTH } from "./required.ts";
import { type ScanBuffer } from "./scan_buffer.ts";

const LF = 0x0a;
const CR = 0x0d;
const CR_BYTE = Uint8Array.of(CR);

export interface LongLineOptions {
  buffer: ScanBuffer;
  matcher: Matcher;
  search: LineSearch;
  /** Awaited between pieces; its false ends it. */
  step: () => Promise<boolean>;
}

export class LongLine {
  readonly #buffer: ScanBuffer;
  readonly #matcher: Matcher;
  readonly #search: LineSearch;
  readonly #step: () => Promise<boolean>;

  constructor({ buffer, matcher, search, step }: LongLineOptions) {
    this.#buffer = buffer;
    this.#matcher = matcher;
    this.#search = search;
    this.#step = step;
  }

  /** Whether the line that fills the buffer matches; undefined when the time is up. */
  async matches(): Promise<boolean | undefined> {
    const begin = this.#buffer.inFile(0);
    const held = await this.#holdsRequired();
    if (held !== "maybe") return held;
    this.#buffer.readFrom(begin);
    return await this.#run();
  }

  /** Goes behind the line; false when the time is up. */
  async skip(): Promise<boolean> {
    for (;;) {
      if (this.#endsAt(this.#buffer.indexOf(LF, 0))) return true;
      this.#buffer.moveOn(this.#buffer.filled);
      if (!await this.#step()) return false;
    }
  }

  async #holdsRequired(): Promise<boolean | "maybe" | undefined> {
    const buffer = this.#buffer;
    if (!this.#search.hasPlaces) return "maybe";
    for (;;) {
      const newline = buffer.indexOf(LF, 0);
      const held = this.#search.look(0, newline < 0 ? buffer.filled : newline);
      if (held === "maybe") return held;
      if (held === "match") return await this.skip() ? true : undefined;
      if (this.#endsAt(newline)) return false;
      if (!await this.#step()) return undefined;
      buffer.moveOn(buffer.filled - (MAX_LENGTH - 1)); // what is looked for may lie across two pieces
    }
  }

  async #run(): Promise<boolean | undefined> {
    const buffer = this.#buffer;
    this.#matcher.begin();
    let endsInCr = false;
    for (;;) {
      const newline = buffer.indexOf(LF, 0);
      const end = newline < 0 ? buffer.filled : newline;
      // A final \r is held back until it is known whether \n follows.
      if (endsInCr && newline !== 0 && !await this.#feed(CR_BYTE, 1)) return undefined;
      endsInCr = end > 0 && buffer.bytes[end - 1] === CR;
      if (!await this.#feed(buffer.bytes, endsInCr ? end - 1 : end)) return undefined;
      if (this.#endsAt(newline)) {
        if (newline < 0 && endsInCr && !await this.#feed(CR_BYTE, 1)) return undefined;
        return this.#matcher.end();
      }
      buffer.moveOn(buffer.filled);
    }
  }

  /** Whether the line ends at a newline, or without one where the file ends; then the buffer goes on behind it. */
  #endsAt(newline: number): boolean {
    const buffer = this.#buffer;
    if (newline < 0 && !buffer.isAtEnd) return false;
    buffer.begin(newline < 0 ? buffer.filled : newline + 1);
    return true;
  }

  async #feed(bytes: Uint8Array, end: number): Promise<boolean> {
    for (let at = this.#matcher.feed(bytes, 0, end);; at = this.#matcher.feed(bytes, at, end)) {
      if (!await this.#step()) return false;
      this.#matcher.rest();
      if (at >= end) return true;
    }
  }
}
