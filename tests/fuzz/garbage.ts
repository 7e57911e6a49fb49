/** Random values, texts, patterns and patches: some plausible, some hostile, some nonsense. */
import type { Random } from "../support/random.ts";

const WORDS = [
  "a.txt",
  "folder",
  "folder/b.txt",
  "größe/日本.md",
  "link",
  "out",
  "x",
  "",
  ".",
  "/",
  "..",
  ".git/config",
];
const HOSTILE = [
  "../../etc/passwd",
  "/etc/passwd",
  "out/secret.txt",
  "a\0b",
  "a\nb",
  "\u001b[31m",
  "\u202e",
  "\ud800",
  "-rf",
  "$(id)",
  "%2e%2e/",
  "..\\x",
  "CON",
  "a".repeat(300),
  "a/".repeat(60),
  ".paddock-0a.tmp",
  "__proto__",
  "constructor",
];

export function text(random: Random): string {
  const kind = random.below(10);
  if (kind < 5) return random.pick(WORDS);
  if (kind < 8) return random.pick(HOSTILE);
  const length = random.next() < 0.05 ? random.below(100_000) : random.below(20);
  return Array.from({ length }, () => character(random)).join("");
}

function character(random: Random): string {
  const kind = random.below(8);
  if (kind < 5) return String.fromCharCode(32 + random.below(95));
  if (kind < 6) return String.fromCharCode(random.below(32));
  return String.fromCharCode(random.below(0x10000)); // including lone surrogates
}

export function json(random: Random, depth = 0): unknown {
  switch (random.below(depth > 4 ? 6 : 8)) {
    case 0:
      return null;
    case 1:
      return random.next() < 0.5;
    case 2:
      return random.pick([0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, random.below(100)]);
    case 6:
      return Array.from({ length: random.below(4) }, () => json(random, depth + 1));
    case 7:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [text(random), json(random, depth + 1)]),
      );
    default:
      return text(random);
  }
}

const ATOMS = [
  "a",
  "b",
  ".",
  "\\d",
  "\\w",
  "\\b",
  "^",
  "$",
  "[a-z]",
  "[^x]",
  "\\p{L}",
  "(?i)",
  "é",
  "\\x{1F600}",
  "\\",
  "[",
  "(",
  "*",
];
const REPEATS = ["*", "+", "?", "*?", "{2}", "{1,3}", "{0,}", "{1000}", "{999,1000}", "{1001}"];

/** A regular expression, mostly a valid one. */
export function pattern(random: Random, depth = 0): string {
  const parts = Array.from({ length: 1 + random.below(4) }, () => {
    const atom = depth < 4 && random.next() < 0.3
      ? `(${random.pick(["", "?:", "?P<n>", "?i:"])}${pattern(random, depth + 1)})`
      : random.pick(ATOMS);
    return random.next() < 0.4 ? atom + random.pick(REPEATS) : atom;
  });
  return parts.join(random.next() < 0.2 ? "|" : "");
}

export function glob(random: Random): string {
  const parts = ["*", "**", "?", "[a-z]", "{a,b}", "/", "a", ".txt", "[", "{", "\\", "[!a]", "{a,{b,c}}"];
  return Array.from({ length: 1 + random.below(8) }, () => random.pick(parts)).join("");
}

export function patch(random: Random): string {
  const number = () => random.pick([0, 1, 2, 5, 999_999_999, -1]);
  const lines = [
    () => "--- a/a.txt",
    () => "+++ b/a.txt",
    () => `@@ -${number()},${number()} +${number()},${number()} @@`,
    () => "@@ -1 +1 @@",
    () => `-${random.pick(["one", "two", text(random)])}`,
    () => `+${text(random)}`,
    () => ` ${random.pick(["one", "two"])}`,
    () => "\\ No newline at end of file",
    () => "diff --git a/a.txt b/a.txt",
    () => text(random),
  ];
  const head = random.next() < 0.7 ? ["--- a/a.txt", "+++ b/a.txt"] : [];
  return [...head, ...Array.from({ length: random.below(12) }, () => random.pick(lines)())].join(
    random.pick(["\n", "\n", "\r\n"]),
  );
}

/** A text with a few of its characters lost, doubled or replaced; a single line unless its lines are kept. */
export function damaged(
  random: Random,
  whole: string,
  lines: "one line" | "lines stay" = "one line",
): string {
  let result = whole;
  for (let i = 1 + random.below(4); i > 0; i--) {
    const at = random.below(result.length + 1);
    const cut = random.pick([0, 1, 1, random.below(20)]);
    const put = random.pick(["", character(random), result.slice(at, at + random.below(30)), '"', "{", "]"]);
    result = result.slice(0, at) + put + result.slice(at + cut);
  }
  return lines === "one line" ? result.replaceAll("\n", " ") : result;
}

/** Bytes with a few lost, doubled or replaced. */
export function damagedBytes(random: Random, whole: Uint8Array): Uint8Array {
  let result = [...whole];
  for (let i = random.below(5); i > 0; i--) {
    const at = random.below(result.length + 1);
    const put = random.pick([
      [],
      [random.below(256)],
      [255, 255, 255, 255],
      result.slice(at, at + random.below(30)),
    ]);
    result = [...result.slice(0, at), ...put, ...result.slice(at + random.pick([0, 1, put.length]))];
  }
  return Uint8Array.from(result);
}
