/**
 * One of git's attributes files: patterns, and the attributes of the files that match them. The last match counts.
 */
import { PaddockError } from "../../../base/errors.ts";

/** By name: set, unset or a value; unspecified if missing. */
export type Attributes = Map<string, boolean | string>;

export interface AttributesFile {
  /** `path` is relative to the file's folder. */
  apply(path: string, attributes: Attributes): void;
}

interface Rule {
  matches(path: string): boolean;
  readonly words: readonly string[];
}

const NOTHING: AttributesFile = { apply: () => {} };

export async function parseAttributes(text: string): Promise<AttributesFile> {
  if (text === "") return NOTHING;
  const macros = new Map<string, readonly string[]>([["binary", ["-text"]]]);
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
  if (rules.length === 0) return NOTHING;
  return {
    apply: (path, attributes) => {
      for (const { matches, words } of rules) {
        if (!matches(path)) continue;
        for (const word of words.flatMap((word) => [word, ...macros.get(word) ?? []])) set(attributes, word);
      }
    },
  };
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
