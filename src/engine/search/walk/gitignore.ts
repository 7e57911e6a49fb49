/**
 * What a `.gitignore` says about the entries of its folder and all below it. Its patterns become globs, and so run in
 * linear time like all others; neighbours that mean the same are merged into one, so that a long file costs
 * little more than a short one.
 */
import { PaddockError } from "../../../base/errors.ts";
import { compileGlob } from "./glob.ts";
import type { Matcher } from "../pattern/matcher.ts";

/** Awaited whenever others should have a turn; false when the time is up. */
type Step = () => Promise<boolean>;

export interface EntryOptions {
  isDirectory: boolean;
  step: Step;
}

/** Patterns that follow one another and differ in nothing but what they match. */
interface Rules {
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
  readonly globs: string[];
}

const MAX_GLOB = 2_000;

export class Gitignore {
  /** The last one that matches decides. */
  readonly #rules: (Rules & { matchers?: Matcher[] })[] = [];

  constructor(text: string) {
    for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) this.#add(line);
    this.#rules.reverse();
  }

  /** Whether an entry is ignored, by its path from this folder; undefined if nothing is said about it. */
  async ignores(path: string, { isDirectory, step }: EntryOptions): Promise<boolean | undefined> {
    for (const rules of this.#rules) {
      if (rules.foldersOnly && !isDirectory) continue;
      for (const matcher of rules.matchers ??= compile(rules.globs)) {
        if (await matcher.matchesTextInTime(path, step)) return rules.ignores;
      }
    }
    return undefined;
  }

  #add(line: string): void {
    const rule = readLine(line);
    if (rule === undefined) return;
    const { ignores, foldersOnly, glob } = rule;
    const last = this.#rules.at(-1);
    const fits = last?.ignores === ignores && last.foldersOnly === foldersOnly &&
      last.globs.reduce((sum, { length }) => sum + length + 1, glob.length) < MAX_GLOB;
    if (fits) last?.globs.push(glob);
    else this.#rules.push({ ignores, foldersOnly, globs: [glob] });
  }
}

/** An invalid pattern, such as one with an open bracket, matches nothing, as with git. */
function compile(globs: readonly string[]): Matcher[] {
  const each = globs.map((glob) => ({ glob, matcher: tryCompile(glob) }));
  const valid = each.flatMap(({ glob, matcher }) => matcher === undefined ? [] : [{ glob, matcher }]);
  const all = valid.length < 2 ? undefined : tryCompile(`{${valid.map(({ glob }) => glob).join(",")}}`);
  return all === undefined ? valid.map(({ matcher }) => matcher) : [all];
}

function tryCompile(glob: string): Matcher | undefined {
  try {
    return compileGlob(glob);
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}

function readLine(line: string): { ignores: boolean; foldersOnly: boolean; glob: string } | undefined {
  let pattern = withoutSpaces(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const ignores = !pattern.startsWith("!");
  if (!ignores) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  // A slash at the beginning or in the middle ties it to this folder; without one it is a name at any depth.
  const isTied = pattern.includes("/");
  pattern = pattern.replace(/^\//, "").replace(/\/\*\*$/, "/**/*"); // all in a folder, not the folder
  return { ignores, foldersOnly, glob: (isTied ? "" : "**/") + toGlob(pattern) };
}

/** Without spaces at the end, unless one is escaped. Not by a RegExp, whose time for this is quadratic. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && " \t".includes(line.charAt(end - 1)) && line.charAt(end - 2) !== "\\") end--;
  return line.slice(0, end);
}

/** Braces and commas mean themselves here, and sets can have classes with names. */
function toGlob(pattern: string): string {
  return pattern
    .replace(/\[:([a-z]+):\]/g, (whole, name: string) => CLASSES[name] ?? whole)
    .replace(/\\.|[{},]/gs, (found) => found.startsWith("\\") ? found : `\\${found}`);
}

const CLASSES: Record<string, string> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \t",
  digit: "0-9",
  lower: "a-z",
  space: " \t\v\f",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};
