/** Reading a pattern one code point at a time, and the parts of the syntax that stand for single ones. */
import { PatternError, type PatternFault } from "./pattern_error.ts";
import { MAX_RUNE } from "../bytes/ranges.ts";

const CONTROL: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

export class PatternReader {
  /** One string per code point; a lone surrogate is read as U+FFFD. */
  readonly #chars: readonly string[];
  /** Index of the code point that is read next. */
  at = 0;

  constructor(readonly pattern: string) {
    this.#chars = Array.from(pattern.toWellFormed());
  }

  get done(): boolean {
    return this.at >= this.#chars.length;
  }

  /** How many code points are left. */
  get left(): number {
    return this.#chars.length - this.at;
  }

  /** A code point ahead; empty past the end. */
  peek(ahead = 0): string {
    return this.#chars[this.at + ahead] ?? "";
  }

  next(): string {
    return this.#chars[this.at++] ?? "";
  }

  /** Whether the text comes next; if so, it is read. */
  skip(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Whether the text, which is ASCII, comes next. */
  sees(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.peek(i) !== text[i]) return false;
    return true;
  }

  /** The index of a text from here on, or -1. The text is ASCII. */
  find(text: string): number {
    const [first = ""] = text;
    for (let i = this.#chars.indexOf(first, this.at); i >= 0; i = this.#chars.indexOf(first, i + 1)) {
      if (text === first || this.#chars[i + 1] === text[1]) return i;
    }
    return -1;
  }

  slice(from: number, to = this.at): string {
    return this.#chars.slice(from, to).join("");
  }

  /** An error about what lies between `from` and `to`, or where the reader stands. */
  error(fault: PatternFault, from: number, to = this.at): PatternError {
    return new PatternError(fault, this.slice(from, Math.min(to, this.#chars.length)));
  }

  /** An error about the pattern as a whole. */
  wholeError(fault: PatternFault): PatternError {
    return new PatternError(fault, this.pattern);
  }

  /** A backslash and what belongs to it, as one code point. */
  escape(): number {
    const start = this.at++;
    if (this.done) throw new PatternError("trailing backslash at end of expression", "");
    const char = this.next();
    const value = isOctal(char)
      ? this.#octal(char)
      : char === "x"
      ? this.#hex()
      : CONTROL[char] ?? (isPunctuation(char) ? codeOf(char) : undefined);
    if (value === undefined) throw this.error("invalid escape sequence", start);
    return value;
  }

  /** Up to three digits. One alone, other than 0, would be a reference to a group. */
  #octal(first: string): number | undefined {
    if (first !== "0" && !isOctal(this.peek())) return undefined;
    let value = Number(first);
    for (let i = 1; i < 3 && isOctal(this.peek()); i++) value = value * 8 + Number(this.next());
    return value;
  }

  /** Two digits, or any number of them in braces. */
  #hex(): number | undefined {
    if (this.done) return undefined;
    const first = this.next();
    if (first !== "{") {
      const second = this.next();
      return isHex(first) && isHex(second) ? parseInt(first + second, 16) : undefined;
    }
    let value: number | undefined;
    while (!this.done) {
      const char = this.next();
      if (char === "}") return value;
      if (!isHex(char)) return undefined;
      value = (value ?? 0) * 16 + parseInt(char, 16);
      if (value > MAX_RUNE) return undefined;
    }
    return undefined;
  }
}

export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function isOctal(char: string): boolean {
  return char.length === 1 && char >= "0" && char <= "7";
}

function isHex(char: string): boolean {
  return /^[0-9A-Fa-f]$/.test(char);
}

/** What can be escaped to mean itself: ASCII that is neither a letter nor a digit. */
function isPunctuation(char: string): boolean {
  return /^[^0-9A-Za-z\x80-\u{10ffff}]$/u.test(char);
}
