import { assertEquals } from "@std/assert";
import { LineSheet } from "../../src/base/line_sheet.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("LineSheet encodes lines one after the other in the same memory, and uses it again when cleared", () => {
  const sheet = new LineSheet(100);
  const [one, two] = [sheet.encode("one\n"), sheet.encode("zwölf\n")];
  assertEquals([text(one), text(two)], ["one\n", "zwölf\n"]);
  assertEquals([two.buffer === one.buffer, two.byteOffset], [true, one.length]);
  sheet.clear();
  const again = sheet.encode("1\n");
  assertEquals([again.buffer === one.buffer, again.byteOffset, text(again)], [true, 0, "1\n"]);
});

Deno.test("LineSheet keeps what is waiting when it is full, and gives a long line its own memory", () => {
  const sheet = new LineSheet(100);
  const lines = Array.from({ length: 40 }, (_, i) => sheet.encode(`line ${i}\n`));
  assertEquals(lines.map(text), Array.from({ length: 40 }, (_, i) => `line ${i}\n`));
  const long = sheet.encode("é".repeat(50));
  assertEquals([text(long), long.buffer.byteLength], ["é".repeat(50), 100]);
});
