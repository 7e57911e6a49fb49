/**
 * Whether a text matches a pattern: the one thing the rest of the search asks. The answer takes time linear in
 * the text, whatever the pattern; no pattern of a user ever becomes a RegExp of the runtime's, whose time is not.
 */
import { PaddockError } from "../../../base/errors.ts";
import type { Node } from "./ast.ts";
import { Dfa } from "./dfa.ts";
import type { DfaState } from "./dfa_steps.ts";
import { MatchPlace } from "./match_place.ts";
import { PatternError } from "./pattern_error.ts";
import { type Prefilter, prefiltersFor } from "./prefilter.ts";
import { compileProgram, PLACE, type Program } from "./program.ts";
import { parsePattern } from "./syntax.ts";

export interface PatternOptions {
  caseInsensitive?: boolean | undefined;
  /** Called every millisecond or so of hard work in `matchesLine` and `matchesText`; it may throw to end it. */
  onPause?: (() => void) | undefined;
}

/** A matcher for a regular expression in Go's syntax, which may match anywhere in a text. */
export function compilePattern(pattern: string, options: PatternOptions = {}): Matcher {
  try {
    return compileNode(parsePattern(pattern, options), { ...options, pattern });
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new PaddockError("INVALID_INPUT", `invalid pattern: ${error.message}`, { cause: error });
  }
}

/** A matcher for a tree; `pattern` is what it was read from, for messages. */
export function compileNode(node: Node, { pattern, onPause }: PatternOptions & { pattern: string }): Matcher {
  return new Matcher(node, {
    program: compileProgram(node, pattern),
    onPause,
    takesCr: NAMES_CR.test(pattern),
  });
}

/** A carriage return that the pattern itself names, in any spelling. */
const NAMES_CR = /(?<!\\)(?:\\\\)*(?:\\r|\\x0[dD]|\\x\{0*[dD]\}|\\015|\r)/;

/** A text of up to this many characters is encoded faster here than by the runtime, if it is ASCII. */
const MAX_SHORT = 200;

interface MatcherParts {
  program: Program;
  onPause: (() => void) | undefined;
  takesCr: boolean;
}

export class Matcher {
  readonly #node: Node;
  readonly #program: Program;
  readonly #dfa: Dfa;
  #place: MatchPlace | undefined;
  readonly #onPause: (() => void) | undefined;
  /** Whether it matters to the pattern where a text ends: whether a \r there is part of it, for instance. */
  readonly mindsEnd: boolean;
  /** Whether the \r of \r\n is part of the line: the pattern asks for it. */
  readonly takesCr: boolean;
  readonly #encoder = new TextEncoder();
  #scratch = new Uint8Array(1024);

  constructor(node: Node, { program, onPause, takesCr }: MatcherParts) {
    this.#node = node;
    this.#program = program;
    this.#dfa = new Dfa(program);
    this.#onPause = onPause;
    this.takesCr = takesCr;
    this.mindsEnd = (program.asserted & (PLACE.textEnd | PLACE.lineEnd)) !== 0;
  }

  /** For lines in which the place of the match matters. */
  get place(): MatchPlace {
    return this.#place ??= new MatchPlace(this.#program);
  }

  /** Where in the text that was fed so far the search is; undefined when it is decided. */
  get state(): DfaState | undefined {
    return this.#dfa.state;
  }

  /** For searching much text; keep the result, as it takes a while to compute. */
  prefilters(): Prefilter[] {
    return prefiltersFor(this.#node);
  }

  /** Whether the bytes from `start` to before `end`, taken as a whole text, match. */
  matchesLine(bytes: Uint8Array, start: number, end: number): boolean {
    this.#run(bytes, start, end);
    return this.#dfa.end();
  }

  matchesText(text: string): boolean {
    const length = this.#encode(text); // which may replace this buffer with a larger one
    this.#run(this.#scratch, 0, length);
    return this.#dfa.end();
  }

  /** Like `matchesText`, for a text that takes only a moment; undefined if others should have a turn first. */
  matchesTextAtOnce(text: string): boolean | undefined {
    this.#dfa.begin();
    const end = this.#encode(text);
    return this.#dfa.feed(this.#scratch, 0, end) < end ? undefined : this.#dfa.end();
  }

  /** As `matchesText`; `step` is awaited whenever others should have a turn, and its false ends it. */
  async matchesTextInTime(text: string, step: () => Promise<boolean>): Promise<boolean> {
    return await this.#runInTime(text, step) && this.#dfa.end();
  }

  /** Whether some text that begins like this may match. */
  async mayMatchAfter(prefix: string, step: () => Promise<boolean>): Promise<boolean> {
    return await this.#runInTime(prefix, step) && this.#dfa.mayMatch;
  }

  /** Begins a text that comes in pieces: see `feed`, `rest` and `end`. */
  begin(): void {
    this.#dfa.begin();
  }

  /** The next piece. Returns how far it came: less than `to` when others should have a turn, then `rest`. */
  feed(bytes: Uint8Array, from: number, to: number): number {
    return this.#dfa.feed(bytes, from, to);
  }

  rest(): void {
    this.#dfa.rest();
  }

  /** Looks for the first of many lines that matches, after `begin`: see Dfa. */
  seek(bytes: Uint8Array, from: number, to: number): number {
    return this.#dfa.seek(bytes, from, to);
  }

  /** Whether `seek` has found one, or what was fed matches whatever comes. */
  get hasMatched(): boolean {
    return this.#dfa.hasMatched;
  }

  /** Whether it is certain that none of many lines matches; leaves `begin` to be called again. */
  isQuiet(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#dfa.isQuiet(bytes, from, to);
  }

  /** Whether the text that was fed matches. */
  end(): boolean {
    return this.#dfa.end();
  }

  #run(bytes: Uint8Array, start: number, end: number): void {
    this.#dfa.begin();
    for (let at = this.#dfa.feed(bytes, start, end); at < end; at = this.#dfa.feed(bytes, at, end)) {
      this.#onPause?.();
      this.#dfa.rest();
    }
  }

  async #runInTime(text: string, step: () => Promise<boolean>): Promise<boolean> {
    this.#dfa.begin();
    const end = this.#encode(text);
    for (
      let at = this.#dfa.feed(this.#scratch, 0, end);
      at < end;
      at = this.#dfa.feed(this.#scratch, at, end)
    ) {
      if (!await step()) return false;
      this.#dfa.rest();
    }
    return true;
  }

  /** Writes a text into the scratch buffer; returns its length. */
  #encode(text: string): number {
    const { length } = text;
    if (this.#scratch.length < length * 3) this.#scratch = new Uint8Array(length * 6);
    if (length > MAX_SHORT) return this.#encoder.encodeInto(text, this.#scratch).written;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return this.#encoder.encodeInto(text, this.#scratch).written;
      this.#scratch[i] = unit;
    }
    return length;
  }
}
