import { assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { shown } from "../../src/base/shown.ts";

const CASES: [given: string, expected: string][] = [
  ["", ""],
  ["plain name.txt", "plain name.txt"],
  ["Grüße, 你好, ñ, emoji 😀", "Grüße, 你好, ñ, emoji 😀"],
  ["back\\slash \"quotes\" 'and' `ticks`", "back\\slash \"quotes\" 'and' `ticks`"],
  ["a\nb\rc\td", "a\\nb\\rc\\td"],
  ["\0\x07\x1b[31m\x7f", "\\u0000\\u0007\\u001b[31m\\u007f"],
  ["\x80\x85\x9b\x9f", "\\u0080\\u0085\\u009b\\u009f"],
  ["\u202a\u202e\u2066\u2069\u200e\u200f\u061c", "\\u202a\\u202e\\u2066\\u2069\\u200e\\u200f\\u061c"],
  ["\u200b\u200c\u200d\u2060\ufeff\u00ad", "\\u200b\\u200c\\u200d\\u2060\\ufeff\\u00ad"],
  ["\u2028\u2029", "\\u2028\\u2029"],
  ["\u{e0001}\u{e0041}", "\\udb40\\udc01\\udb40\\udc41"],
  ["\ud800x\udc00", "\\ud800x\\udc00"],
];

for (const [given, expected] of CASES) {
  Deno.test(`shown turns odd characters into ${JSON.stringify(expected)}, and a second call changes nothing`, () => {
    assertEquals(shown(given), expected);
    assertEquals(shown(expected), expected);
    assertEquals(JSON.parse(shown(JSON.stringify(given))), given);
    assertEquals(new PaddockError("INTERNAL", given).message, expected);
  });
}

Deno.test("shown keeps line breaks and tabs of content, and nothing else", () => {
  assertEquals(shown("a\n\tb\r\n\u202e", { lines: true }), "a\n\tb\r\n\\u202e");
});
