import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { countLfLines, numberLines } from "../../src/text/lf_lines.ts";
import { LineTable } from "../../src/text/line_table.ts";

const COUNTED: [text: string, lines: number][] = [
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["\n", 1],
  ["\n\n", 2],
  ["a\r\nb\r\n", 2],
  ["a\rb\r", 1],
  ["\r", 1],
  ["a\u2028b\u0085c\u000bd\n", 1],
];

for (const [text, lines] of COUNTED) {
  Deno.test(`countLfLines counts ${lines} in ${JSON.stringify(text)}`, () => {
    assertEquals(countLfLines(text), lines);
  });
}

Deno.test("numberLines, countLfLines and LineTable agree on the lines of every text", () => {
  const text = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "\u2028")).map((parts) => parts.join(""));
  fc.assert(fc.property(text, (text) => {
    const table = new LineTable(text);
    assertEquals(table.length, countLfLines(text));
    const lines = Array.from({ length: table.length }, (_, i) => table.content(i) + table.ending(i));
    assertEquals(numberLines(text), lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join(""));
  }));
});

const NUMBERED: [text: string, firstNumber: number, expected: string][] = [
  ["", 1, ""],
  ["a", 1, "     1\ta"],
  ["a\n\nb\n", 12, "    12\ta\n    13\t\n    14\tb\n"],
  ["a\r\nb\rc", 9, "     9\ta\r\n    10\tb\rc"],
  ["\r", 1, "     1\t\r"],
  ["\n", 1, "     1\t\n"],
  ["a\nb\n", 999_999, " 999999\ta\n1000000\tb\n"],
];

for (const [text, firstNumber, expected] of NUMBERED) {
  Deno.test(`numberLines numbers ${JSON.stringify(text)} from ${firstNumber}`, () => {
    assertEquals(numberLines(text, firstNumber), expected);
  });
}

Deno.test("numberLines begins at 1 when no number is given", () => {
  assertEquals(numberLines("a\n"), "     1\ta\n");
});
