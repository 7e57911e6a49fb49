/**
 * Where in a line the first match begins. The automaton only says that a line matches, and at which byte that is
 * decided; for the few lines that are too long to be shown whole, this looks for the place. A match that begins
 * within the first k bytes is found by an automaton that lets matches begin up to there and, from there on, by one
 * that lets none begin any more. The least such k is found by halving. At marks along the way it is remembered where
 * the one is, and what came of each state of the other, so that most runs are short: the time is that of two or
 * three readings.
 */
import { Dfa } from "./dfa.ts";
import type { DfaState } from "./dfa_steps.ts";
import type { Program } from "./program.ts";

/** Awaited whenever others should have a turn; false when the time is up. */
type Step = () => Promise<boolean>;

export interface Piece {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** Whether the line ends with it. */
  readonly isEnd: boolean;
  /** What the search was in before it, where the line does not begin with it. */
  readonly state?: DfaState | undefined;
}

export interface MatchedAt {
  /** Where the first match begins; undefined when that is before the piece. */
  readonly start: number | undefined;
  /** Where it is certain that there is one. */
  readonly end: number;
}

/** How far back from the end of a match its beginning is searched for first. */
const FIRST_LOOK = 64;
/** How many bytes are between two marks, at least, and how many marks there are about. */
const LEAST_APART = 512;
const MARKS = 128;

/** A place at which runs are compared. */
interface Mark {
  readonly at: number;
  /** Where the search is there. */
  readonly state: DfaState;
  /** Whether a run that lets no match begin any longer, and is in this state here, reaches a match. */
  readonly outcomes: Map<DfaState, boolean>;
}

export class MatchPlace {
  readonly #open: Dfa;
  readonly #closed: Dfa;

  constructor(program: Program) {
    this.#open = new Dfa(program);
    this.#closed = new Dfa({ ...program, anchored: true });
  }

  /** In a piece of a line within which a match ends; undefined when the time is up. */
  async find(piece: Piece, step: Step): Promise<MatchedAt | undefined> {
    const { bytes, from, to, state } = piece;
    const open = this.#open;
    if (state === undefined) open.begin();
    else open.resume(state);
    const first = open.state;
    if (first === undefined) return undefined;
    const marks: Mark[] = [];
    const apart = Math.max(LEAST_APART, Math.ceil((to - from) / MARKS));
    for (let at = from; at < to && open.state !== undefined; at += apart) {
      marks.push({ at, state: open.state, outcomes: new Map() });
      if (!await feed(open, { bytes, from: at, to: Math.min(at + apart, to) }, step)) return undefined;
    }
    const end = open.hasMatched ? open.decidedAt : to;

    // No match begins within the first `low` bytes; `known` is where the search is then. One does within `high`.
    let [low, known] = [from, first];
    let high = end + 1;
    const begins = async (within: number): Promise<boolean | undefined> => {
      if (!await step()) return undefined;
      const mark = marks[Math.min(Math.floor((within - from) / apart), marks.length - 1)];
      const near = mark !== undefined && mark.at > low ? mark : { at: low, state: known };
      open.resume(near.state);
      if (!await feed(open, { bytes, from: near.at, to: within }, step)) return undefined;
      if (open.hasMatched) return true;
      const reached = open.state;
      if (reached === undefined) return false;
      this.#closed.resume(reached);
      const isMatch = await this.#comesToMatch({ ...piece, from: within }, { marks, step });
      if (isMatch === false) [low, known] = [within, reached];
      return isMatch;
    };

    const isBefore = await begins(from);
    if (isBefore === undefined) return undefined;
    if (isBefore) return { start: state === undefined ? from : undefined, end };
    let within = end - FIRST_LOOK;
    for (let back = FIRST_LOOK; within > low; within = high - (back *= 8)) {
      const isMatch = await begins(within);
      if (isMatch === undefined) return undefined;
      if (!isMatch) break;
      high = within;
    }
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2);
      const isMatch = await begins(middle);
      if (isMatch === undefined) return undefined;
      if (isMatch) high = middle;
    }
    return { start: characterAt(bytes, { at: Math.min(high - 1, to), from }), end };
  }

  /** Whether the automaton that lets no match begin comes to one; undefined when the time is up. */
  async #comesToMatch(
    { bytes, from, to, isEnd }: Piece,
    { marks, step }: { marks: readonly Mark[]; step: Step },
  ): Promise<boolean | undefined> {
    const closed = this.#closed;
    const passed: [Mark, DfaState][] = [];
    let outcome: boolean | undefined;
    let at = from;
    for (const mark of marks) {
      if (mark.at <= from) continue;
      if (!await feed(closed, { bytes, from: at, to: mark.at }, step)) return undefined;
      at = mark.at;
      const { state } = closed;
      outcome = state === undefined ? closed.hasMatched : mark.outcomes.get(state);
      if (state === undefined || outcome !== undefined) break;
      passed.push([mark, state]);
    }
    if (outcome === undefined) {
      if (!await feed(closed, { bytes, from: at, to }, step)) return undefined;
      outcome = closed.hasMatched || (isEnd && closed.end());
    }
    for (const [mark, state] of passed) mark.outcomes.set(state, outcome);
    return outcome;
  }
}

/** Reads on to the end of some bytes; false when the time is up. */
async function feed(
  dfa: Dfa,
  { bytes, from, to }: { bytes: Uint8Array; from: number; to: number },
  step: Step,
): Promise<boolean> {
  for (let at = dfa.feed(bytes, from, to); at < to; at = dfa.feed(bytes, at, to)) {
    if (!await step()) return false;
    dfa.rest();
  }
  return true;
}

/** Where the character begins whose last byte is at a place. */
function characterAt(bytes: Uint8Array, { at, from }: { at: number; from: number }): number {
  let start = at;
  while (start > from && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
