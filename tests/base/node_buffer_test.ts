import { assert, assertEquals } from "@std/assert";
import { isEqual } from "../../src/base/equal_bytes.ts";
import { nodeBuffer } from "../../src/base/node_buffer.ts";
import { utf8Length } from "../../src/base/utf8_length.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/text/utf8.ts";

const LONG = 200_000;

/** Long texts of every kind, and bytes that are none. */
const TEXTS = ["a line\r\n", "naïve – 漢字 😀\n", "\ufeff bom", "\0\x7f", "lone \ud800 surrogate"]
  .map((text) => text.repeat(Math.ceil(LONG / text.length)));
const GARBAGE = [[0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80]]
  .map((tail) => new Uint8Array([...new Uint8Array(LONG).fill(0x61), ...tail]));

/** With Node's module if it is loaded, and else with the language's own means. */
function look() {
  return {
    decoded: [...TEXTS.map(encodeUtf8), ...GARBAGE].map((bytes) => decodeUtf8(bytes)),
    lengths: TEXTS.map(utf8Length),
    equal: GARBAGE.map((
      bytes,
    ) => [isEqual(bytes, bytes.slice()), isEqual(bytes, new Uint8Array(bytes.length))]),
    other: isEqual(new Uint8Array(1), new Uint8Array(2)),
  };
}

Deno.test("nodeBuffer is loaded after the first long text, and changes no result", async () => {
  assertEquals(nodeBuffer(10), undefined);
  const before = look();
  while (nodeBuffer(10) === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(look(), before);
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  assertEquals(before.decoded.slice(0, TEXTS.length), TEXTS.map((text) => strict.decode(encodeUtf8(text))));
  assertEquals(before.decoded.slice(TEXTS.length), GARBAGE.map(() => undefined));
  assertEquals(before.lengths, TEXTS.map((text) => encodeUtf8(text).length));
  assert(before.equal.every(([same, different]) => same && !different) && !before.other);
});
