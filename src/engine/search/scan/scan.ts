/**
 * Searches files for matching lines, with context, keeping only one buffer of a file in memory. Most files have no
 * match, so line numbers, context and the verification that the file is the resolved one wait for the first match.
 * Of a line that is too long to be shown whole, the part around the match is shown, or as context its beginning.
 */
import { ConfinedFile } from "../../../confine/confined_file.ts";
import { type FileState, UnprovenFile } from "../../../confine/unproven.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { SNIFFED_BYTES } from "../../../text/utf8.ts";
import type { Findings, ShownMatch } from "../findings.ts";
import { type Kernel, makeKernel } from "../bytes/kernel.ts";
import { type FoundLine, LineSearch } from "./line_search.ts";
import type { Matcher } from "../pattern/matcher.ts";
import { endOfLine, PastLine, readLastLines } from "./past_lines.ts";
import { MAX_LENGTH } from "../pattern/required.ts";
import { ScanBuffer, type ScanSource } from "./scan_buffer.ts";
import { ScanContext } from "./scan_context.ts";
import { LongLine, type LongMatch } from "./scan_long_line.ts";
import type { SearchTime } from "../search_time.ts";
import { showAround, showLine, SHOWN_BYTES, SHOWN_CHARACTERS } from "./shown_line.ts";

export type { ScanSource } from "./scan_buffer.ts";

/** More than is ever shown of a line. */
const BUFFER_BYTES = 256 * 1024;
const LF = 0x0a;
/** After this many lines others may have a turn. */
const LINES_PER_STEP = 100;

export interface ScanOptions {
  matcher: Matcher;
  findings: Findings;
  time: SearchTime;
  contextLines: number;
  /** Its own unless given; no two scanners may work with one at the same time. */
  kernel?: Kernel | undefined;
}

/** The file was replaced while it was read, before anything about it was reported. */
class Replaced extends Error {}

export class Scanner {
  readonly #matcher: Matcher;
  readonly #findings: Findings;
  readonly #time: SearchTime;
  readonly #buffer: ScanBuffer;
  readonly #search: LineSearch;
  readonly #context: ScanContext;
  readonly #longLine: LongLine;
  #file = "";
  /** What `glance` found first; `goOn` continues from there. */
  #glanced: ReturnType<LineSearch["next"]> | undefined;
  #wasReplaced = false;
  /** The file to verify before anything about it is reported. */
  #unproven: UnprovenFile | undefined;
  /** Lines that begin here in the file, or later, belong to the next range: they are only context. */
  #limit = Infinity;
  /** How many lines before the limit were searched. */
  #ownLines = 0;
  #taken = 0;

  constructor({ matcher, findings, time, contextLines, kernel = makeKernel(BUFFER_BYTES) }: ScanOptions) {
    this.#matcher = matcher;
    this.#findings = findings;
    this.#time = time;
    this.#buffer = new ScanBuffer(kernel);
    this.#search = new LineSearch(matcher, this.#buffer.kernel);
    this.#context = new ScanContext(findings, contextLines);
    this.#longLine = new LongLine({
      buffer: this.#buffer,
      matcher,
      search: this.#search,
      step: () => time.step(),
    });
  }

  /**
   * Searches a file, called `name` in the results; false when it is binary. Ends early when the time is up. If the
   * file is not verified, the caller must verify it before reporting anything.
   */
  async scan(file: ScanSource, name: string): Promise<boolean> {
    this.#reset(name);
    if (!this.#begin(file)) return false;
    await this.#scanLines();
    return true;
  }

  /** Opens a file and searches it. */
  async scanPath(path: ConfinedPath, splitAbove = Infinity): Promise<boolean | FileState> {
    using file = await UnprovenFile.open(path);
    return this.glance(file) ?? await this.goOn(file, splitAbove);
  }

  /**
   * Searches a file that fits into the buffer and has no matching line, and returns whether it is a text. That is so
   * for most files, and awaiting each would take longer than searching it. Undefined when there is more to do: then
   * call `goOn`.
   */
  glance(file: UnprovenFile): boolean | undefined {
    this.#reset("");
    this.#unproven = file;
    try {
      if (!this.#begin(file)) return false;
      if (!this.#buffer.isAtEnd) return undefined;
      const { end, isUnended } = this.#wholeLines();
      if (end === this.#buffer.start) return true;
      this.#search.begin(this.#buffer.start, { end, isUnended });
      this.#glanced = this.#search.next();
      return this.#glanced === "none" ? true : undefined;
    } catch (error) {
      if (!(error instanceof Replaced)) throw error;
      this.#wasReplaced = true;
      return undefined;
    }
  }

  /**
   * Searches a file after `glance`, as `scan` does, under its path below the root. It is verified to be the resolved
   * file before anything is reported, and before more than one buffer is read. A text larger than `splitAbove` is not
   * searched: its state is returned, unverified, so that it can be divided.
   */
  async goOn(file: UnprovenFile, splitAbove = Infinity): Promise<boolean | FileState> {
    try {
      if (this.#wasReplaced) throw new Replaced();
      if (!this.#buffer.isAtEnd && splitAbove < Infinity && file.size > splitAbove) return file.state;
      await this.#scanLines();
      return true;
    } catch (error) {
      if (!(error instanceof Replaced)) throw error;
    }
    using proven = await ConfinedFile.open(file.path);
    return await this.scan(proven, file.path.relative);
  }

  /**
   * Searches the lines of a text file that begin from `from` to before `to`. Their numbers count from 1 at the first
   * of them; returns how many there are, as far as it got. Context is taken from beyond both ends.
   */
  async scanRange(file: ScanSource, name: string, range: { from: number; to: number }): Promise<number> {
    this.#reset(name);
    this.#limit = range.to;
    if (range.from === 0) {
      this.#buffer.open(file);
      this.#skipBom();
      this.#limit = Math.max(range.to, this.#buffer.start + 1); // the first line begins before its byte order mark
    } else if (!await this.#goToLine(file, range)) return 0;
    await this.#scanLines();
    return this.#ownLines;
  }

  #reset(name: string): void {
    this.#file = name;
    this.#glanced = undefined;
    this.#wasReplaced = false;
    this.#unproven = undefined;
    this.#limit = Infinity;
    this.#ownLines = 0;
    this.#context.reset();
  }

  /** Fills the buffer; false when the file is binary. */
  #begin(file: ScanSource): boolean {
    const buffer = this.#buffer;
    try {
      buffer.open(file);
    } catch (error) {
      this.#prove(); // a pipe or a socket fails in ways of its own
      throw error;
    }
    if (buffer.filled === 0) this.#prove(); // so does an empty pipe: not at all
    if (buffer.kernel.indexOf(0, 0, Math.min(buffer.filled, SNIFFED_BYTES)) >= 0) return false;
    this.#skipBom();
    return true;
  }

  #skipBom(): void {
    const { bytes, filled } = this.#buffer;
    const hasBom = filled >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    if (hasBom) this.#buffer.begin(3);
  }

  /** Goes to the first line that begins at `from` or later, with those before it as context; false if there is none. */
  async #goToLine(file: ScanSource, { from, to }: { from: number; to: number }): Promise<boolean> {
    const buffer = this.#buffer;
    buffer.open(file, from - 1); // a newline right before `from` is what makes a line begin there
    let newline = buffer.indexOf(LF, 0);
    for (; newline < 0; newline = buffer.indexOf(LF, 0)) {
      if (buffer.isAtEnd || buffer.inFile(buffer.filled) >= to || !await this.#time.step()) return false;
      buffer.moveOn(buffer.filled);
    }
    buffer.begin(newline + 1);
    const start = buffer.inFile(buffer.start);
    const { count } = this.#context;
    if (start < to && count > 0) this.#context.reset(readLastLines(file, { to: start, count }));
    return start < to;
  }

  async #scanLines(): Promise<void> {
    const buffer = this.#buffer;
    for (;;) {
      const { isAtEnd } = buffer;
      const { end, isUnended } = this.#wholeLines();
      if (end > buffer.start && !await this.#takeLines(end, isUnended)) return;
      if (isAtEnd || this.#isDone || !await this.#time.step()) return;
      this.#prove();
      if (buffer.start > 0) this.#makeRoom();
      else if (!await this.#takeLongLine()) return;
    }
  }

  /** Where the last newline in the buffer ends; a last line without one is given it. */
  #wholeLines(): { end: number; isUnended: boolean } {
    const { isAtEnd, bytes, filled, start } = this.#buffer;
    if (!isAtEnd) return { end: bytes.lastIndexOf(LF, filled - 1) + 1, isUnended: false };
    const isUnended = filled > start && bytes[filled - 1] !== LF;
    if (isUnended) bytes[filled] = LF;
    return { end: filled + Number(isUnended), isUnended };
  }

  /** Whether no further line is wanted. */
  get #isDone(): boolean {
    const isOthers = this.#limit < Infinity && this.#buffer.inFile(this.#buffer.start) >= this.#limit;
    return this.#context.isDone || (isOthers && !this.#context.wantsMore);
  }

  /** Takes whole lines, up to `end`, where the last newline is; false when the time is up. */
  async #takeLines(end: number, isUnended: boolean): Promise<boolean> {
    const buffer = this.#buffer;
    const own = this.#endOfOwn(end);
    const hasOwn = own > buffer.start;
    const glanced = this.#glanced;
    this.#glanced = undefined;
    if (hasOwn && glanced === undefined) {
      this.#search.begin(buffer.start, { end: own, isUnended: isUnended && own === end });
    }
    for (let first = glanced; own > buffer.start && !this.#findings.isFull; first = undefined) {
      const line = first ?? this.#search.next();
      if (line === "pause" || ++this.#taken % LINES_PER_STEP === 0) {
        if (!await this.#time.step()) return false;
        this.#matcher.rest();
        if (line === "pause") continue;
      }
      this.#takeContext(line === "none" ? own : line.start);
      if (this.#context.isDone) return true;
      if (line === "none") break;
      this.#takeMatch(line, line.end - line.start > SHOWN_CHARACTERS ? await this.#partOf(line) : undefined);
    }
    if (hasOwn && this.#limit < Infinity) this.#ownLines = buffer.linesBefore(own);
    this.#takeContext(end);
    return true;
  }

  /** Where, up to `end`, the last line ends that begins before the limit. */
  #endOfOwn(end: number): number {
    if (this.#limit === Infinity) return end;
    const buffer = this.#buffer;
    const limit = this.#limit - buffer.inFile(0);
    if (limit >= end) return end;
    if (limit <= buffer.start) return buffer.start;
    return buffer.bytes.indexOf(LF, limit - 1) + 1;
  }

  /** Continues at `to`, where a line begins; the lines up to there are context of matches that still need some. */
  #takeContext(to: number): void {
    const buffer = this.#buffer;
    while (this.#context.wantsMore && buffer.start < to) {
      const newline = buffer.bytes.indexOf(LF, buffer.start);
      const end = newline === buffer.filled ? newline : endOfLine(buffer.bytes, buffer.start, newline);
      this.#context.give(new PastLine(buffer.bytes.subarray(buffer.start, end)));
      buffer.start = newline + 1;
    }
    buffer.start = to;
  }

  #takeMatch({ start, end, newline }: FoundLine, part: ShownMatch | undefined): void {
    this.#prove();
    const buffer = this.#buffer;
    const isEnded = newline < buffer.filled;
    const shownEnd = this.#matcher.takesCr && isEnded ? endOfLine(buffer.bytes, start, end) : end;
    const line = new PastLine(buffer.bytes.subarray(start, shownEnd));
    this.#context.give(line);
    this.#context.add(part ?? line.shown(), {
      file: this.#file,
      lineNumber: buffer.linesBefore(start) + 1,
      before: this.#context.linesBefore(buffer, start),
    });
    buffer.start = newline + 1;
  }

  /** The part around the match of a line in the buffer; undefined if it can be shown whole, or the time is up. */
  async #partOf({ start, end, match }: FoundLine): Promise<ShownMatch | undefined> {
    const bytes = this.#buffer.bytes.subarray(start, end);
    if (!showLine(bytes).cut) return undefined;
    if (match !== undefined) {
      const at = match - start;
      return showAround(bytes, { start: at, end: Math.min(at + MAX_LENGTH, bytes.length) }, 0);
    }
    const piece = { bytes, from: 0, to: bytes.length, isEnd: true };
    const place = await this.#matcher.place.find(piece, () => this.#time.step());
    return place && showAround(bytes, place, 0);
  }

  /** The same for a line that does not fit into the buffer. */
  #partOfLong({ start, end }: LongMatch, lineStart: number): ShownMatch {
    const place = start ?? end;
    const from = Math.max(lineStart, place - SHOWN_BYTES);
    const bytes = this.#buffer.peek(from, place + SHOWN_BYTES);
    const newline = bytes.indexOf(LF, place - from);
    const line = newline < 0 ? bytes : bytes.subarray(0, endOfLine(bytes, 0, newline));
    const match = { start: start === undefined ? undefined : start - from, end: end - from };
    return showAround(line, match, from - lineStart);
  }

  /** Must succeed before anything about the file is reported, or more than one buffer of it is read. */
  #prove(): void {
    if (this.#unproven === undefined) return;
    if (!this.#unproven.isProven()) throw new Replaced();
    this.#file = this.#unproven.path.relative;
    this.#unproven = undefined;
  }

  /** Moves the incomplete line to the front, and fills the rest of the buffer. */
  #makeRoom(): void {
    const buffer = this.#buffer;
    buffer.linesBefore(buffer.start);
    this.#context.keep(buffer, buffer.start);
    buffer.moveOn(buffer.start);
  }

  /** Takes the line that fills the whole buffer and continues after it; false when the time is up. */
  async #takeLongLine(): Promise<boolean> {
    const buffer = this.#buffer;
    const line = PastLine.copyOf(buffer.bytes);
    const lineStart = buffer.inFile(0);
    const isOurs = lineStart < this.#limit;
    const before = this.#context.linesBefore(buffer, 0);
    const isWanted = isOurs && !this.#findings.isFull;
    const match = isWanted ? await this.#longLine.find() : await this.#longLine.skip() ? false : undefined;
    if (match === undefined) return false;
    const lineNumber = buffer.countLine();
    if (isOurs) this.#ownLines = lineNumber;
    this.#context.give(line);
    if (match) {
      this.#context.add(this.#partOfLong(match, lineStart), { file: this.#file, lineNumber, before });
    }
    this.#context.keepLine(line);
    return true;
  }
}
