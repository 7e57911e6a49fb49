import { assertEquals } from "@std/assert";
import { piecesOf, visibleText } from "../../../console/text/visible.ts";

const texts: [given: string, seen: string][] = [
  ["plain text, ümläut, 日本語, عربى", "plain text, ümläut, 日本語, عربى"],
  ["\x1b[31mred\x07", "[ESC][31mred[BEL]"],
  ["a\0b\r\n\tc\x7f", "a[NUL]b[CR][LF][TAB]c[DEL]"],
  ["invoice\u202egpj.exe", "invoice[RLO]gpj.exe"],
  ["\u2066a\u2069 \u200fb\u061c", "[LRI]a[PDI] [RLM]b[ALM]"],
  ["zero\u200bwidth\ufeff and\u00a0blank\u3000", "zero[ZWSP]width[BOM] and[NBSP]blank[U+3000]"],
  ["\u0085\u2028\u2029\u{e0041}\u{e0101}", "[U+0085][LSEP][PSEP][U+E0041][U+E0101]"],
  ["\ud800 alone", "[U+D800] alone"],
  ["👩‍💻 and 👍🏽‍ and a\u200db", "👩‍💻 and 👍🏽‍ and a[ZWJ]b"],
  ["<b>&amp;</b>", "<b>&amp;</b>"],
  ["", ""],
];

Deno.test("visibleText shows what is hidden, and leaves visible text as it is", () => {
  for (const [given, seen] of texts) assertEquals(visibleText(given), seen);
});

Deno.test("piecesOf loses nothing of the text, and keeps tabs if requested", () => {
  for (const [given] of texts) assertEquals(piecesOf(given).map(({ text }) => text).join(""), given);
  assertEquals(piecesOf("\ta", { tabs: true }), [{ text: "\ta", label: null }]);
});

Deno.test("piecesOf handles a megabyte of hidden characters quickly", () => {
  assertEquals(piecesOf("\u202e".repeat(100_000)).length, 100_000);
});
