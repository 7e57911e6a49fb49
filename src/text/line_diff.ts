/**
 * Which lines differ between two lists: Myers's algorithm in linear space, with the shortcuts of git's xdiff.
 * Lines that only one side has are set aside first. A search that takes long is cut at the furthest point it
 * reached, and when the whole work exceeds its budget the rest counts as replaced: the result is then longer
 * than necessary, but correct. It runs in steps of a few milliseconds, so no input can block the program.
 */
import { PIECE } from "./steps.ts";

/** Lines `aStart` to `aEnd` became lines `bStart` to `bEnd`; both from 0, ends exclusive. */
export interface Change {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** With more lines than this, numbering them would take too much memory. */
const MAX_LINES = 2_000_000;

/** How much to compare at most; shared by all files of a call. */
export interface DiffBudget {
  /** Steps; the default takes some hundred milliseconds. */
  left: number;
}

export function diffBudget(): DiffBudget {
  return { left: 50_000_000 };
}

/**
 * Runs `work` with half of what is left, so that one hard file leaves something for those after it; then
 * subtracts what it used.
 */
export function* withHalf<T>(
  budget: DiffBudget,
  work: (half: DiffBudget) => Generator<void, T>,
): Generator<void, T> {
  const given = Math.ceil(budget.left / 2);
  const half = { left: given };
  const result = yield* work(half);
  budget.left -= given - half.left;
  return result;
}

export function* diffLines(
  a: readonly string[],
  b: readonly string[],
  budget: DiffBudget = diffBudget(),
): Generator<void, Change[]> {
  if (a.length + b.length > MAX_LINES) return [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  const numbers = new Map<string, number>();
  const sides = { a: new Side(yield* numbered(a, numbers)), b: new Side(yield* numbered(b, numbers)) };
  const inA = new Uint8Array(numbers.size);
  const inB = new Uint8Array(numbers.size);
  for (const line of sides.a.lines) inA[line] = 1;
  for (const line of sides.b.lines) inB[line] = 1;
  yield;
  const [keptA, keptB] = [sides.a.keepOnly(inB), sides.b.keepOnly(inA)];
  yield;
  yield* new Comparison(keptA, keptB, budget).run();
  return collectChanges(sides.a, sides.b);
}

/** Gives equal lines the same number. */
function* numbered(lines: readonly string[], numbers: Map<string, number>): Generator<void, Int32Array> {
  const result = new Int32Array(lines.length);
  for (let i = 0; i < lines.length; i++) {
    if (i % PIECE === 0) yield;
    const line = lines[i] ?? "";
    const number = numbers.get(line) ?? numbers.size;
    if (number === numbers.size) numbers.set(line, number);
    result[i] = number;
  }
  return result;
}

/** One of the two lists, as numbers, with a mark for every line that the other lacks. */
class Side {
  readonly lines: Int32Array;
  readonly changed: Uint8Array;

  constructor(lines: Int32Array) {
    this.lines = lines;
    this.changed = new Uint8Array(lines.length);
  }

  /** Marks the lines that the other side lacks entirely and returns the rest, with their indices. */
  keepOnly(other: Uint8Array): Kept {
    const indices = new Int32Array(this.lines.length);
    let length = 0;
    this.lines.forEach((line, i) => {
      if (other[line] === 1) indices[length++] = i;
      else this.changed[i] = 1;
    });
    const kept = indices.subarray(0, length);
    return {
      lines: kept.map((i) => this.lines[i] ?? 0),
      mark: (from, to) => {
        for (const i of kept.subarray(from, to)) this.changed[i] = 1;
      },
    };
  }
}

interface Kept {
  readonly lines: Int32Array;
  mark(from: number, to: number): void;
}

interface Box {
  aLow: number;
  aHigh: number;
  bLow: number;
  bHigh: number;
}

/** How many steps to make between two pauses. */
const PAUSE = 250_000;

class Comparison {
  readonly #a: Kept;
  readonly #b: Kept;
  /** The furthest index into `a` reached on each diagonal (index in a - index in b), from either end. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #zero: number;
  /** The number of edits after which one search is cut. */
  readonly #patience: number;
  readonly #budget: DiffBudget;
  /** The remaining budget at which to pause next. */
  #nextPause: number;

  constructor(a: Kept, b: Kept, budget: DiffBudget) {
    this.#budget = budget;
    this.#nextPause = budget.left - PAUSE;
    const diagonals = a.lines.length + b.lines.length + 3;
    this.#a = a;
    this.#b = b;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    this.#zero = b.lines.length + 1;
    this.#patience = Math.max(256, Math.ceil(Math.sqrt(diagonals)));
  }

  *run(): Generator<void, void> {
    const boxes: Box[] = [{ aLow: 0, aHigh: this.#a.lines.length, bLow: 0, bHigh: this.#b.lines.length }];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      this.#trim(box);
      const { aLow, aHigh, bLow, bHigh } = box;
      this.#budget.left--;
      const split = aLow < aHigh && bLow < bHigh ? yield* this.#split(box) : undefined;
      if (split === undefined) {
        this.#a.mark(aLow, aHigh);
        this.#b.mark(bLow, bHigh);
      } else {
        boxes.push({ ...box, aLow: split.a, bLow: split.b }, { ...box, aHigh: split.a, bHigh: split.b });
      }
    }
  }

  #trim(box: Box): void {
    const [a, b] = [this.#a.lines, this.#b.lines];
    while (box.aLow < box.aHigh && box.bLow < box.bHigh && a[box.aLow] === b[box.bLow]) {
      box.aLow++;
      box.bLow++;
    }
    while (box.aLow < box.aHigh && box.bLow < box.bHigh && a[box.aHigh - 1] === b[box.bHigh - 1]) {
      box.aHigh--;
      box.bHigh--;
    }
  }

  /** A point in the middle of a shortest path through the box or, when patience runs out, of a good one. */
  *#split({ aLow, aHigh, bLow, bHigh }: Box): Generator<void, { a: number; b: number } | undefined> {
    const [a, b, zero] = [this.#a.lines, this.#b.lines, this.#zero];
    const [forward, backward] = [this.#forward, this.#backward];
    const get = (way: Int32Array, diagonal: number) => way[zero + diagonal] ?? 0;
    const least = aLow - bHigh;
    const greatest = aHigh - bLow;
    const start = aLow - bLow;
    const goal = aHigh - bHigh;
    const odd = ((start - goal) & 1) !== 0;
    let [fMin, fMax, bMin, bMax] = [start, start, goal, goal];
    forward[zero + start] = aLow;
    backward[zero + goal] = aHigh;
    for (let edits = 1; this.#budget.left > 0; edits++) {
      if (this.#budget.left < this.#nextPause) {
        this.#nextPause = this.#budget.left - PAUSE;
        yield;
      }
      if (fMin > least) forward[zero + --fMin - 1] = -1;
      else fMin++;
      if (fMax < greatest) forward[zero + ++fMax + 1] = -1;
      else fMax--;
      for (let k = fMax; k >= fMin; k -= 2) {
        const from = Math.max(get(forward, k - 1) + 1, get(forward, k + 1));
        let x = from;
        while (x < aHigh && x - k < bHigh && a[x] === b[x - k]) x++;
        forward[zero + k] = x;
        this.#budget.left -= x - from + 1;
        if (odd && bMin <= k && k <= bMax && get(backward, k) <= x) return { a: x, b: x - k };
      }
      if (bMin > least) backward[zero + --bMin - 1] = 0x7fffffff;
      else bMin++;
      if (bMax < greatest) backward[zero + ++bMax + 1] = 0x7fffffff;
      else bMax--;
      for (let k = bMax; k >= bMin; k -= 2) {
        const from = Math.min(get(backward, k - 1), get(backward, k + 1) - 1);
        let x = from;
        while (x > aLow && x - k > bLow && a[x - 1] === b[x - 1 - k]) x--;
        backward[zero + k] = x;
        this.#budget.left -= from - x + 1;
        if (!odd && fMin <= k && k <= fMax && x <= get(forward, k)) return { a: x, b: x - k };
      }
      if (edits < this.#patience) continue;
      let best = { a: aLow, b: bLow, progress: 0 };
      for (let k = fMax; k >= fMin; k -= 2) {
        const x = Math.min(get(forward, k), aHigh, bHigh + k);
        const progress = x + x - k - aLow - bLow;
        if (progress > best.progress) best = { a: x, b: x - k, progress };
      }
      for (let k = bMax; k >= bMin; k -= 2) {
        const x = Math.max(get(backward, k), aLow, bLow + k);
        const progress = aHigh + bHigh - x - x + k;
        if (progress > best.progress) best = { a: x, b: x - k, progress };
      }
      return best;
    }
    return undefined;
  }
}

function collectChanges(a: Side, b: Side): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < a.lines.length || j < b.lines.length) {
    const [aStart, bStart] = [i, j];
    while (a.changed[i] === 1) i++;
    while (b.changed[j] === 1) j++;
    if (i > aStart || j > bStart) changes.push({ aStart, aEnd: i, bStart, bEnd: j });
    i++;
    j++;
  }
  return changes;
}

export interface SlideOptions {
  a: readonly string[];
  b: readonly string[];
  /** The latest place in `a` where the last change may end. */
  end: number;
}

/**
 * An insertion or deletion between equal lines can often be placed further down as well. As in git, it goes
 * as far down as possible: a new function then begins with its first line, not with the brace that ends the
 * previous one.
 */
export function slideDown(changes: readonly Change[], { a, b, end }: SlideOptions): Change[] {
  return changes.map((change, i) => {
    const { aStart, aEnd, bStart, bEnd } = change;
    if (aStart !== aEnd && bStart !== bEnd) return change;
    const [lines, first, after] = aStart === aEnd ? [b, bStart, bEnd] : [a, aStart, aEnd];
    const next = changes[i + 1];
    const room = next === undefined ? end - aEnd : next.aStart - aEnd - 1;
    let by = 0;
    while (by < room && lines[first + by] === lines[after + by]) by++;
    return { aStart: aStart + by, aEnd: aEnd + by, bStart: bStart + by, bEnd: bEnd + by };
  });
}
