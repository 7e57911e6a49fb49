/**
 * A pattern as a program for a machine with many threads: each instruction reads one code point, forks, asserts
 * something about the place it is at, or says that the pattern has matched. Counted repetitions are copies, so
 * the program's length is bounded, and with it the work that one byte of input can ever cause.
 */
import { Alphabet } from "./alphabet.ts";
import { type Assertion, type Node, partsOf } from "./ast.ts";
import { PatternError } from "./pattern_error.ts";
import type { Ranges } from "../bytes/ranges.ts";

export const OP = { match: 0, rune: 1, fork: 2, assert: 3 } as const;

/** What can be true of a place in the text; an assertion is the one bit that it needs. */
export const PLACE = {
  textStart: 1,
  textEnd: 2,
  lineStart: 4,
  lineEnd: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

const BIT: Readonly<Record<Assertion, number>> = {
  "text start": PLACE.textStart,
  "text end": PLACE.textEnd,
  "line start": PLACE.lineStart,
  "line end": PLACE.lineEnd,
  "word boundary": PLACE.wordBoundary,
  "no word boundary": PLACE.noWordBoundary,
};

const MAX_INSTRUCTIONS = 100_000;

const NEWLINE: Ranges = [0x0a, 0x0a];
export const WORD: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

export interface Program {
  readonly op: Uint8Array;
  /** rune: the number of its set; fork: one way; assert: its bit of PLACE. */
  readonly x: Int32Array;
  /** rune and assert: where to continue; fork: the other branch. */
  readonly y: Int32Array;
  readonly start: number;
  readonly sets: readonly Ranges[];
  readonly alphabet: Alphabet;
  /** Whether a match can begin only at the start of the text. */
  readonly anchored: boolean;
  /** Which bits of PLACE are used. */
  readonly asserted: number;
}

/** `pattern` is for the message, should the program be too long. */
export function compileProgram(node: Node, pattern: string): Program {
  return new Compiler(pattern).compile(node);
}

class Compiler {
  readonly #pattern: string;
  readonly #op: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #sets: Ranges[] = [];
  readonly #numbers = new Map<Ranges | string, number>();
  #asserted = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  compile(node: Node): Program {
    const start = this.#emit(node, this.#add(OP.match, 0, 0));
    const told = [...this.#sets];
    if (this.#asserted & (PLACE.lineStart | PLACE.lineEnd)) told.push(NEWLINE);
    if (this.#asserted & (PLACE.wordBoundary | PLACE.noWordBoundary)) told.push(WORD);
    return {
      op: Uint8Array.from(this.#op),
      x: Int32Array.from(this.#x),
      y: Int32Array.from(this.#y),
      start,
      sets: this.#sets,
      alphabet: new Alphabet(told, this.#pattern),
      anchored: isAnchored(node),
      asserted: this.#asserted,
    };
  }

  #add(op: number, x: number, y: number): number {
    if (this.#op.length >= MAX_INSTRUCTIONS) throw new PatternError("expression too large", this.#pattern);
    this.#x.push(x);
    this.#y.push(y);
    return this.#op.push(op) - 1;
  }

  /** Instructions for a node that continue at `next`; returns where they begin. */
  #emit(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "rune":
        return this.#add(OP.rune, this.#setNumber(node.ranges), next);
      case "assertion":
        this.#asserted |= BIT[node.what];
        return this.#add(OP.assert, BIT[node.what], next);
      case "group":
        return this.#emit(node.part, next);
      case "concat":
        return partsOf(node).reduceRight((after, part) => this.#emit(part, after), next);
      case "alternate":
        return partsOf(node).map((part) => this.#emit(part, next))
          .reduceRight((other, one) => this.#add(OP.fork, one, other));
      case "repeat":
        return this.#emitRepeat(node, next);
    }
  }

  /** x{2,4} is xx(x(x)?)?; x{2,} is xx+, where the last x goes back to itself. */
  #emitRepeat({ part, min, max }: Node & { kind: "repeat" }, next: number): number {
    let start = next;
    let required = min;
    if (max === Infinity) {
      const loop = this.#add(OP.fork, next, next);
      const body = this.#emit(part, loop);
      this.#x[loop] = body;
      start = min === 0 ? loop : body;
      required = Math.max(0, min - 1);
    } else {
      for (let i = min; i < max; i++) {
        const body = this.#emit(part, start);
        if (body === start) return next; // it reads nothing, however often
        start = this.#add(OP.fork, body, next);
      }
    }
    for (let i = 0; i < required; i++) {
      const body = this.#emit(part, start);
      if (body === start) break;
      start = body;
    }
    return start;
  }

  #setNumber(ranges: Ranges): number {
    const known = this.#numbers.get(ranges);
    if (known !== undefined) return known;
    const key = ranges.join();
    const number = this.#numbers.get(key) ?? this.#sets.push(ranges) - 1;
    this.#numbers.set(key, number);
    this.#numbers.set(ranges, number);
    return number;
  }
}

/** Whether every way through begins with the start of the text. */
function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case "assertion":
      return node.what === "text start";
    case "group":
      return isAnchored(node.part);
    case "repeat":
      return node.min > 0 && isAnchored(node.part);
    case "concat": {
      const first = partsOf(node).find((part) => part.kind !== "empty");
      return first !== undefined && isAnchored(first);
    }
    case "alternate":
      return partsOf(node).every(isAnchored);
    default:
      return false;
  }
}
