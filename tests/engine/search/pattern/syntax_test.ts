// What the fixture of Go's results does not cover: limits, case folding and our own options.
import { assertEquals, assertThrows } from "@std/assert";
import { PatternError } from "../../../../src/engine/search/pattern/pattern_error.ts";
import { parsePattern } from "../../../../src/engine/search/pattern/syntax.ts";
import { compilePattern } from "../../../../src/engine/search/mod.ts";

function faultOf(pattern: string): string {
  try {
    parsePattern(pattern);
    return "none";
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function around(inner: string, before: string, { after, times }: { after: string; times: number }): string {
  return before.repeat(times) + inner + after.repeat(times);
}

// Each result is Go's own.
const NESTED: [pattern: string, refused: boolean][] = [
  [around("a", "(", { after: ")", times: 999 }), false],
  [around("a", "(", { after: ")", times: 1000 }), true],
  [around("ab", "(", { after: ")", times: 999 }), false],
  [around("ab*", "(", { after: ")", times: 997 }), false],
  [around("ab*", "(", { after: ")", times: 998 }), true],
  [around("a|b", "(", { after: ")", times: 999 }), false],
  [around("a", "(?:", { after: ")", times: 5000 }), false],
  [around("a", "(?:", { after: ")*", times: 999 }), false],
  [around("a", "(?:", { after: ")*", times: 1000 }), true],
  [around("a", "(?:", { after: ")?b", times: 499 }), false],
  [around("a", "(?:", { after: ")?b", times: 500 }), true],
];

Deno.test("parsePattern refuses to nest more deeply than Go does, and not sooner", () => {
  for (const [pattern, refused] of NESTED) {
    const fault = faultOf(pattern).slice(0, 49);
    assertEquals(fault, refused ? "error parsing regexp: expression nests too deeply" : "none", pattern);
  }
});

const TOO_LARGE: Record<string, string> = {
  "a pattern of 65,537 characters": "a".repeat(65_537),
  "a hundred thousand instructions": "a{1000}".repeat(101),
  "thousands of large classes": "[\\pL0]".repeat(8000),
  "thousands of large folded ranges": `(?i)${"[Ā-𞥂]".repeat(8000)}`,
  "thousands of overlapping ranges": Array.from(
    { length: 9000 },
    (_, i) => `[${String.fromCodePoint(0x100 + i)}-${String.fromCodePoint(0x4e00 + i)}]`,
  ).join(""),
};

for (const [what, pattern] of Object.entries(TOO_LARGE)) {
  Deno.test(`compilePattern refuses ${what} with a message that is much shorter`, () => {
    const error = assertThrows(() => compilePattern(pattern), Error, "expression too large: `");
    assertEquals(error.message.length < 1200, true);
  });
}

Deno.test("compilePattern accepts patterns that are large but not absurd", () => {
  const words = Array.from({ length: 5000 }, (_, i) => `word${i}`);
  assertEquals(compilePattern(words.join("|")).matchesText("some word4999 here"), true);
  assertEquals(compilePattern("\\pL{900}").matchesText("é".repeat(899)), false);
  assertEquals(compilePattern("\\pL{900}").matchesText("é".repeat(900)), true);
  compilePattern("a".repeat(65_536));
});

Deno.test("parsePattern finishes at once with a pattern of `[:` without an end", () => {
  assertEquals(faultOf(`[${"[:".repeat(30_000)}`).slice(0, 39), "error parsing regexp: missing closing ]");
});

const FOLDED: [pattern: string, texts: string[], others: string[]][] = [
  ["k", ["k", "K", "\u212a"], ["c", "κ"]],
  ["ſ", ["s", "S", "ſ"], ["f"]],
  ["straße", ["STRAẞE", "Straße"], ["STRASSE"]],
  ["ΣΑΣ", ["σας", "σασ"], ["σα"]],
  ["i", ["i", "I"], ["ı", "İ"]],
  ["[à-é]", ["À", "É", "ç"], ["ê"]],
  ["[^k]", ["x"], ["k", "K", "\u212a"]],
  ["\\p{Lu}", ["A", "a", "é"], ["1"]],
  ["(?-i)a", ["a"], ["A"]],
  ["(?-i:a)b", ["ab", "aB"], ["Ab"]],
];

for (const [pattern, texts, others] of FOLDED) {
  Deno.test(`compilePattern folds case in ${pattern} when asked to`, () => {
    const matcher = compilePattern(pattern, { caseInsensitive: true });
    assertEquals(texts.filter((text) => !matcher.matchesText(text)), []);
    assertEquals(others.filter((text) => matcher.matchesText(text)), []);
  });
}

Deno.test("compilePattern shows the user's own pattern, without the option, in errors", () => {
  const error = assertThrows(() => compilePattern("(a", { caseInsensitive: true }));
  assertEquals(error.message, "invalid pattern: error parsing regexp: missing closing ): `(a`");
});

Deno.test("compilePattern knows scripts of several words, with or without the underscore", () => {
  for (const name of ["Old_Italic", "olditalic", "OLD ITALIC", "Phags-Pa", "SignWriting", "Nko"]) {
    assertEquals(faultOf(`\\p{${name}}`), "none", name);
  }
  assertEquals(compilePattern("^\\p{Old_Italic}$").matchesText("\u{10300}"), true);
});

Deno.test("compilePattern reads a lone surrogate in a pattern as U+FFFD", () => {
  assertEquals(compilePattern("a\ud800b").matchesText("a\ufffdb"), true);
});
