import { assertEquals } from "@std/assert";
import type { ByteRow } from "../../../../src/engine/search/bytes/byte_sets.ts";
import { prefiltersFor } from "../../../../src/engine/search/pattern/prefilter.ts";
import { requiredBy } from "../../../../src/engine/search/pattern/required.ts";
import { parsePattern } from "../../../../src/engine/search/pattern/syntax.ts";

/** A row as text: a byte as itself or in hex, a few as a set, many as their number. */
function textOf(row: ByteRow): string {
  return row.map((set) => {
    const bytes = [...set.keys()].filter((byte) => set[byte] === 1);
    const names = bytes.map((byte) => byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : hex(byte));
    return names.length === 1 ? names[0] : names.length < 4 ? `[${names.join("")}]` : `<${names.length}>`;
  }).join("");
}

function hex(byte: number): string {
  return `\\${byte.toString(16).padStart(2, "0")}`;
}

const REQUIRED: [pattern: string, rows: string[] | undefined, isExact: boolean][] = [
  ["needle", ["needle"], true],
  ["(?i)hay", ["[Hh][Aa][Yy]"], true],
  ["(?i)ask", ["[Aa][Ss][Kk]", "[Aa][Ss]\\e2\\84\\aa", "[Aa]\\c5\\bf[Kk]", "[Aa]\\c5\\bf\\e2\\84\\aa"], true],
  ["foo|bar", ["foo", "bar"], true],
  ["(foo|bar)baz", ["foobaz", "barbaz"], true],
  ["^foo$", ["foo"], false],
  ["\\bfoo", ["foo"], false],
  ["fo+x", ["ox"], false],
  ["x.*needle.*y", ["needle"], false],
  ["[0-9]{3}-[0-9]", ["<10><10><10>-<10>"], true],
  ["(?:needle)?", undefined, false],
  ["needle|", undefined, false],
  ["needle|x*", undefined, false],
  [".*", undefined, false],
  [".", ["<255>"], false],
  ["é", ["\\c3\\a9"], true],
  ["(?i)é", ["\\c3[\\89\\a9]"], true],
  // Any invalid byte is read as U+FFFD.
  ["a\\x{fffd}", ["a<128>"], false],
  ["a[^b]", ["a<254>"], false],
  // No line contains a newline.
  ["a\\sb", ["a<4>b"], true],
  ["a{40}", ["a".repeat(32)], false],
  ["(?:ab){2,}c", ["ababc"], false],
];

for (const [pattern, rows, isExact] of REQUIRED) {
  Deno.test(`requiredBy knows what every match of ${JSON.stringify(pattern)} contains`, () => {
    const [required] = requiredBy(parsePattern(pattern));
    assertEquals([required?.rows.map(textOf), required?.isExact ?? false], [rows, isExact]);
  });
}

Deno.test("requiredBy returns several alternatives, the least likely first", () => {
  const all = requiredBy(parsePattern("ERROR \\w+ at: .* user 4\\d"));
  assertEquals(all.map(({ rows }) => rows.map(textOf)), [["ERROR\\20<63>"], ["\\20user\\204<10>"], [
    "<63>\\20at:\\20",
  ]]);
  assertEquals(requiredBy(parsePattern("foo|bar")).length, 1);
});

Deno.test("prefiltersFor returns nothing if most lines would be examined anyway", () => {
  for (const pattern of [".", "\\w+", "[a-z][a-z]", "e", "x*", "[ -~]{5}"]) {
    assertEquals(prefiltersFor(parsePattern(pattern)), [], pattern);
  }
});

Deno.test("prefiltersFor looks for two rare bytes if possible, otherwise for three classes", () => {
  const KINDS: [pattern: string, kind: string][] = [
    ["Zq", "pair"],
    ["xyzzy", "pair"],
    ["Q", "pair"],
    ["foo|bar", "classes"],
    ["(?i)quux", "classes"],
    ["the", "classes"],
  ];
  for (const [pattern, kind] of KINDS) {
    assertEquals(prefiltersFor(parsePattern(pattern))[0]?.probe.kind, kind, pattern);
  }
});

Deno.test("prefiltersFor is not exact where the last byte may be the \\r of \\r\\n", () => {
  assertEquals(requiredBy(parsePattern("foo\\r"))[0]?.isExact, true);
  assertEquals(prefiltersFor(parsePattern("foo\\r"))[0]?.isExact, false);
});

Deno.test("requiredBy finishes at once with very long patterns", () => {
  for (
    const pattern of ["(?:a.b.)".repeat(700), "(?:aa|b)".repeat(2000), "abc|".repeat(3000), "(?:ab?){900}"]
  ) {
    requiredBy(parsePattern(pattern));
  }
});
