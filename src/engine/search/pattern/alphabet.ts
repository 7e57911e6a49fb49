/**
 * What a program needs to know about its input. Code points that no set of the pattern distinguishes are one class;
 * a small automaton reads the bytes of one code point in UTF-8 and ends at its class; and bytes that this
 * automaton never distinguishes are one symbol. Most patterns need only a handful of symbols.
 */
import { at, type Ranges } from "../bytes/ranges.ts";
import { PatternError } from "./pattern_error.ts";

/** What a byte that continues a code point leads to: its class (0 and up), a node, or nothing valid. */
const INVALID = -1;
const nodeStep = (node: number) => -2 - node;

/** Inside a code point: how many bytes of it were read, and where each byte 0x80…0xbf leads. */
interface Utf8Node {
  readonly depth: number;
  readonly steps: Int32Array;
}

export type ByteStep =
  | { readonly to: "class"; readonly id: number }
  | { readonly to: "node"; readonly id: number }
  | { readonly to: "invalid" };

const REPLACEMENT = 0xfffd;
const NEWLINE = 0x0a;
const INVALID_STEP: ByteStep = { to: "invalid" };

/** How much work dividing the code points into classes may be. */
const MAX_WORK = 500_000;

export class Alphabet {
  /** The symbol of each byte. */
  readonly symbolOf = new Uint8Array(256);
  /** A byte for each symbol. */
  readonly byteOf: readonly number[];
  /** The class of what is not valid UTF-8, byte by byte: Go reads U+FFFD there. */
  readonly replacement: number;
  /** The class of `\n`. */
  readonly newline: number;
  /** Where each class begins, interval by interval. */
  readonly #starts: Int32Array;
  readonly #classes: Int32Array;
  readonly #representatives: readonly number[];
  readonly #nodes: Utf8Node[] = [];
  /** Nodes by what they do, and those for code points of one class alone by the class. */
  readonly #known = new Map<string, number>();
  readonly #uniform = new Map<number, number>();
  readonly #leads = new Int32Array(256).fill(INVALID);

  /** `pattern` is for the message, should its sets be too many. */
  constructor(sets: readonly Ranges[], pattern: string) {
    this.#starts = boundaries(sets);
    const { classes, representatives } = divide(this.#starts, sets, pattern);
    this.#classes = classes;
    this.#representatives = representatives;
    this.replacement = this.#classOf(REPLACEMENT);
    this.newline = this.#classOf(NEWLINE);
    for (let byte = 0; byte < 256; byte++) this.#leads[byte] = this.#firstStep(byte);
    this.byteOf = this.#assignSymbols();
  }

  get symbols(): number {
    return this.byteOf.length;
  }

  /** A code point of the class: what is true for it is true for all. */
  representative(id: number): number {
    return at(this.#representatives, id);
  }

  /** Where a byte leads, from between two code points (node -1) or from inside one. */
  step(node: number, byte: number): ByteStep {
    const value = node < 0
      ? at(this.#leads, byte)
      : (byte & 0xc0) === 0x80
      ? this.#nodes[node]?.steps[byte & 0x3f] ?? INVALID
      : INVALID;
    if (value === INVALID) return INVALID_STEP;
    return value >= 0 ? { to: "class", id: value } : { to: "node", id: nodeStep(value) };
  }

  /** How many bytes of a code point precede a node. */
  depth(node: number): number {
    return node < 0 ? 0 : this.#nodes[node]?.depth ?? 0;
  }

  #classOf(rune: number): number {
    return at(this.#classes, intervalOf(this.#starts, rune));
  }

  #firstStep(byte: number): number {
    if (byte < 0x80) return this.#classOf(byte);
    if (byte >= 0xc2 && byte <= 0xdf) return this.#node((byte & 0x1f) << 6, { depth: 1, left: 1 });
    if (byte >= 0xe0 && byte <= 0xef) return this.#node((byte & 0x0f) << 12, { depth: 1, left: 2 });
    if (byte >= 0xf0 && byte <= 0xf4) return this.#node((byte & 0x07) << 18, { depth: 1, left: 3 });
    return INVALID;
  }

  /** The node for the code points from `base` on that `left` more bytes distinguish. */
  #node(base: number, { depth, left }: { depth: number; left: number }): number {
    const span = 64 ** left;
    const interval = intervalOf(this.#starts, base);
    const isUniform = this.#endOf(interval) >= base + span && areAllValid(base, span, depth + left);
    const uniformKey = at(this.#classes, interval) * 16 + depth * 4 + left;
    const uniform = isUniform ? this.#uniform.get(uniformKey) : undefined;
    if (uniform !== undefined) return uniform;
    const steps = new Int32Array(64);
    for (let i = 0; i < 64; i++) {
      const from = base + i * (span / 64);
      steps[i] = !isValid(from, depth + left)
        ? INVALID
        : left === 1
        ? this.#classOf(from)
        : this.#node(from, { depth: depth + 1, left: left - 1 });
    }
    const key = `${depth}:${steps.join()}`;
    let step = this.#known.get(key);
    if (step === undefined) {
      step = nodeStep(this.#nodes.push({ depth, steps }) - 1);
      this.#known.set(key, step);
    }
    if (isUniform) this.#uniform.set(uniformKey, step);
    return step;
  }

  /** Where the interval ends: the first code point after it. */
  #endOf(interval: number): number {
    return this.#starts[interval + 1] ?? Infinity;
  }

  /** Bytes are one symbol if they lead to the same place from everywhere. */
  #assignSymbols(): number[] {
    const columns = new Int32Array(64);
    for (const { steps } of this.#nodes) refine(columns, steps);
    const symbols = new Map<string, number>();
    const bytes: number[] = [];
    for (let byte = 0; byte < 256; byte++) {
      const key = (byte & 0xc0) === 0x80 ? `more ${columns[byte & 0x3f]}` : `first ${this.#leads[byte]}`;
      let symbol = symbols.get(key);
      if (symbol === undefined) {
        symbol = bytes.push(byte) - 1;
        symbols.set(key, symbol);
      }
      this.symbolOf[byte] = symbol;
    }
    return bytes;
  }
}

/** Whether a code point may be written with this many bytes. */
function isValid(rune: number, length: number): boolean {
  const least = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  return rune >= least && rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff);
}

function areAllValid(base: number, span: number, length: number): boolean {
  const last = base + span - 1;
  return isValid(base, length) && isValid(last, length) && !(base < 0xd800 && last > 0xdfff);
}

/** The interval that a code point is in. Called a thousand times for a pattern, so only ever with one kind of array. */
function intervalOf(starts: Int32Array, rune: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= rune) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Every place where some set begins or ends. */
function boundaries(sets: readonly Ranges[]): Int32Array {
  const places = new Set([0]);
  for (const ranges of sets) {
    for (let i = 0; i < ranges.length; i += 2) {
      places.add(at(ranges, i));
      if (at(ranges, i + 1) < 0x10ffff) places.add(at(ranges, i + 1) + 1);
    }
  }
  return Int32Array.from(places).sort();
}

/** Gives intervals that lie in the same sets the same class: each set in turn divides what there is. */
function divide(starts: Int32Array, sets: readonly Ranges[], pattern: string) {
  const classes = new Int32Array(starts.length);
  let count = 1;
  let work = 0;
  for (const ranges of sets) {
    const moved = new Map<number, number>();
    for (const interval of smallerSide(starts, ranges)) {
      const from = at(classes, interval);
      let to = moved.get(from);
      if (to === undefined) moved.set(from, to = count++);
      classes[interval] = to;
      if (++work > MAX_WORK) throw new PatternError("expression too large", pattern);
    }
  }
  const numbers = new Map<number, number>();
  const representatives: number[] = [];
  for (let i = 0; i < classes.length; i++) {
    let number = numbers.get(at(classes, i));
    if (number === undefined) {
      number = representatives.push(at(starts, i)) - 1;
      numbers.set(at(classes, i), number);
    }
    classes[i] = number;
  }
  return { classes, representatives };
}

/** The intervals in a set, or those outside it, whichever are fewer: either divides the same way. */
function* smallerSide(starts: Int32Array, ranges: Ranges): Generator<number> {
  const first = (rune: number) => rune > 0x10ffff ? starts.length : intervalOf(starts, rune);
  const bounds = ranges.map((bound, i) => first(i % 2 === 0 ? bound : bound + 1));
  let inside = 0;
  for (let i = 0; i < bounds.length; i += 2) inside += at(bounds, i + 1) - at(bounds, i);
  const edges = inside * 2 <= starts.length ? bounds : [0, ...bounds, starts.length];
  for (let i = 0; i < edges.length; i += 2) {
    for (let interval = at(edges, i); interval < at(edges, i + 1); interval++) yield interval;
  }
}

/** Divides columns that were equal so far by one more row. */
function refine(columns: Int32Array, row: Int32Array): void {
  const numbers = new Map<number, number>();
  for (let i = 0; i < columns.length; i++) {
    const key = at(columns, i) * 2 ** 32 + at(row, i); // at most 64 columns, and 32 bits in a row
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, number = numbers.size);
    columns[i] = number;
  }
}
