import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LineTable } from "../../src/text/line_table.ts";

/** Texts in which every mixture of endings is common. */
const mixedText = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "b", "é", "\u2028")).map((parts) =>
  parts.join("")
);

function toLines(table: LineTable) {
  return Array.from(
    { length: table.length },
    (_, i) => ({ content: table.content(i), ending: table.ending(i) }),
  );
}

Deno.test("LineTable splits at LF alone, whatever else may end a line elsewhere", () => {
  fc.assert(fc.property(mixedText, (text) => {
    const expected = (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
      const ending = line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
      return { content: line.slice(0, line.length - ending.length), ending };
    });
    const table = new LineTable(text);
    assertEquals<unknown>(toLines(table), expected);
    assertEquals(expected.map((_, i) => table.text.slice(table.start(i), table.start(i + 1))).join(""), text);
  }));
});

Deno.test("LineTable compares the whole content of a line and nothing else", () => {
  const table = new LineTable("ab\r\nabc\n\nab");
  const same = (content: string) => [0, 1, 2, 3].map((i) => table.hasContent(i, content));
  assertEquals(same("ab"), [true, false, false, true]);
  assertEquals(same("abc"), [false, true, false, false]);
  assertEquals(same(""), [false, false, true, false]);
  assertEquals(same("ab\r"), [false, false, false, false]);
});
