/** The parts of the syntax that stand for sets of code points: `[…]`, `\d`, `[:alpha:]`, `\p{Greek}`. */
import { foldCase } from "./case_folding.ts";
import { codeOf, type PatternReader } from "./pattern_reader.ts";
import { negate, type Ranges, toRanges } from "../bytes/ranges.ts";
import { unicodeClass } from "./unicode_classes.ts";

const WORD: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const DIGIT: Ranges = [0x30, 0x39];

const PERL: ReadonlyMap<string, Ranges> = new Map([
  ["d", DIGIT],
  ["s", [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]], // without \v, as in Go
  ["w", WORD],
]);

const POSIX: ReadonlyMap<string, Ranges> = new Map([
  ["alnum", [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ["alpha", [0x41, 0x5a, 0x61, 0x7a]],
  ["ascii", [0x00, 0x7f]],
  ["blank", [0x09, 0x09, 0x20, 0x20]],
  ["cntrl", [0x00, 0x1f, 0x7f, 0x7f]],
  ["digit", DIGIT],
  ["graph", [0x21, 0x7e]],
  ["lower", [0x61, 0x7a]],
  ["print", [0x20, 0x7e]],
  ["punct", [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ["space", [0x09, 0x0d, 0x20, 0x20]],
  ["upper", [0x41, 0x5a]],
  ["word", WORD],
  ["xdigit", [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

/** How many numbers the sets of one pattern may have together: what a pattern costs to read is bounded by it. */
const MAX_NUMBERS = 200_000;

/** Reads the sets of one pattern, from a reader that is shared with the parser. */
export class ClassReader {
  readonly #reader: PatternReader;
  /** Negations and foldings of the same few tables are asked for again and again. */
  readonly #known = new Map<Ranges, Map<string, Ranges>>();
  #spent = 0;
  /** Set once a `[:` had no end: then no later one has, and looking for it again and again would be quadratic. */
  #noNameEnds = false;

  constructor(reader: PatternReader) {
    this.#reader = reader;
  }

  /** `\d` or `\p{…}` and the like, if one comes next. */
  escapedClass(fold: boolean): Ranges | undefined {
    if (this.#reader.peek() !== "\\") return undefined;
    const letter = this.#reader.peek(1);
    if (letter === "p" || letter === "P") return this.#unicode(fold);
    const table = PERL.get(letter.toLowerCase());
    if (table === undefined || letter.length !== 1 || !/^[dswDSW]$/.test(letter)) return undefined;
    this.#reader.at += 2;
    return this.#derive(table, { fold, negated: letter < "a" });
  }

  /** `[…]`, which comes next. */
  bracketed(fold: boolean): Ranges {
    const reader = this.#reader;
    const start = reader.at++;
    const negated = reader.skip("^");
    const list: number[] = [];
    for (let first = true; first || reader.peek() !== "]"; first = false) {
      const named = this.#posix(fold) ?? this.escapedClass(fold);
      for (const bound of named ?? this.#range(start, fold)) list.push(bound);
      this.#spend(named?.length ?? 2);
    }
    reader.at++;
    const ranges = toRanges(list);
    return negated ? negate(ranges) : ranges;
  }

  #range(start: number, fold: boolean): Ranges {
    const reader = this.#reader;
    const from = reader.at;
    const lo = this.#char(start);
    let hi = lo;
    if (reader.peek() === "-" && reader.left >= 2 && reader.peek(1) !== "]") {
      reader.at++;
      hi = this.#char(start);
      if (hi < lo) throw reader.error("invalid character class range", from);
    }
    if (!fold) return [lo, hi];
    this.#spend(Math.min(hi - lo, 3_000) / 10);
    return foldCase([lo, hi]);
  }

  #char(start: number): number {
    const reader = this.#reader;
    if (reader.done) throw reader.error("missing closing ]", start);
    return reader.peek() === "\\" ? reader.escape() : codeOf(reader.next());
  }

  /** `[:alpha:]` or `[:^alpha:]`, inside brackets. */
  #posix(fold: boolean): Ranges | undefined {
    const reader = this.#reader;
    if (this.#noNameEnds || !reader.sees("[:")) return undefined;
    const start = reader.at;
    reader.at += 2;
    const end = reader.find(":]");
    if (end < 0) {
      this.#noNameEnds = true;
      reader.at = start;
      return undefined;
    }
    const negated = reader.skip("^");
    const table = POSIX.get(reader.slice(reader.at, end));
    reader.at = end + 2;
    if (table === undefined) throw reader.error("invalid character class range", start);
    return this.#derive(table, { fold, negated });
  }

  #unicode(fold: boolean): Ranges {
    const reader = this.#reader;
    const start = reader.at;
    let negated = reader.peek(1) === "P";
    reader.at += 2;
    let name = reader.next();
    if (name === "{") {
      const end = reader.find("}");
      if (end < 0) throw reader.error("invalid character class range", start, Infinity);
      name = reader.slice(reader.at, end);
      reader.at = end + 1;
    }
    if (name.startsWith("^")) {
      negated = !negated;
      name = name.slice(1);
    }
    const table = unicodeClass(name);
    if (table === undefined) throw reader.error("invalid character class range", start);
    return this.#derive(table, { fold, negated });
  }

  #derive(table: Ranges, { fold, negated }: { fold: boolean; negated: boolean }): Ranges {
    if (!fold && !negated) return table;
    const forms = this.#known.get(table) ?? new Map<string, Ranges>();
    this.#known.set(table, forms);
    const key = `${fold} ${negated}`;
    const known = forms.get(key);
    if (known !== undefined) return known;
    const folded = fold ? foldCase(table) : table;
    const derived = negated ? negate(folded) : folded;
    forms.set(key, derived);
    return derived;
  }

  #spend(numbers: number): void {
    this.#spent += numbers;
    if (this.#spent > MAX_NUMBERS) throw this.#reader.wholeError("expression too large");
  }
}
