/**
 * Globs, compiled to the same automaton as regular expressions: `*` and `?` within a name, `[a-z]`, `[!x]` and
 * `[^x]`, `{a,b}` (also nested), `**` as a whole segment for any number of folders, and `\` before what is meant
 * literally. They match whole paths, with `/` between names, and are case-sensitive. A name that begins
 * with a dot is a name like any other. A slash at the end means folders only.
 */
import { PaddockError } from "../../../base/errors.ts";
import { alternate, assertion, concat, type Node, repeat, rune } from "../pattern/ast.ts";
import { compileNode, type Matcher } from "../pattern/matcher.ts";
import { PatternError } from "../pattern/pattern_error.ts";
import { ANY, negate, type Ranges, toRanges } from "../bytes/ranges.ts";
import { type GlobToken, readGlob } from "./glob_reader.ts";

/** Whether a glob is about folders only. */
export function isFolderGlob(glob: string): boolean {
  return glob.endsWith("/");
}

/** A matcher for paths relative to the folder that is searched; see `isFolderGlob` for a slash at its end. */
export function compileGlob(glob: string): Matcher {
  const tokens = readGlob(glob);
  const body = sequence(tokens, { startsSegment: true, endsGlob: true });
  try {
    return compileNode(concat([assertion("text start"), body, assertion("text end")]), { pattern: glob });
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new PaddockError("INVALID_INPUT", `invalid glob: ${error.message}`, { cause: error });
  }
}

/** What everything that a glob matches ends with: comparing that is faster than matching. */
export function globTail(glob: string): string {
  let tail = "";
  for (const token of readGlob(glob).toReversed()) {
    if (token.kind !== "literal") break;
    tail = String.fromCodePoint(token.rune) + tail;
  }
  return tail;
}

const SLASH_RANGES: Ranges = [0x2f, 0x2f];
const NOT_SLASH: Ranges = negate(SLASH_RANGES);
const UNBOUNDED = { min: 0, max: Infinity };

const SLASH = rune(SLASH_RANGES);
const ANYTHING = repeat(rune(ANY), UNBOUNDED);
const WITHIN_NAME = repeat(rune(NOT_SLASH), UNBOUNDED);

interface Surroundings {
  /** Whether it begins where a name begins. */
  startsSegment: boolean;
  /** Whether nothing comes after it. */
  endsGlob: boolean;
}

function sequence(tokens: readonly GlobToken[], { startsSegment, endsGlob }: Surroundings): Node {
  const parts: Node[] = [];
  let atStart = startsSegment;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    const next = tokens[i + 1];
    const isLast = next === undefined && endsGlob;
    switch (token.kind) {
      case "slash":
        if (isFinalDoubleStar(tokens, i + 1, endsGlob)) { // a/** includes a itself
          parts.push(optional(concat([SLASH, ANYTHING])));
          return concat(parts);
        }
        parts.push(SLASH);
        break;
      case "stars":
        if (token.count !== 2 || !atStart || !(isLast || next?.kind === "slash")) parts.push(WITHIN_NAME);
        else if (isLast) parts.push(ANYTHING);
        else {
          parts.push(optional(concat([ANYTHING, SLASH])));
          i++; // with the slash, which goes when there are no folders
          continue;
        }
        break;
      case "any":
        parts.push(rune(NOT_SLASH));
        break;
      case "set":
        parts.push(rune(withoutSlash(token.negated ? negate(toRanges(token.list)) : toRanges(token.list))));
        break;
      case "literal":
        parts.push(rune([token.rune, token.rune], true));
        break;
      case "choice": {
        // A ** at the end of an alternative takes the slash after the braces as its own.
        const takesSlash = next?.kind === "slash" && endsInDoubleStar(token);
        const options = takesSlash ? token.options.map((option) => [...option, next]) : token.options;
        if (takesSlash) i++;
        const inner = {
          startsSegment: atStart,
          endsGlob: takesSlash ? tokens[i + 1] === undefined && endsGlob : isLast,
        };
        parts.push(alternate(options.map((option) => sequence(option, inner))));
        atStart = options.every((option) => endsSegment(option, atStart));
        continue;
      }
    }
    atStart = token.kind === "slash";
  }
  return concat(parts);
}

function optional(node: Node): Node {
  return repeat(node, { min: 0, max: 1 });
}

function withoutSlash(ranges: Ranges): Ranges {
  return negate(toRanges([...negate(ranges), ...SLASH_RANGES]));
}

function isFinalDoubleStar(tokens: readonly GlobToken[], index: number, endsGlob: boolean): boolean {
  const token = tokens[index];
  return endsGlob && index === tokens.length - 1 && token?.kind === "stars" && token.count === 2;
}

function endsInDoubleStar(token: GlobToken | undefined): boolean {
  if (token?.kind === "stars") return token.count === 2;
  return token?.kind === "choice" && token.options.some((option) => endsInDoubleStar(option.at(-1)));
}

/** Whether a name begins right after the tokens. */
function endsSegment(tokens: readonly GlobToken[], startsSegment: boolean): boolean {
  const last = tokens.at(-1);
  if (last === undefined) return startsSegment;
  return last.kind === "slash" ||
    (last.kind === "choice" && last.options.every((o) => endsSegment(o, false)));
}
