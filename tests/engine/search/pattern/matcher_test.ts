import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Node } from "../../../../src/engine/search/pattern/ast.ts";
import { Dfa } from "../../../../src/engine/search/pattern/dfa.ts";
import { compilePattern, type Matcher } from "../../../../src/engine/search/mod.ts";
import { compileProgram } from "../../../../src/engine/search/pattern/program.ts";
import { includes } from "../../../../src/engine/search/bytes/ranges.ts";
import { parsePattern } from "../../../../src/engine/search/pattern/syntax.ts";
import { anyPattern, anyText } from "../any_pattern.ts";
import { hardLine } from "../support.ts";

/**
 * All places where a match of the node that begins at `at` can end: the definition of a pattern, implemented
 * literally.
 */
function endsOf(node: Node, at: number, text: readonly number[]): Set<number> {
  switch (node.kind) {
    case "empty":
      return new Set([at]);
    case "rune": {
      const rune = text[at];
      return new Set(rune !== undefined && includes(node.ranges, rune) ? [at + 1] : []);
    }
    case "assertion":
      return new Set(holds(node.what, at, text) ? [at] : []);
    case "group":
      return endsOf(node.part, at, text);
    case "alternate":
      return new Set(node.parts.flatMap((part) => [...endsOf(part, at, text)]));
    case "concat":
      return node.parts.reduce(
        (places, part) => new Set([...places].flatMap((place) => [...endsOf(part, place, text)])),
        new Set([at]),
      );
    case "repeat": {
      let places = new Set([at]);
      const found = new Set(node.min === 0 ? [at] : []);
      // More rounds than code points would only repeat.
      for (let round = 1; round <= Math.min(node.max, node.min + text.length); round++) {
        places = new Set([...places].flatMap((place) => [...endsOf(node.part, place, text)]));
        if (round >= node.min) { for (const place of places) found.add(place); }
      }
      return found;
    }
  }
}

function holds(what: (Node & { kind: "assertion" })["what"], at: number, text: readonly number[]): boolean {
  const isWord = (rune: number | undefined) =>
    rune !== undefined && /^[0-9A-Za-z_]$/.test(String.fromCodePoint(rune));
  switch (what) {
    case "text start":
      return at === 0;
    case "text end":
      return at === text.length;
    case "line start":
      return at === 0 || text[at - 1] === 0x0a;
    case "line end":
      return at === text.length || text[at] === 0x0a;
    case "word boundary":
      return isWord(text[at - 1]) !== isWord(text[at]);
    case "no word boundary":
      return isWord(text[at - 1]) === isWord(text[at]);
  }
}

/** The text as Go reads it: every byte that is not part of a valid code point is one U+FFFD. */
function runesOf(bytes: Uint8Array): number[] {
  const runes: number[] = [];
  for (let i = 0; i < bytes.length;) {
    const length = [1, 2, 3, 4].find((n) => i + n <= bytes.length && isOneRune(bytes.subarray(i, i + n)));
    runes.push(
      length === undefined
        ? 0xfffd
        : new TextDecoder().decode(bytes.subarray(i, i + length)).codePointAt(0) ?? 0,
    );
    i += length ?? 1;
  }
  return runes;
}

function isOneRune(bytes: Uint8Array): boolean {
  try {
    return [...new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)].length === 1;
  } catch {
    return false;
  }
}

function matchInPieces(matcher: Matcher | Dfa, bytes: Uint8Array, cuts: readonly number[]): boolean {
  matcher.begin();
  let from = 0;
  for (const cut of [...cuts.map((c) => c % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    // A piece in its own buffer: nothing after its end may be read.
    const buffer = bytes.slice(from, cut);
    while (matcher.feed(buffer, 0, buffer.length) < buffer.length) matcher.rest();
    from = cut;
  }
  return matcher.end();
}

Deno.test("Matcher agrees with the literal definition of a pattern, for any text and however it is cut", () => {
  fc.assert(
    fc.property(anyPattern, anyText, fc.array(fc.nat(20), { maxLength: 3 }), (pattern, bytes, cuts) => {
      const text = runesOf(bytes);
      const node = parsePattern(pattern);
      const expected = Array.from({ length: text.length + 1 }, (_, at) => at)
        .some((at) => endsOf(node, at, text).size > 0);
      const matcher = compilePattern(pattern);
      assertEquals(matcher.matchesLine(bytes, 0, bytes.length), expected);
      assertEquals(matchInPieces(matcher, bytes, cuts), expected);
      // With room for only a state or two, everything is dropped all the time.
      assertEquals(matchInPieces(new Dfa(compileProgram(node, pattern), 1), bytes, cuts), expected);
    }),
    { numRuns: 500 },
  );
});

Deno.test("Matcher reads only the bytes it is given", () => {
  const bytes = new TextEncoder().encode("xxabcxx");
  const matcher = compilePattern("^abc$");
  assertEquals(matcher.matchesLine(bytes, 2, 5), true);
  assertEquals(matcher.matchesLine(bytes, 0, 7), false);
  assertEquals(matcher.matchesLine(bytes, 2, 6), false);
});

const HARD: [pattern: string, line: string, matches: boolean][] = [
  ["(a+)+$", `${"a".repeat(100_000)}b`, false],
  ["(a|aa)+$", `${"a".repeat(100_000)}b`, false],
  ["(.*)*x", "a".repeat(100_000), false],
  ["(a*)*(a*)*b", "a".repeat(100_000), false],
  ["(x+x+)+y", "x".repeat(100_000), false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000), false],
  ["(?:a?){500}a{500}", "a".repeat(100_000), true],
  ["a.{999}b$", "a".repeat(100_000), false],
  ["(a|b)*a(a|b){999}$", "ab".repeat(50_000), true],
  ["(?i)\\pL{900}1", "é".repeat(20_000), false],
  [`${"(".repeat(490)}a${"+)".repeat(490)}$`, `${"a".repeat(100_000)}b`, false],
];

for (const [pattern, line, matches] of HARD) {
  const name = pattern.length > 40 ? `${pattern.slice(0, 40)}…` : pattern;
  Deno.test(`Matcher finishes ${name} on a line of ${line.length} characters`, () => {
    assertEquals(compilePattern(pattern).matchesText(line), matches);
  });
}

Deno.test("compilePattern finishes at once with thousands of nested groups", () => {
  const nested: [open: string, close: string, matchesNothing: boolean][] = [
    ["(?:a", ")", false],
    ["(?:", "b)", false],
    ["(?:aa|", ")", true],
    ["(?:a?", ")", true],
  ];
  for (const [open, close, matchesNothing] of nested) {
    const matcher = compilePattern(open.repeat(9000) + close.repeat(9000));
    assertEquals(matcher.matchesText(""), matchesNothing, open);
  }
});

Deno.test("Dfa keeps its states within the limit", () => {
  const dfa = new Dfa(compileProgram(parsePattern("(a|b)*a(a|b){200}$"), ""), 300_000);
  const bytes = hardLine(20_000);
  let most = 0;
  dfa.begin();
  for (let at = 0; at < bytes.length; dfa.rest()) {
    at = dfa.feed(bytes, at, Math.min(at + 10, bytes.length));
    most = Math.max(most, dfa.size);
  }
  assertEquals(dfa.end(), bytes.at(-201) === 0x61);
  assert(most > 50 && most < 1000, `${most} states`);
});

Deno.test("Matcher pauses in hard work, and an error thrown there ends it", () => {
  let pauses = 0;
  const onPause = () => {
    if (++pauses === 3) throw new Error("enough");
  };
  const matcher = compilePattern("(a|b)*a(a|b){999}$", { onPause });
  const line = hardLine(20_000);
  assertThrows(() => matcher.matchesLine(line, 0, line.length), Error, "enough");
  assertEquals(pauses, 3);
});

Deno.test("Matcher knows when nothing that follows can match", async () => {
  const never = () => Promise.reject(new Error("there was no need to pause"));
  const matcher = compilePattern("^src/(a|b)/");
  assertEquals(await matcher.mayMatchAfter("src/a", never), true);
  assertEquals(await matcher.mayMatchAfter("src/c", never), false);
  assertEquals(await matcher.mayMatchAfter("lib/", never), false);
  assertEquals(await compilePattern("a").mayMatchAfter("lib/", never), true);
});

Deno.test("MatchPlace finds where the first match begins, for any pattern and text, in one piece or in two", async () => {
  const step = () => Promise.resolve(true);
  const text = fc.array(fc.constantFrom(..."abk _é日"), { maxLength: 12 }).map((letters) => letters.join(""));
  await fc.assert(
    fc.asyncProperty(anyPattern, text, fc.nat(12), async (pattern, text, cut) => {
      const runes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
      const node = parsePattern(pattern);
      const first = Array.from({ length: runes.length + 1 }, (_, at) => at)
        .find((at) => endsOf(node, at, runes).size > 0);
      if (first === undefined) return;
      const offsetOf = (rune: number) => new TextEncoder().encode([...text].slice(0, rune).join("")).length;
      const bytes = new TextEncoder().encode(text);
      const matcher = compilePattern(pattern);
      const whole = { bytes, from: 0, to: bytes.length, isEnd: true };
      assertEquals((await matcher.place.find(whole, step))?.start, offsetOf(first));
      const from = offsetOf(cut);
      matcher.begin();
      matcher.feed(bytes, 0, from);
      if (from === 0 || matcher.state === undefined) return;
      const rest = await matcher.place.find({ ...whole, from, state: matcher.state }, step);
      assertEquals(rest?.start, offsetOf(first) < from ? undefined : offsetOf(first));
    }),
    { numRuns: 500 },
  );
});
