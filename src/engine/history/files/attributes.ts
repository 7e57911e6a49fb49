/**
 * One of git's attributes files: patterns, and the attributes of the files that match them. The last match counts.
 */
import { PaddockError } from "../../../base/errors.ts";

/** By name: set, unset or a value; unspecified if missing. */
export type Attributes = Map<string, boolean | string>;

/** Names that stand for several attributes, or for other macros. */
export type Macros = ReadonlyMap<string, readonly string[]>;

export interface AttributesFile {
  /** What the file defines. Git heeds definitions in the top folder and in `info/attributes` only. */
  readonly macros: Macros;
  /** `path` is relative to the file's folder; `macros` are those of all files. */
  apply(path: string, attributes: Attributes, macros: Macros): void;
}

interface Rule {
  matches(path: string): boolean;
  readonly words: readonly string[];
}

const NOTHING: AttributesFile = { macros: new Map(), apply: () => {} };

export const BUILT_IN_MACROS: Macros = new Map([["binary", ["-text"]]]);

export async function parseAttributes(text: string): Promise<AttributesFile> {
  if (text === "") return NOTHING;
  const macros = new Map<string, readonly string[]>();
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    const [, quoted, plain, rest = ""] = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"]\S*))\s+(.*)$/.exec(line) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (pattern === undefined) continue;
    const words = rest.split(/\s+/).filter((word) => word !== "");
    const macro = /^\[attr\](.+)$/.exec(pattern)?.[1];
    if (macro !== undefined) macros.set(macro, words);
    else rules.push({ matches: await matcherOf(pattern), words });
  }
  return {
    macros,
    apply: (path, attributes, macros) => {
      for (const { matches, words } of rules) {
        if (!matches(path)) continue;
        for (const word of expanded(words, macros)) set(attributes, word);
      }
    },
  };
}

/** A macro that leads back to itself is not expanded again. */
function* expanded(
  words: readonly string[],
  macros: Macros,
  above: readonly string[] = [],
): Generator<string> {
  for (const word of words) {
    yield word;
    const inner = above.includes(word) ? undefined : macros.get(word);
    if (inner !== undefined) yield* expanded(inner, macros, [...above, word]);
  }
}

/** A pattern that cannot be parsed matches everything: that refuses too much, never too little. */
async function matcherOf(pattern: string): Promise<Rule["matches"]> {
  const { compileGlob } = await import("../../search/walk/glob.ts"); // large, and not always needed
  const literal = pattern.replace(/[{}]/g, "\\$&"); // git has no {a,b}
  const glob = literal.includes("/") ? literal.replace(/^\//, "") : `**/${literal}`;
  try {
    const matcher = compileGlob(glob);
    return (path) => matcher.matchesText(path);
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    return () => true;
  }
}

/** `crlf` is the old name of `text`. */
function set(attributes: Attributes, word: string): void {
  const [, sign = "", given = "", value] = /^([-!]?)([^=]+)(?:=(.*))?$/.exec(word) ?? [];
  const name = given === "crlf" ? "text" : given;
  if (sign === "!") attributes.delete(name);
  else if (given === "crlf" && value === "input") attributes.set("eol", "lf");
  else attributes.set(name, sign === "-" ? false : value ?? true);
}
