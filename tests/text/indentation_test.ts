import { assertEquals } from "@std/assert";
import { type Indentation, indentationOf, reindent } from "../../src/text/indentation.ts";

const TABS: Indentation = { kind: "tabs" };
const spaces = (width: number): Indentation => ({ kind: "spaces", width });

Deno.test("indentationOf distinguishes tabs from spaces, and counts them", () => {
  const texts: [text: string, style: Indentation | undefined][] = [
    ["", undefined],
    ["a\nb\n", undefined],
    ["a\n\tb\n\t\tc\n", TABS],
    ["a\n  b\n    c\n", spaces(2)],
    ["a\n    b\n        c\n", spaces(4)],
    ["a\r\n    b\r\n", spaces(4)],
    ["a\n\tb\n    c\n", undefined],
    ["a\n\t  b\n", undefined],
    ["a\n  b\n   c\n", undefined],
    ["/**\n * b\n */\n\tc\n", TABS],
    ["a\n   \n\t\n  b\n", spaces(2)],
  ];
  for (const [text, style] of texts) assertEquals(indentationOf(text), style, JSON.stringify(text));
});

Deno.test("reindent converts whole steps of one style to those of another, and leaves the rest alone", () => {
  const texts: [text: string, style: Indentation, result: string][] = [
    ["a\n  b\n    c\n", TABS, "a\n\tb\n\t\tc\n"],
    ["a\n    b\n", TABS, "a\n\tb\n"],
    ["a\n\tb\n\t\tc\n", spaces(4), "a\n    b\n        c\n"],
    ["a\n\tb  \n", spaces(2), "a\n  b  \n"],
    ["a\n  b\n", spaces(4), "a\n  b\n"],
    ["a\n\tb\n    c\n", TABS, "a\n\tb\n    c\n"],
    ["/**\n * b\n */\n", TABS, "/**\n * b\n */\n"],
    ["a b\tc\n", TABS, "a b\tc\n"],
  ];
  for (const [text, style, result] of texts) {
    assertEquals(reindent(text, style), result, JSON.stringify(text));
  }
});

Deno.test("indentationOf takes time linear in a line of blanks", () => {
  const text = `${" ".repeat(1_000_000)}\n`.repeat(2) + "  a";
  assertEquals(indentationOf(text), spaces(2));
});
