/**
 * Finds the matching lines in a kernel's buffer: by examining only the places that the prefilter finds, or else by
 * running the automaton over all lines. It can be interrupted anywhere, even in the middle of a line.
 */
import type { Kernel } from "../bytes/kernel.ts";
import type { Matcher } from "../pattern/matcher.ts";
import type { Prefilter } from "../pattern/prefilter.ts";
import { PrefilterChoice } from "../pattern/prefilter_choice.ts";

const LF = 0x0a;
const CR = 0x0d;

/** A line in the buffer: where it begins, where what is shown of it ends, and where its newline is. */
export interface FoundLine {
  readonly start: number;
  readonly end: number;
  readonly newline: number;
  /** Where its first match begins, if that is known anyway. */
  readonly match?: number;
}

/** After this many false places all lines are run: checking each place may take as long as a long line. */
const MAX_MISSES = 4096;
/** Runs of lines shorter than this are not worth dividing. */
const MIN_QUIET_BYTES = 1024;
const MAX_LUCK = 8;

export class LineSearch {
  readonly #matcher: Matcher;
  readonly #kernel: Kernel;
  readonly #choice: PrefilterChoice;
  /** The one used for these lines. */
  #prefilter: Prefilter | undefined;
  /** Where the first line begins that is not judged yet, where to continue, and where the last newline ends. */
  #first = 0;
  #at = 0;
  #end = 0;
  /** Whether the last newline is not part of the file. */
  #isUnended = false;
  /** The line that is being run, and how far. */
  #running: FoundLine | undefined;
  #fedTo = 0;
  /** Places in these lines that turned out to be false. */
  #misses = 0;
  /** How the remaining lines are run when there is no prefilter. */
  #mode: "side by side" | "one by one" | "each for itself" = "each for itself";
  /** How often reading side by side was useful lately. */
  #luck = MAX_LUCK;

  constructor(matcher: Matcher, kernel: Kernel) {
    this.#matcher = matcher;
    this.#kernel = kernel;
    this.#choice = new PrefilterChoice(matcher.prefilters());
  }

  /** Begins with the lines from `from` to `end`, where a newline is the last byte. */
  begin(from: number, { end, isUnended }: { end: number; isUnended: boolean }): void {
    this.#first = this.#at = from;
    this.#end = end;
    this.#isUnended = isUnended;
    this.#running = undefined;
    this.#misses = 0;
    this.#prefilter = this.#choice.choose(end - from);
    if (this.#prefilter === undefined) this.#runAll();
    else this.#kernel.aim(this.#prefilter.probe);
  }

  /** From the first line that is not judged yet, every line is run. */
  #runAll(): void {
    this.#prefilter = undefined;
    this.#at = this.#first;
    // The \r before a \n is not part of a line; where ends matter it must not be read as one.
    const isSplit = this.#matcher.mindsEnd && this.#kernel.indexOf(CR, this.#at, this.#end) >= 0;
    const isQuiet = this.#tryQuiet(this.#end - this.#at);
    this.#mode = isSplit ? "each for itself" : isQuiet ? "side by side" : "one by one";
    this.#matcher.begin();
  }

  /** Whether there are bytes that every match contains. */
  get hasPlaces(): boolean {
    return this.#choice.current !== undefined;
  }

  /** Whether a piece of a line contains what every match contains, or even where in it a match certainly begins. */
  look(from: number, end: number): "nothing" | "maybe" | number {
    const prefilter = this.#choice.current;
    if (prefilter === undefined) return "maybe";
    this.#kernel.aim(prefilter.probe);
    let place = this.#kernel.find(from, end);
    for (let misses = 0; place >= 0 && misses < MAX_MISSES; misses++) {
      if (prefilter.confirms(this.#kernel.bytes, place, end)) return prefilter.isExact ? place : "maybe";
      place = this.#kernel.find(place + 1, end);
    }
    return place < 0 ? "nothing" : "maybe";
  }

  /** The next line that matches, in order. On "pause" let others have a turn, `rest` the matcher, and ask again. */
  next(): FoundLine | "none" | "pause" {
    if (this.#running !== undefined) {
      const line = this.#running;
      const matches = this.#judge(line);
      if (matches === undefined) return "pause";
      if (matches) return line;
    }
    if (this.#prefilter !== undefined) return this.#nextPlace(this.#prefilter);
    return this.#mode === "each for itself" ? this.#nextForItself() : this.#nextOfAll();
  }

  #nextPlace(prefilter: Prefilter): FoundLine | "none" | "pause" {
    const { bytes } = this.#kernel;
    while (this.#at < this.#end) {
      const place = this.#kernel.find(this.#at, this.#end);
      this.#choice.passed(this.#kernel.passed);
      if (place < 0) break;
      if (!prefilter.confirms(bytes, place, this.#end)) {
        this.#choice.missed();
        this.#at = place + 1;
        if (++this.#misses < MAX_MISSES) continue;
        this.#runAll();
        return this.next();
      }
      const line = this.#lineAround(place);
      if (prefilter.isExact) {
        this.#goOnBehind(line);
        return { ...line, match: place };
      }
      this.#choice.missed();
      this.#choice.ran(line.newline - line.start);
      const matches = this.#judge(line);
      if (matches === undefined) return "pause";
      if (matches) return line;
    }
    return "none";
  }

  /** All lines as one text, divided by newlines. */
  #nextOfAll(): FoundLine | "none" | "pause" {
    const { bytes } = this.#kernel;
    if (this.#mode === "side by side") {
      this.#mode = "one by one";
      const isQuiet = this.#matcher.isQuiet(bytes, this.#at, this.#end);
      this.#luck += isQuiet ? 1 : -2;
      if (isQuiet) return "none";
      this.#matcher.begin();
    }
    while (this.#at < this.#end) {
      this.#at = this.#matcher.seek(bytes, this.#at, this.#end);
      if (!this.#matcher.hasMatched) return this.#at < this.#end ? "pause" : "none";
      const line = this.#lineAround(this.#at);
      if (line.end < line.newline) { // the \r was read as part of it
        const matches = this.#judge(line);
        if (matches === undefined) return "pause";
        if (!matches) continue;
      }
      this.#goOnBehind(line);
      return line;
    }
    return "none";
  }

  #nextForItself(): FoundLine | "none" | "pause" {
    while (this.#at < this.#end) {
      const line = this.#lineAround(this.#at);
      const matches = this.#judge(line);
      if (matches === undefined) return "pause";
      if (matches) return line;
    }
    return "none";
  }

  /** Whether a line matches; undefined when others should have a turn. Continues after it. */
  #judge(line: FoundLine): boolean | undefined {
    const matcher = this.#matcher;
    if (this.#running === undefined) {
      this.#running = line;
      this.#fedTo = line.start;
      matcher.begin();
    }
    this.#fedTo = matcher.feed(this.#kernel.bytes, this.#fedTo, line.end);
    if (this.#fedTo < line.end) return undefined;
    const matches = matcher.end();
    this.#running = undefined;
    this.#goOnBehind(line);
    return matches;
  }

  #goOnBehind(line: FoundLine): void {
    this.#first = this.#at = line.newline + 1;
    this.#matcher.begin();
  }

  #lineAround(place: number): FoundLine {
    const { bytes } = this.#kernel;
    let start = place;
    while (start > this.#first && bytes[start - 1] !== LF) start--;
    let newline = place;
    while (bytes[newline] !== LF) newline++;
    return { start, newline, end: this.endOf(start, newline) };
  }

  /** Where the line that ends in a newline ends, without the \r of \r\n, unless the pattern asks for that. */
  endOf(start: number, newline: number): number {
    if (this.#matcher.takesCr) return newline;
    const isReal = !(this.#isUnended && newline === this.#end - 1);
    return isReal && newline > start && this.#kernel.bytes[newline - 1] === CR ? newline - 1 : newline;
  }

  /** Reading side by side is a waste where matches are many: then it is tried now and then only. */
  #tryQuiet(bytes: number): boolean {
    this.#luck = Math.min(this.#luck, MAX_LUCK);
    return bytes >= MIN_QUIET_BYTES && (this.#luck >= 0 || ++this.#luck >= 0);
  }
}
