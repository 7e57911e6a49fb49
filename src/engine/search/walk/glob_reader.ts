/** Reads a glob into tokens, with braces as trees of them, and refuses what is incomplete. */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";

export type GlobToken =
  | { readonly kind: "literal"; readonly rune: number }
  | { readonly kind: "slash" }
  /** `?` */
  | { readonly kind: "any" }
  | { readonly kind: "stars"; readonly count: number }
  | { readonly kind: "set"; readonly list: readonly number[]; readonly negated: boolean }
  | { readonly kind: "choice"; readonly options: readonly (readonly GlobToken[])[] };

const MAX_LENGTH = 16_384;
/** Braces inside braces; nobody writes more than three. */
const MAX_DEPTH = 50;

export function readGlob(glob: string): GlobToken[] {
  return new GlobReader(glob).read();
}

class GlobReader {
  readonly #glob: string;
  readonly #chars: readonly string[];
  #at = 0;

  constructor(glob: string) {
    this.#glob = glob;
    if (glob.length > MAX_LENGTH) throw this.#error(`longer than ${MAX_LENGTH} characters`);
    this.#chars = Array.from(glob.toWellFormed());
  }

  /**
   * `./src` and `/src` mean what `src` means: paths are relative to the folder that is searched. So does `src/`
   * here: paths have no slash at the end, and the caller knows which are folders.
   */
  read(): GlobToken[] {
    for (;;) {
      if (this.#chars[this.#at] === "/") this.#at++;
      else if (this.#chars[this.#at] === "." && this.#chars[this.#at + 1] === "/") this.#at += 2;
      else break;
    }
    const tokens = this.#sequence(0);
    while (tokens.at(-1)?.kind === "slash") tokens.pop();
    return tokens;
  }

  #error(what: string): PaddockError {
    return new PaddockError("INVALID_INPUT", `invalid glob: ${what}: ${quote(this.#glob)}`);
  }

  /** Tokens up to the end or, inside braces, up to a comma or the closing brace, which is not consumed. */
  #sequence(depth: number): GlobToken[] {
    const tokens: GlobToken[] = [];
    while (this.#at < this.#chars.length) {
      const char = this.#chars[this.#at] ?? "";
      if (depth > 0 && (char === "," || char === "}")) break;
      this.#at++;
      tokens.push(this.#token(char, depth));
    }
    return tokens;
  }

  #token(char: string, depth: number): GlobToken {
    switch (char) {
      case "/":
        return { kind: "slash" };
      case "?":
        return { kind: "any" };
      case "*":
        return this.#stars();
      case "[":
        return this.#set();
      case "{":
        return this.#choice(depth + 1);
      case "\\":
        return { kind: "literal", rune: this.#escaped() };
      default:
        return { kind: "literal", rune: char.codePointAt(0) ?? 0 };
    }
  }

  #stars(): GlobToken {
    let count = 1;
    for (; this.#chars[this.#at] === "*"; this.#at++) count++;
    return { kind: "stars", count };
  }

  #escaped(): number {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw this.#error("nothing follows the \\ at the end");
    return char.codePointAt(0) ?? 0;
  }

  /** `[…]`. A bracket that comes first means itself, as does a hyphen at either end. */
  #set(): GlobToken {
    const negated = this.#chars[this.#at] === "!" || this.#chars[this.#at] === "^";
    if (negated) this.#at++;
    const list: number[] = [];
    for (let first = true; first || this.#chars[this.#at] !== "]"; first = false) {
      const lo = this.#setMember();
      let hi = lo;
      const behind = this.#chars[this.#at + 1];
      if (this.#chars[this.#at] === "-" && behind !== undefined && behind !== "]") {
        this.#at++;
        hi = this.#setMember();
      }
      if (hi < lo) throw this.#error("a range in [ ] runs backwards");
      list.push(lo, hi);
    }
    this.#at++;
    return { kind: "set", list, negated };
  }

  #setMember(): number {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw this.#error("missing closing ]");
    return char === "\\" ? this.#escaped() : char.codePointAt(0) ?? 0;
  }

  #choice(depth: number): GlobToken {
    if (depth > MAX_DEPTH) throw this.#error("braces nest too deeply");
    const options: GlobToken[][] = [];
    for (;;) {
      options.push(this.#sequence(depth));
      const end = this.#chars[this.#at++];
      if (end === undefined) throw this.#error("missing closing }");
      if (end === "}") return { kind: "choice", options };
    }
  }
}
