/**
 * Single steps of an automaton, worked out from the program: from a set of places where threads stand, by a byte or by
 * the end of the text, to the next. dfa.ts remembers what was worked out once.
 */
import type { Alphabet } from "./alphabet.ts";
import { OP, PLACE, type Program, WORD } from "./program.ts";
import { at, includes } from "../bytes/ranges.ts";

/** Instead of a state: the text matches, or nothing that follows can make it match. */
export const MATCHED = -2;
export const DEAD = -3;

/** What is known about the place before the next code point. */
const BEFORE = { start: 1, newline: 2, word: 4 } as const;

/** Where a run is; it can continue from there in any automaton of the same program. */
export interface DfaState {
  /** Where the threads stand, ascending; a thread that begins here is not among them. */
  readonly threads: Int32Array;
  readonly before: number;
  /** Inside a code point, the alphabet's node; -1 between two. */
  readonly node: number;
}

export const FIRST: DfaState = { threads: new Int32Array(0), before: BEFORE.start, node: -1 };

export class DfaSteps {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  /** Instructions visited so far; the caller that counts them resets it. */
  work = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#alphabet = program.alphabet;
    this.#visited = new Float64Array(program.op.length);
  }

  /** After one more byte of those that a symbol stands for. */
  step(from: DfaState, symbol: number): DfaState | typeof MATCHED | typeof DEAD {
    const alphabet = this.#alphabet;
    const byte = at(alphabet.byteOf, symbol);
    let state = from;
    let step = alphabet.step(state.node, byte);
    if (step.to === "invalid" && state.node >= 0) {
      const after = this.#breakOff(state);
      if (typeof after === "number") return after;
      state = after;
      step = alphabet.step(state.node, byte);
    }
    if (step.to === "node") return { ...state, node: step.id };
    return this.#advance(state, step.to === "class" ? step.id : alphabet.replacement);
  }

  /** At the end of the text. */
  finish(from: DfaState): typeof MATCHED | typeof DEAD {
    const state = this.#breakOff(from);
    if (typeof state === "number") return state;
    const places = this.#placesAt(state.before, undefined);
    return this.#threadsAt(state, places) === MATCHED ? MATCHED : DEAD;
  }

  /** A code point that was begun is not continued: its bytes so far are invalid, each one separately. */
  #breakOff(from: DfaState): DfaState | typeof MATCHED | typeof DEAD {
    let state: DfaState = { ...from, node: -1 };
    for (let i = this.#alphabet.depth(from.node); i > 0; i--) {
      const after = this.#advance(state, this.#alphabet.replacement);
      if (typeof after === "number") return after;
      state = after;
    }
    return state;
  }

  /** The state after one more code point of a class. */
  #advance(state: DfaState, id: number): DfaState | typeof MATCHED | typeof DEAD {
    const { op, x, y, sets, anchored, asserted } = this.#program;
    const rune = this.#alphabet.representative(id);
    const standing = this.#threadsAt(state, this.#placesAt(state.before, id));
    if (standing === MATCHED) return MATCHED;
    const threads = new Set<number>();
    for (const thread of standing) {
      if (op[thread] === OP.rune && includes(sets[at(x, thread)] ?? [], rune)) threads.add(at(y, thread));
    }
    this.work += standing.length + threads.size;
    if (anchored && threads.size === 0) return DEAD;
    let before = 0;
    if (asserted & PLACE.lineStart && id === this.#alphabet.newline) before |= BEFORE.newline;
    if (asserted & WORDS && includes(WORD, rune)) before |= BEFORE.word;
    return { threads: Int32Array.from(threads).sort(), before, node: -1 };
  }

  /** What is true between what came before and a code point of a class, or the end of the text. */
  #placesAt(before: number, next: number | undefined): number {
    let places = 0;
    if (before & BEFORE.start) places |= PLACE.textStart | PLACE.lineStart;
    if (before & BEFORE.newline) places |= PLACE.lineStart;
    if (next === undefined) places |= PLACE.textEnd | PLACE.lineEnd;
    else if (next === this.#alphabet.newline) places |= PLACE.lineEnd;
    const isWord = next !== undefined && includes(WORD, this.#alphabet.representative(next));
    return places | (isWord === ((before & BEFORE.word) !== 0) ? PLACE.noWordBoundary : PLACE.wordBoundary);
  }

  /** Marks instructions visited in this round; the rounds are numbered. */
  readonly #visited: Float64Array;
  #round = 0;
  readonly #stack: number[] = [];

  /** All places that the state's threads, and one that begins here, can reach without reading. */
  #threadsAt(state: DfaState, places: number): number[] | typeof MATCHED {
    const { op, x, y, start, anchored } = this.#program;
    const visited = this.#visited;
    const round = ++this.#round;
    const reached: number[] = [];
    const stack = this.#stack;
    stack.length = 0;
    if (!anchored || state.before & BEFORE.start) stack.push(start);
    for (const thread of state.threads) stack.push(thread);
    for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
      if (visited[thread] === round) continue;
      visited[thread] = round;
      this.work++;
      switch (op[thread]) {
        case OP.match:
          return MATCHED;
        case OP.fork:
          stack.push(at(x, thread), at(y, thread));
          break;
        case OP.assert:
          if (at(x, thread) & places) stack.push(at(y, thread));
          break;
        default:
          reached.push(thread);
      }
    }
    return reached;
  }
}

const WORDS = PLACE.wordBoundary | PLACE.noWordBoundary;
