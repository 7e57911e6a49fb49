/**
 * Parses Go's regular expressions (RE2's syntax) into a tree, and refuses what Go refuses, in Go's words. The
 * stack is a list of open groups, not the runtime's own: no nesting can overflow it.
 */
import {
  alternate,
  type Assertion,
  assertion,
  concat,
  group,
  type Node,
  partsOf,
  repeat,
  rune,
} from "./ast.ts";
import { foldCase } from "./case_folding.ts";
import { ClassReader } from "./char_classes.ts";
import { codeOf, PatternReader } from "./pattern_reader.ts";
import { ANY, type Ranges } from "../bytes/ranges.ts";

export interface SyntaxOptions {
  caseInsensitive?: boolean | undefined;
}

export function parsePattern(pattern: string, options: SyntaxOptions = {}): Node {
  return new Parser(pattern, options.caseInsensitive ?? false).parse();
}

const MAX_HEIGHT = 1000;
const MAX_REPEAT = 1000;
const MAX_LENGTH = 65_536;

const NOT_NEWLINE: Ranges = [0, 0x09, 0x0b, 0x10ffff];

interface Flags {
  readonly fold: boolean;
  /** Whether `.` means `\n` too. */
  readonly dotAll: boolean;
  /** Whether `^` and `$` mean lines, not the text. */
  readonly multiline: boolean;
}

/** A group that is open: what was read of it, and how to continue after it. */
interface Frame {
  readonly capturing: boolean;
  readonly outer: Flags;
  readonly done: Node[];
  items: Node[];
}

class Parser {
  readonly #reader: PatternReader;
  readonly #classes: ClassReader;
  readonly #outside: Frame[] = [];
  readonly #literals = new Map<string, Node>();
  #flags: Flags;
  #frame: Frame;
  /** Where the repetition began that was read just now; -1 when it was something else. */
  #lastRepeat = -1;

  constructor(pattern: string, fold: boolean) {
    this.#reader = new PatternReader(pattern);
    this.#classes = new ClassReader(this.#reader);
    this.#flags = { fold, dotAll: false, multiline: false };
    this.#frame = { capturing: false, outer: this.#flags, done: [], items: [] };
  }

  parse(): Node {
    const reader = this.#reader;
    if (reader.left > MAX_LENGTH) throw reader.wholeError("expression too large");
    while (!reader.done) {
      const start = reader.at;
      this.#lastRepeat = this.#term() ? start : -1;
    }
    if (this.#outside.length > 0) throw reader.wholeError("missing closing )");
    return this.#closeFrame();
  }

  /** Reads one term; true when it was a repetition. */
  #term(): boolean {
    const reader = this.#reader;
    switch (reader.peek()) {
      case "(":
        this.#openGroup();
        return false;
      case ")":
        this.#closeGroup();
        return false;
      case "|":
        reader.at++;
        this.#endAlternative();
        return false;
      case "*":
      case "+":
      case "?":
      case "{":
        return this.#repetition();
      case "^":
        return this.#assert(1, this.#flags.multiline ? "line start" : "text start");
      case "$":
        return this.#assert(1, this.#flags.multiline ? "line end" : "text end");
      case ".":
        reader.at++;
        this.#push(rune(this.#flags.dotAll ? ANY : NOT_NEWLINE));
        return false;
      case "[":
        this.#push(rune(this.#classes.bracketed(this.#flags.fold)));
        return false;
      case "\\":
        this.#backslash();
        return false;
      default:
        this.#literal(reader.next());
        return false;
    }
  }

  #push(node: Node): void {
    if (node.height > MAX_HEIGHT) throw this.#reader.wholeError("expression nests too deeply");
    this.#frame.items.push(node);
  }

  #assert(length: number, what: Assertion): false {
    this.#reader.at += length;
    this.#push(assertion(what));
    return false;
  }

  #literal(char: string): void {
    const { fold } = this.#flags;
    const key = fold ? `i${char}` : char;
    let node = this.#literals.get(key);
    if (node === undefined) {
      const code = codeOf(char);
      node = rune(fold ? foldCase([code, code]) : [code, code], true);
      this.#literals.set(key, node);
    }
    this.#push(node);
  }

  #backslash(): void {
    const reader = this.#reader;
    switch (reader.peek(1)) {
      case "A":
        this.#assert(2, "text start");
        return;
      case "z":
        this.#assert(2, "text end");
        return;
      case "b":
        this.#assert(2, "word boundary");
        return;
      case "B":
        this.#assert(2, "no word boundary");
        return;
      case "C":
        throw reader.error("invalid escape sequence", reader.at, reader.at + 2);
      case "Q":
        this.#quoted();
        return;
    }
    const ranges = this.#classes.escapedClass(this.#flags.fold);
    if (ranges !== undefined) this.#push(rune(ranges));
    else this.#literal(String.fromCodePoint(reader.escape()));
  }

  /** `\Q…\E`: all between them is literal; the end of the pattern ends it too. */
  #quoted(): void {
    const reader = this.#reader;
    reader.at += 2;
    const end = reader.find("\\E");
    const length = end < 0 ? reader.left : end - reader.at;
    for (let i = 0; i < length; i++) this.#literal(reader.next());
    reader.skip("\\E");
  }

  #repetition(): boolean {
    const reader = this.#reader;
    const start = reader.at;
    const counts = this.#counts();
    if (counts === undefined) {
      reader.at = start;
      this.#literal(reader.next()); // a brace that is not a repetition means itself
      return false;
    }
    reader.skip("?");
    if (this.#lastRepeat >= 0) throw reader.error("invalid nested repetition operator", this.#lastRepeat);
    const part = this.#frame.items.pop();
    if (part === undefined) throw reader.error("missing argument to repetition operator", start);
    const node = repeat(part, counts);
    this.#push(node);
    if (counts.counted && (counts.min >= 2 || counts.max >= 2) && !isAffordable(node, MAX_REPEAT)) {
      throw reader.error("invalid repeat count", start);
    }
    return true;
  }

  #counts(): { min: number; max: number; counted: boolean } | undefined {
    const reader = this.#reader;
    const start = reader.at;
    switch (reader.next()) {
      case "*":
        return { min: 0, max: Infinity, counted: false };
      case "+":
        return { min: 1, max: Infinity, counted: false };
      case "?":
        return { min: 0, max: 1, counted: false };
    }
    const min = this.#integer();
    if (min === undefined) return undefined;
    let max: number | undefined = min;
    if (reader.skip(",")) max = reader.peek() === "}" ? Infinity : this.#integer();
    if (max === undefined || !reader.skip("}")) return undefined;
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max < Infinity) || min > max) {
      throw reader.error("invalid repeat count", start);
    }
    return { min, max, counted: true };
  }

  /** A decimal number without leading zeros. */
  #integer(): number | undefined {
    const reader = this.#reader;
    const start = reader.at;
    while (isDigit(reader.peek())) reader.at++;
    const digits = reader.slice(start);
    if (digits === "" || (digits.length > 1 && digits.startsWith("0"))) return undefined;
    return digits.length > 8 ? 1e8 : Number(digits);
  }

  #openGroup(): void {
    const reader = this.#reader;
    if (reader.peek(1) !== "?") {
      reader.at++;
      this.#openFrame(true);
    } else if ((reader.left > 4 && reader.sees("(?P<")) || (reader.left > 3 && reader.sees("(?<"))) {
      this.#groupName();
      this.#openFrame(true);
    } else {
      this.#groupFlags();
    }
  }

  #groupName(): void {
    const reader = this.#reader;
    const start = reader.at;
    reader.at += reader.peek(2) === "P" ? 4 : 3;
    const end = reader.find(">");
    if (end < 0) throw reader.error("invalid named capture", start, Infinity);
    const name = reader.slice(reader.at, end);
    reader.at = end + 1;
    if (!/^[A-Za-z0-9_]+$/.test(name)) throw reader.error("invalid named capture", start);
  }

  /** `(?i)`, which lasts to the end of the group it is in, or `(?i:`, which opens one. */
  #groupFlags(): void {
    const reader = this.#reader;
    const start = reader.at;
    reader.at += 2;
    let on = true;
    let sawFlag = false;
    let flags = this.#flags;
    while (!reader.done) {
      const char = reader.next();
      if (char === "i" || char === "m" || char === "s" || char === "U") {
        if (char === "i") flags = { ...flags, fold: on };
        if (char === "m") flags = { ...flags, multiline: on };
        if (char === "s") flags = { ...flags, dotAll: on };
        sawFlag = true;
      } else if (char === "-" && on) {
        on = false;
        sawFlag = false;
      } else if ((char === ":" || char === ")") && (on || sawFlag)) {
        if (char === ":") this.#openFrame(false);
        this.#flags = flags;
        return;
      } else {
        break;
      }
    }
    throw reader.error("invalid or unsupported Perl syntax", start);
  }

  #openFrame(capturing: boolean): void {
    this.#outside.push(this.#frame);
    this.#frame = { capturing, outer: this.#flags, done: [], items: [] };
  }

  #endAlternative(): void {
    this.#frame.done.push(concat(this.#frame.items));
    this.#frame.items = [];
  }

  #closeFrame(): Node {
    this.#endAlternative();
    const node = alternate(this.#frame.done);
    if (node.height > MAX_HEIGHT) throw this.#reader.wholeError("expression nests too deeply");
    return node;
  }

  #closeGroup(): void {
    const above = this.#outside.pop();
    if (above === undefined) throw this.#reader.wholeError("unexpected )");
    const node = this.#closeFrame();
    const { capturing, outer } = this.#frame;
    this.#reader.at++;
    this.#frame = above;
    this.#flags = outer;
    this.#push(capturing ? group(node) : node);
  }
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char.length === 1;
}

/** Whether nested counted repetitions come to at most this many copies of the innermost part. */
function isAffordable(node: Node, copies: number): boolean {
  let left = copies;
  if (node.kind === "repeat" && node.counted) {
    if (node.max === 0) return true;
    const times = node.max === Infinity ? node.min : node.max;
    if (times > left) return false;
    if (times > 0) left = Math.floor(left / times);
  }
  switch (node.kind) {
    case "group":
    case "repeat":
      return isAffordable(node.part, left);
    case "concat":
    case "alternate":
      return partsOf(node).every((part) => isAffordable(part, left));
    default:
      return true;
  }
}
