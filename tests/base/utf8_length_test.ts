import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { utf8Length } from "../../src/base/utf8_length.ts";

const encoded = (text: string) => new TextEncoder().encode(text).length;

Deno.test("utf8Length counts as the encoder does, including half surrogate pairs", () => {
  for (
    const text of [
      "",
      "a",
      "ä",
      "€",
      "😀",
      "\ud83d",
      "\ude00",
      "\ud83d\ud83d\ude00",
      "a\ude00b",
      "\uffff",
      "x".repeat(5_000) + "ä",
    ]
  ) {
    assertEquals(utf8Length(text), encoded(text), JSON.stringify(text));
  }
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
  fc.assert(fc.property(units, (codes) => {
    const text = String.fromCharCode(...codes);
    assertEquals(utf8Length(text), encoded(text));
  }));
});
