/**
 * Judges a line that does not fit into the buffer. It is read once for the bytes that every match must contain; only
 * if they are there is it read again and run, piece by piece, to see where it matches. Afterwards the buffer is
 * behind it.
 */
import type { DfaState } from "../pattern/dfa_steps.ts";
import type { LineSearch } from "./line_search.ts";
import type { Matcher } from "../pattern/matcher.ts";
import type { Piece } from "../pattern/match_place.ts";
import { MAX_LENGTH } from "../pattern/required.ts";
import type { ScanBuffer } from "./scan_buffer.ts";

const LF = 0x0a;
const CR = 0x0d;
const CR_BYTE = Uint8Array.of(CR);

/** Both as places in the file. */
export interface LongMatch {
  /** Where the match begins, if that is known. */
  readonly start: number | undefined;
  /** Where it is certain that there is one. */
  readonly end: number;
}

/** Where in the file a piece begins, and the state of the search there; none at the beginning of the line. */
interface Beginning {
  readonly position: number;
  readonly state: DfaState | undefined;
  /** Whether the piece ends in a \r that belongs to the end of the line. */
  readonly isCrAfter?: boolean;
}

export interface LongLineOptions {
  buffer: ScanBuffer;
  matcher: Matcher;
  search: LineSearch;
  /** Awaited between pieces; if it returns false, the search ends. */
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

  /** Where in the file the line that fills the buffer matches; undefined when the time is up. */
  async find(): Promise<LongMatch | false | undefined> {
    const begin = this.#buffer.inFile(0);
    const held = await this.#holdsRequired();
    if (held !== "maybe") return held;
    this.#buffer.readFrom(begin);
    return await this.#run();
  }

  /** Skips the line; false when the time is up. */
  async skip(): Promise<boolean> {
    for (;;) {
      if (this.#endsAt(this.#buffer.indexOf(LF, 0))) return true;
      this.#buffer.moveOn(this.#buffer.filled);
      if (!await this.#step()) return false;
    }
  }

  async #holdsRequired(): Promise<LongMatch | false | "maybe" | undefined> {
    const buffer = this.#buffer;
    if (!this.#search.hasPlaces) return "maybe";
    for (;;) {
      const newline = buffer.indexOf(LF, 0);
      const held = this.#search.look(0, newline < 0 ? buffer.filled : newline);
      if (held === "maybe") return held;
      if (held !== "nothing") {
        const start = buffer.inFile(held);
        return await this.skip() ? { start, end: start + MAX_LENGTH } : undefined;
      }
      if (this.#endsAt(newline)) return false;
      if (!await this.#step()) return undefined;
      buffer.moveOn(buffer.filled - (MAX_LENGTH - 1)); // a required byte sequence may span two pieces
    }
  }

  async #run(): Promise<LongMatch | false | undefined> {
    const buffer = this.#buffer;
    const matcher = this.#matcher;
    matcher.begin();
    let endsInCr = false;
    let found: LongMatch | undefined;
    let before: Beginning | undefined;
    for (;;) {
      const newline = buffer.indexOf(LF, 0);
      const end = newline < 0 ? buffer.filled : newline;
      // A final \r is held back until it is known whether \n follows.
      const isCrOfEnd = endsInCr && newline === 0;
      if (endsInCr && !isCrOfEnd && !await this.#feed(CR_BYTE, 1)) return undefined;
      endsInCr = !matcher.takesCr && end > 0 && buffer.bytes[end - 1] === CR;
      const begin = { position: buffer.inFile(0), state: before && matcher.state };
      if (isCrOfEnd && before !== undefined) before = { ...before, isCrAfter: true };
      const piece = { bytes: buffer.bytes, from: 0, to: endsInCr ? end - 1 : end, state: begin.state };
      if (!await this.#feed(piece.bytes, piece.to)) return undefined;
      if (matcher.hasMatched) found ??= await this.#place({ ...piece, isEnd: false }, before);
      if (this.#endsAt(newline)) {
        if (newline < 0 && endsInCr && !await this.#feed(CR_BYTE, 1)) return undefined;
        const last = newline < 0 ? { ...piece, to: end } : piece; // a \r without \n is part of the line
        return matcher.end() ? found ?? await this.#place({ ...last, isEnd: true }, before) : false;
      }
      before = begin;
      buffer.moveOn(buffer.filled);
    }
  }

  /** Without a place, the match is reported without one: the line matches in any case. */
  async #place(piece: Piece, before: Beginning | undefined): Promise<LongMatch> {
    const here = this.#buffer.inFile(0);
    const place = await this.#matcher.place.find(piece, this.#step);
    const end = here + (place?.end ?? 0);
    if (place?.start !== undefined) return { start: here + place.start, end };
    if (place === undefined || before === undefined) return { start: undefined, end };
    const { position, state, isCrAfter = false } = before; // it begins there, or too far away to matter
    const bytes = this.#buffer.peek(position, isCrAfter ? here - 1 : here + piece.to);
    const wider = await this.#matcher.place.find({ ...piece, bytes, to: bytes.length, state }, this.#step);
    return { start: wider?.start === undefined ? undefined : position + wider.start, end };
  }

  /** Whether the line ends here, at a newline or the end of the file; then the buffer continues after it. */
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
