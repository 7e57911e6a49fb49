import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  countLines,
  detectEnding,
  hasFinalNewline,
  joinLines,
  splitLines,
  stripBom,
} from "../../src/text/lines.ts";
import { anyCharacter } from "../support/any_character.ts";

/** Texts in which every mixture of endings is common. */
const mixedText = fc.array(fc.constantFrom("\r", "\n", "a", "é", "\uFEFF", "\u2028", "\ud800")).map((parts) =>
  parts.join("")
);

const SPLITS: [text: string, lines: [content: string, ending: string][]][] = [
  ["", []],
  ["a", [["a", ""]]],
  ["\n", [["", "\n"]]],
  ["\r", [["", "\r"]]],
  ["\r\n", [["", "\r\n"]]],
  ["\n\r", [["", "\n"], ["", "\r"]]],
  ["\r\r\n\n", [["", "\r"], ["", "\r\n"], ["", "\n"]]],
  ["a\nb\n", [["a", "\n"], ["b", "\n"]]],
  ["a\nb", [["a", "\n"], ["b", ""]]],
  ["a\r\nb\rc\nd", [["a", "\r\n"], ["b", "\r"], ["c", "\n"], ["d", ""]]],
  ["\uFEFFa\n", [["\uFEFFa", "\n"]]],
  ["a\u2028b\u0085c\vd\fe", [["a\u2028b\u0085c\vd\fe", ""]]],
];

for (const [text, expected] of SPLITS) {
  Deno.test(`splitLines returns ${expected.length} lines for ${JSON.stringify(text)}`, () => {
    assertEquals(
      splitLines(text).map(({ content, ending }) => [content, ending] as [string, string]),
      expected,
    );
    assertEquals(countLines(text), expected.length);
  });
}

Deno.test("joinLines undoes splitLines for every text", () => {
  fc.assert(fc.property(fc.oneof(mixedText, fc.string({ unit: anyCharacter })), (text) => {
    assertEquals(joinLines(splitLines(text)), text);
  }));
});

Deno.test("splitLines agrees with a regular expression for every text", () => {
  fc.assert(fc.property(mixedText, (text) => {
    const expected = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
    assertEquals(splitLines(text).map(({ content, ending }) => content + ending), [...expected]);
    assertEquals(countLines(text), expected.length);
  }));
});

Deno.test("splitLines handles ten megabytes in which one of the endings never occurs", () => {
  for (const ending of ["\n", "\r", "\r\n"]) {
    const text = `line${ending}`.repeat(10_000_000 / (4 + ending.length));
    assertEquals(splitLines(text).length, text.length / (4 + ending.length));
  }
});

const ENDINGS: [text: string, ending: string][] = [
  ["", "\n"],
  ["no ending", "\n"],
  ["a\r\nb", "\r\n"],
  ["a\rb", "\r"],
  ["a\nb\r\nc\r\n", "\r\n"],
  ["a\r\nb\nc\n", "\n"],
  ["a\r\nb\n", "\r\n"],
  ["a\nb\r\n", "\n"],
  ["a\rb\nc\r\n", "\r"],
];

for (const [text, ending] of ENDINGS) {
  Deno.test(`detectEnding returns ${JSON.stringify(ending)} for ${JSON.stringify(text)}`, () => {
    assertEquals<string>(detectEnding(text), ending);
  });
}

Deno.test("hasFinalNewline recognises every ending", () => {
  for (const text of ["\n", "a\n", "a\r\n", "a\r"]) {
    assertEquals(hasFinalNewline(text), true, JSON.stringify(text));
  }
  for (const text of ["", "a", "a\nb"]) assertEquals(hasFinalNewline(text), false, JSON.stringify(text));
});

Deno.test("stripBom removes one mark and only at the start", () => {
  assertEquals(stripBom("\uFEFFa"), { bom: "\uFEFF", body: "a" });
  assertEquals(stripBom("\uFEFF\uFEFFa"), { bom: "\uFEFF", body: "\uFEFFa" });
  assertEquals(stripBom("a\uFEFF"), { bom: "", body: "a\uFEFF" });
  assertEquals(stripBom(""), { bom: "", body: "" });
});
