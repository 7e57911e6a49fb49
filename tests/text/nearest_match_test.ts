import { assertEquals } from "@std/assert";
import { nearestMatch } from "../../src/text/nearest_match.ts";

const FILE = `import { read } from "./read.ts";

export function total(items: readonly Item[]): number {
\tlet sum = 0;
\tfor (const item of items) {
\t\tsum += item.price * item.count;
\t}
\treturn sum;
}

const message = 'It is done';
const other  = "Nothing to do";
`;

const NEAR: [what: string, wanted: string, lines: [number, number], text: string, differs: string[]][] = [
  ["case", "Export Function Total", [3, 3], "export function total", ["case"]],
  ["quotes", "'./read.ts'", [1, 1], '"./read.ts"', ["quotes"]],
  ["curly quotes", "“Nothing to do”", [12, 12], '"Nothing to do"', ["quotes"]],
  ["blanks within a line", "const other =", [12, 12], "const other  =", ["whitespace"]],
  ["missing blanks", "item.price*item.count", [6, 6], "item.price * item.count", ["whitespace"]],
  ["blanks at the end of a line", "return sum;  \n}", [8, 9], "return sum;\n}", ["whitespace"]],
  ["line breaks", "export function\n  total(", [3, 3], "export function total(", ["whitespace"]],
  ["indentation", "    let sum = 0;\n    for (const", [4, 5], "\tlet sum = 0;\n\tfor (const", [
    "indentation",
  ]],
  ["indentation after the first line", "{\n  let sum", [3, 4], "{\n\tlet sum", ["indentation"]],
  ["the whitespace around", "\n    return sum;\n", [7, 8], "\n\treturn sum;\n", ["indentation"]],
  ["the whitespace before the next line", "sum = 0;\n    ", [4, 5], "sum = 0;\n\t", ["whitespace"]],
  ["several things", 'CONST message  = "', [11, 11], "const message = '", ["whitespace", "quotes", "case"]],
  ["the words of a line", "let summe = 1;", [4, 4], "\tlet sum = 0;", ["text"]],
  [
    "a part of a line",
    "(items: Item[]): number",
    [3, 3],
    "export function total(items: readonly Item[]): number {",
    ["text"],
  ],
  [
    "one of several lines",
    "\tfor (const item of items) {\n\t\tsum += item.cost;\n\t}",
    [5, 7],
    "\tfor (const item of items) {\n\t\tsum += item.price * item.count;\n\t}",
    ["text"],
  ],
  [
    "the longest line and the indentation",
    "  for (const item of items) {\n    throw new Error('this line is not there at all');\n  }",
    [5, 7],
    "\tfor (const item of items) {\n\t\tsum += item.price * item.count;\n\t}",
    ["indentation", "text"],
  ],
];

for (const [what, wanted, [line, endLine], text, differs] of NEAR) {
  Deno.test(`nearestMatch finds the place when the difference is ${what}`, () => {
    assertEquals(nearestMatch(FILE, wanted), {
      match: { line, endLine, text, isCut: false, differs: differs as never },
      linesCompared: 12,
    });
  });
}

Deno.test("nearestMatch chooses the place that differs least", () => {
  const { match } = nearestMatch("FOO  BAR\nfoo bar(\nFoo bar\n", "foo  bar(");
  assertEquals([match?.line, match?.text, match?.differs], [2, "foo bar(", ["whitespace"]]);
  assertEquals(nearestMatch("FOO  BAR\nFoo  bar\nfoo bar\n", "foo  bar").match?.line, 1);
});

Deno.test("nearestMatch finds nothing where nothing is similar", () => {
  for (const wanted of ["zzzzqqqq", "  \n ", "#", "q\nzz"]) {
    assertEquals(nearestMatch(FILE, wanted), { match: undefined, linesCompared: 12 }, wanted);
  }
  assertEquals(nearestMatch("", "x"), { match: undefined, linesCompared: 0 });
});

Deno.test("nearestMatch returns text that can be searched for", () => {
  const { match } = nearestMatch(FILE, "  LET sum = 0;\n  FOR (const item");
  assertEquals(FILE.includes(match?.text ?? "?"), true);
});

Deno.test("nearestMatch compares a limited part of a large text and cuts what it shows", () => {
  const long = nearestMatch("abcdefghi\n".repeat(300_000), "ABCDEFGHI\n".repeat(1_000));
  assertEquals(long.linesCompared, 200_000);
  assertEquals([long.match?.isCut, long.match?.text.length, long.match?.endLine], [true, 4_000, 1_000]);
});
