/**
 * Runs a program over bytes as an automaton whose states are created when first needed. A state is the
 * set of positions of threads in the program; a step taken before is one table lookup, a new
 * one costs at most the program's length. So the work is linear in the input whatever the pattern is. States are
 * kept up to a bound and then all forgotten, so memory is bounded too.
 *
 * Invalid UTF-8 is read as Go reads it: every byte that is not part of a valid code point is one U+FFFD.
 */
import type { Alphabet } from "./alphabet.ts";
import { DEAD, type DfaState, DfaSteps, FIRST, MATCHED } from "./dfa_steps.ts";
import type { Program } from "./program.ts";
import { at } from "../bytes/ranges.ts";
import { readThree, type Streams } from "../bytes/three_streams.ts";

/** Instead of a state: the step was never taken. */
const UNKNOWN = -1;

const LF = 0x0a;

const MAX_CACHE_BYTES = 8 * 1024 * 1024;
/** How many instructions may be visited before others should have a turn: about a millisecond. */
const MAX_WORK = 50_000;

export class Dfa {
  readonly #alphabet: Alphabet;
  readonly #steps: DfaSteps;
  /**
   * Symbols in a row of the table. The last stands for the end of a line with others behind it, the one before it
   * for the end of the text.
   */
  readonly #stride: number;
  /** As the alphabet's, but a newline ends a line. */
  readonly #lineSymbolOf: Uint16Array;
  readonly #maxBytes: number;
  #table: Int32Array;
  #states: DfaState[] = [];
  #numbers = new Map<string, number>();
  #bytes = 0;
  /** The row of the run's current state, or its outcome. */
  #row = 0;
  #decidedAt = 0;

  constructor(program: Program, maxBytes = MAX_CACHE_BYTES) {
    this.#alphabet = program.alphabet;
    this.#stride = this.#alphabet.symbols + 2;
    this.#lineSymbolOf = Uint16Array.from(this.#alphabet.symbolOf);
    this.#lineSymbolOf[LF] = this.#stride - 1;
    this.#maxBytes = maxBytes;
    this.#table = new Int32Array(this.#stride * 16).fill(UNKNOWN);
    this.#steps = new DfaSteps(program);
    this.#forget();
  }

  /** Begins a new text. */
  begin(): void {
    this.#row = 0;
  }

  /**
   * Reads bytes of the text; returns how far it came. That is `to`, unless new steps took so much work that
   * others should have a turn: then call `rest` and continue from there.
   */
  feed(bytes: Uint8Array, from: number, to: number): number {
    let row = this.#row;
    if (row < 0) return to;
    const { symbolOf } = this.#alphabet;
    let table = this.#table;
    for (let i = from; i < to; i++) {
      const symbol = symbolOf[bytes[i] as number] as number;
      let next = table[row + symbol] as number;
      if (next < 0) {
        if (next === UNKNOWN) {
          if (this.#steps.work > MAX_WORK) {
            this.#row = row;
            return i;
          }
          next = this.#learn(row, symbol);
          table = this.#table;
        }
        if (next < 0) {
          this.#row = next;
          this.#decidedAt = i;
          return to;
        }
      }
      row = next;
    }
    this.#row = row;
    return to;
  }

  /** The byte, in what was fed, with which it was decided whether the text matches. */
  get decidedAt(): number {
    return this.#decidedAt;
  }

  /** Where the run is; undefined if it is decided whether the text matches. */
  get state(): DfaState | undefined {
    return this.#row < 0 ? undefined : this.#states[this.#row / this.#stride];
  }

  /** Continues a run of this or another automaton. */
  resume(state: DfaState): void {
    this.#row = this.#intern(state);
  }

  /** Whether the text, which ends here, matches. */
  end(): boolean {
    if (this.#row < 0) return this.#row === MATCHED;
    const known = at(this.#table, this.#row + this.#stride - 2);
    return (known === UNKNOWN ? this.#learn(this.#row, this.#stride - 2) : known) === MATCHED;
  }

  /**
   * Reads whole lines, each with a newline at its end and each a text of its own, up to the first that matches.
   * Returns a place in that line, which may be its newline, and `hasMatched` is true; or how far it came without
   * one. That is `to`, unless others should have a turn: then call `rest` and continue from there. Where nothing
   * can match any longer it goes to the end of the line, even beyond `to`.
   */
  seek(bytes: Uint8Array, from: number, to: number): number {
    const symbolOf = this.#lineSymbolOf;
    let row = this.#row | 0;
    let table = this.#table;
    let i = from | 0;
    for (; i < to; i = (i + 1) | 0) {
      const symbol = symbolOf[bytes[i] as number] as number;
      let next = (table[(row + symbol) | 0] as number) | 0;
      if (next < 0) {
        if (next === UNKNOWN) {
          if (this.#steps.work > MAX_WORK) {
            this.#row = row;
            return i;
          }
          next = this.#learn(row, symbol) | 0;
          table = this.#table;
        }
        if (next === MATCHED) {
          this.#row = MATCHED;
          return i;
        }
        if (next === DEAD) {
          i = bytes.indexOf(LF, i) | 0;
          next = 0;
        }
      }
      row = next | 0;
    }
    this.#row = row;
    return i;
  }

  /**
   * Whether none of these lines matches; false also when that is not known, and then they are to be read by
   * `seek`. Three thirds are read side by side, which is faster.
   */
  isQuiet(bytes: Uint8Array, from: number, to: number): boolean {
    const third = Math.floor((to - from) / 3);
    const second = bytes.indexOf(LF, from + third) + 1;
    const last = bytes.indexOf(LF, from + 2 * third) + 1;
    const streams: Streams = { at: [from, second, last], row: [0, 0, 0], end: [second, last, to] };
    const { at: places, row: rows, end } = streams;
    while (places.every((place, i) => place < (end[i] ?? 0))) {
      readThree(bytes, streams, { symbolOf: this.#lineSymbolOf, table: this.#table });
      const states = this.#states;
      for (const i of [0, 1, 2] as const) {
        if (places[i] >= end[i]) continue;
        this.#row = rows[i];
        const stop = this.seek(bytes, places[i], places[i] + 1);
        // If all states were dropped meanwhile, the rows are meaningless.
        if (stop === places[i] || this.#states !== states) return false;
        places[i] = stop;
        rows[i] = this.#row;
      }
    }
    return ([0, 1, 2] as const).every((i) =>
      this.#endsQuietly(bytes, { row: rows[i], from: places[i], to: end[i] })
    );
  }

  /** Continues from a row that is still valid: no state was dropped since. */
  #endsQuietly(bytes: Uint8Array, { row, from, to }: { row: number; from: number; to: number }): boolean {
    const states = this.#states;
    this.#row = row;
    return this.seek(bytes, from, to) >= to && !this.hasMatched && this.#states === states;
  }

  /** Whether it is decided already that the text matches. */
  get hasMatched(): boolean {
    return this.#row === MATCHED;
  }

  /** Whether the text, with something more behind it, may still match. */
  get mayMatch(): boolean {
    return this.#row !== DEAD;
  }

  /** To be called after others have had a turn. */
  rest(): void {
    this.#steps.work = 0;
  }

  /** How many states are kept; for tests of the limit. */
  get size(): number {
    return this.#states.length;
  }

  #learn(row: number, symbol: number): number {
    const number = row / this.#stride;
    const state = this.#states[number] as DfaState;
    const after = this.#after(state, symbol);
    if (typeof after === "number") return this.#table[row + symbol] = after;
    const states = this.#states;
    const next = this.#intern(after);
    // If all states were dropped meanwhile, the row belongs to another state, or to none.
    if (this.#states === states) this.#table[row + symbol] = next;
    return next;
  }

  #after(state: DfaState, symbol: number): DfaState | number {
    if (symbol < this.#stride - 2) return this.#steps.step(state, symbol);
    const end = this.#steps.finish(state);
    return symbol === this.#stride - 1 && end === DEAD ? 0 : end; // the row that the next line begins with
  }

  /** The row of a state, which may be new. */
  #intern(state: DfaState): number {
    const key = keyOf(state);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#bytes > this.#maxBytes) this.#forget();
    const row = this.#states.length * this.#stride;
    this.#states.push(state);
    this.#numbers.set(key, row);
    this.#bytes += 4 * this.#stride + 4 * state.threads.length + 2 * key.length + 200;
    if (row + this.#stride > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2).fill(UNKNOWN);
      larger.set(this.#table);
      this.#table = larger;
    }
    return row;
  }

  /** Drops all states but the first one. */
  #forget(): void {
    this.#table.fill(UNKNOWN);
    this.#states = [];
    this.#numbers = new Map();
    this.#bytes = 0;
    this.#intern(FIRST);
  }
}

function keyOf({ threads, before, node }: DfaState): string {
  return `${before} ${node} ${threads.join()}`;
}
