/**
 * Globs as the official server's users write them, which are minimatch's, run by the engine's own matcher, whose
 * time is linear in the length of a path, whatever the pattern. They match whole paths relative to the searched
 * folder; names that begin with a dot are names like any other.
 */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../engine/fence.ts";
import type { Matcher } from "../../engine/search/mod.ts";
import { Pace } from "../../engine/yield.ts";
import { expandBraces } from "../../text/braces.ts";

/** Whether a path, relative to the searched folder, matches. */
export type Matches = (path: string) => boolean;

export async function compileClassicGlob(pattern: string): Promise<Matches> {
  const { compileGlob } = await import("../../engine/search/mod.ts"); // large, and not always needed
  if (pattern.startsWith("#")) return () => false; // a comment
  if (pattern.length > LONGEST) throw refused(pattern, `it is longer than ${LONGEST} characters`);
  const [, marks = ""] = /^(!*)/.exec(pattern) ?? [];
  const isNegated = marks.length % 2 === 1;
  const globs = expandBraces(pattern.slice(marks.length));
  if (globs === undefined) throw refused(pattern, "it expands to too many patterns");
  const matchers: Matcher[] = globs.flatMap((glob) => {
    const plain = plainGlob(glob, pattern);
    return plain === undefined ? [] : [compileGlob(plain)];
  });
  return (path) => matchers.some((matcher) => matcher.matchesText(path)) !== isNegated;
}

/** As for the engine's own globs. */
const LONGEST = 16_384;

/** Whether a path matches any of several patterns. */
export async function compileClassicGlobs(patterns: readonly string[]): Promise<Matches> {
  const all: Matches[] = [];
  const pace = new Pace(undefined);
  for (const pattern of patterns) {
    all.push(await compileClassicGlob(pattern));
    await pace.step();
  }
  return (path) => all.some((matches) => matches(path));
}

/** The same in the engine's syntax, without braces; undefined for what no relative path can match. */
function plainGlob(glob: string, pattern: string): string | undefined {
  if (/[?*+@!]\(/.test(glob.replace(/\\./g, ""))) {
    throw refused(pattern, "patterns of the form +(a|b) are not supported; use {a,b}");
  }
  if (/\[[^\]]*\[:/.test(glob)) {
    throw refused(pattern, "classes of the form [[:alpha:]] are not supported; use [a-z]");
  }
  const path = glob.replace(/\/+/g, "/");
  if (path === "" || /^\.?\/|\/$/.test(path)) return undefined;
  const literal = path.replace(/\\(.)|[{}]/gs, (all) => all.length === 1 ? `\\${all}` : all);
  return withOpenBrackets(literal)
    .replace(/(^|\/)\*\*\/(?:\*\*\/)+/g, "$1**/")
    .replace(/\/\*\*$/, "/**/*"); // what is in a folder, but not the folder
}

/** A bracket that is not closed stands for itself. */
function withOpenBrackets(glob: string): string {
  return glob.replace(
    /\\.|\[[!^]?(?:\\.|[^\\/])(?:\\.|[^\]\\/])*\]|\[/gs,
    (part) => part === "[" ? "\\[" : part,
  )
    .replace(/\\$/, (end, at: number, all: string) => all[at - 1] === "\\" ? end : "\\\\");
}

function refused(pattern: string, why: string): PaddockError {
  return new PaddockError("INVALID_INPUT", `Invalid pattern ${quote(pattern)}: ${why}`);
}
