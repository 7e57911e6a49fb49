/**
 * Looks through one file for lines that match, with their context, holding no more of it than one buffer: a line
 * that is longer than that is matched piece by piece, and only its beginning is kept for showing.
 */
import { type ConfinedFile } from "../../confine/confined_fs.ts";
import { looksBinary } from "../../text/utf8.ts";
import { type Findings, type GrepMatch, type ShownLine } from "./findings.ts";
import { type Matcher } from "./matcher.ts";
import { type SearchTime } from "./search_time.ts";
import { showLine, SHOWN_BYTES } from "./shown_line.ts";

const BUFFER_BYTES = 256 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const CR_BYTE = Uint8Array.of(CR);

export interface ScanOptions {
  matcher: Matcher;
  findings: Findings;
  time: SearchTime;
  contextLines: number;
  bufferBytes?: number | undefined;
}

export class Scanner {
  readonly #matcher: Matcher;
  readonly #findings: Findings;
  readonly #time: SearchTime;
  readonly #contextLines: number;
  readonly #buffer: Uint8Array;
  /** How much of the buffer is filled, where its next line begins, and where in the file it ends. */
  #filled = 0;
  #start = 0;
  #position = 0;
  /** How far the line that is being matched was fed; -1 when none is. */
  #fedTo = -1;
  #file = "";
  #lineNumber = 0;
  /** The lines before this one, as far as context needs them. */
  #before: PastLine[] = [];
  /** Matches that still want lines behind them. */
  #open: GrepMatch[] = [];

  constructor({ matcher, findings, time, contextLines, bufferBytes = BUFFER_BYTES }: ScanOptions) {
    this.#matcher = matcher;
    this.#findings = findings;
    this.#time = time;
    this.#contextLines = contextLines;
    this.#buffer = new Uint8Array(Math.max(bufferBytes, SHOWN_BYTES));
  }

  /** Looks through a file, called `name` in the results; false when it is binary. Ends early when time is up. */
  async scan(file: ConfinedFile, name: string): Promise<boolean> {
    this.#file = name;
    this.#lineNumber = 0;
    this.#before = [];
    this.#open = [];
    this.#fedTo = -1;
    this.#position = this.#filled = 0;
    this.#fill(file);
    if (looksBinary(this.#buffer.subarray(0, this.#filled))) return false;
    this.#start = startsWithBom(this.#buffer.subarray(0, this.#filled)) ? 3 : 0;
    for (;;) {
      const isEnd = this.#filled < this.#buffer.length;
      while (!this.#takeLines(isEnd)) {
        if (!await this.#time.step()) return true;
        this.#matcher.rest();
      }
      if (isEnd || this.#isDone) return true;
      if (!await this.#time.step()) return true;
      if (this.#start > 0) this.#makeRoom(file);
      else if (!await this.#takeLongLine(file)) return true;
    }
  }

  get #isDone(): boolean {
    const { isFull, isOverflowing } = this.#findings;
    return isOverflowing || (isFull && this.#open.length === 0);
  }

  /** Fills the buffer behind what it holds. Not full afterwards means that the file has ended. */
  #fill(file: ConfinedFile): void {
    while (this.#filled < this.#buffer.length) {
      const read = file.readAt(this.#buffer.subarray(this.#filled), this.#position);
      if (read === 0) return;
      this.#filled += read;
      this.#position += read;
    }
  }

  /** Moves the line that is not complete to the front, and reads on behind it. */
  #makeRoom(file: ConfinedFile): void {
    for (const line of this.#before) line.shown();
    this.#buffer.copyWithin(0, this.#start, this.#filled);
    this.#filled -= this.#start;
    this.#start = 0;
    this.#fill(file);
  }

  /** Takes all complete lines of the buffer; false when others should have a turn, then call it again. */
  #takeLines(isEnd: boolean): boolean {
    const bytes = this.#buffer.subarray(0, this.#filled);
    while (this.#start < bytes.length && !this.#isDone) {
      const newline = bytes.indexOf(LF, this.#start);
      if (newline < 0 && !isEnd) return true;
      const end = newline < 0 ? bytes.length : newline;
      const shown = newline > this.#start && bytes[newline - 1] === CR ? end - 1 : end;
      const matches = this.#judge(this.#start, shown);
      if (matches === undefined) return false;
      this.#lineNumber++;
      if (matches || this.#contextLines > 0) this.#take(bytes.subarray(this.#start, shown), matches);
      this.#start = end + 1;
    }
    return true;
  }

  /** Whether a line matches; undefined when others should have a turn, then ask again. */
  #judge(start: number, end: number): boolean | undefined {
    if (this.#findings.isFull) return false;
    if (this.#fedTo < 0) {
      this.#matcher.begin();
      this.#fedTo = start;
    }
    this.#fedTo = this.#matcher.feed(this.#buffer, this.#fedTo, end);
    if (this.#fedTo < end) return undefined;
    this.#fedTo = -1;
    return this.#matcher.end();
  }

  /** Takes the line that fills the whole buffer and goes on behind it; false when the time is up. */
  async #takeLongLine(file: ConfinedFile): Promise<boolean> {
    const head = this.#buffer.slice(0, SHOWN_BYTES);
    for (const line of this.#before) line.shown();
    this.#matcher.begin();
    let endsInCr = false;
    for (;;) {
      const bytes = this.#buffer.subarray(0, this.#filled);
      const newline = bytes.indexOf(LF);
      const end = newline < 0 ? bytes.length : newline;
      // A final \r is held back until it is known whether \n follows.
      if (endsInCr && newline !== 0 && !await this.#feed(CR_BYTE, 1)) return false;
      endsInCr = end > 0 && bytes[end - 1] === CR;
      if (!await this.#feed(bytes, endsInCr ? end - 1 : end)) return false;
      this.#start = Math.min(end + 1, this.#filled);
      if (newline >= 0 || this.#filled === 0) break;
      this.#filled = 0;
      this.#fill(file);
    }
    this.#lineNumber++;
    this.#take(head, !this.#findings.isFull && this.#matcher.end());
    return true;
  }

  async #feed(bytes: Uint8Array, end: number): Promise<boolean> {
    if (this.#findings.isFull) return await this.#time.step();
    for (let at = this.#matcher.feed(bytes, 0, end);; at = this.#matcher.feed(bytes, at, end)) {
      if (!await this.#time.step()) return false;
      this.#matcher.rest();
      if (at >= end) return true;
    }
  }

  /** Gives a line to all that it is a match or context of. */
  #take(bytes: Uint8Array, matches: boolean): void {
    const line = new PastLine(bytes);
    for (const match of this.#open) {
      if (!this.#findings.isOverflowing) this.#findings.addAfter(match, line.shown());
    }
    while ((this.#open[0]?.context_after.length ?? -1) >= this.#contextLines) this.#open.shift();
    if (matches) {
      const match = this.#findings.add({
        file: this.#file,
        lineNumber: this.#lineNumber,
        line: line.shown(),
        before: this.#before.map((past) => past.shown()),
      });
      if (this.#contextLines > 0) this.#open.push(match);
    }
    if (this.#contextLines === 0) return;
    this.#before.push(line);
    if (this.#before.length > this.#contextLines) this.#before.shift();
  }
}

/** A line that was read; it is decoded when it is shown, or before the buffer it lies in is used again. */
class PastLine {
  readonly #bytes: Uint8Array;
  #shown: ShownLine | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  shown(): ShownLine {
    return this.#shown ??= showLine(this.#bytes);
  }
}

function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
