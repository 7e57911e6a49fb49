import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { byteLength, decodeUtf8, encodeUtf8, looksBinary, utf8Boundary } from "../../src/text/utf8.ts";
import { anyCharacter } from "../support/any_character.ts";

Deno.test("decodeUtf8 undoes encodeUtf8 for every well-formed text", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => {
    assertEquals(decodeUtf8(encodeUtf8(text)), text);
  }));
});

Deno.test("decodeUtf8 keeps a byte order mark", () => {
  assertEquals(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), "\uFEFFa");
});

const INVALID: [what: string, bytes: number[]][] = [
  ["a Latin-1 letter", [0x63, 0x61, 0x66, 0xe9]],
  ["a lone continuation byte", [0x80]],
  ["an overlong slash", [0xc0, 0xaf]],
  ["an encoded surrogate", [0xed, 0xa0, 0x80]],
  ["a code point past U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["a code point cut off at the end", [0xe2, 0x82]],
  ["UTF-16", [0xff, 0xfe, 0x61, 0x00]],
];

for (const [what, bytes] of INVALID) {
  Deno.test(`decodeUtf8 refuses ${what}, and still works afterwards`, () => {
    assertEquals(decodeUtf8(Uint8Array.from(bytes)), undefined);
    assertEquals(decodeUtf8(encodeUtf8("next")), "next");
  });
}

Deno.test("byteLength is the length of the bytes for every text, lone surrogates included", () => {
  const text = fc.array(fc.constantFrom("a", "é", "€", "😀", "\ud83d", "\ude00")).map((parts) =>
    parts.join("")
  );
  fc.assert(fc.property(fc.oneof(text, fc.string({ unit: anyCharacter })), (text) => {
    assertEquals(byteLength(text), encodeUtf8(text).length);
  }));
});

Deno.test("looksBinary looks for a NUL in the first 8,192 bytes and no further", () => {
  const bytes = new Uint8Array(10_000).fill(0x61);
  assertEquals(looksBinary(bytes), false);
  assertEquals(looksBinary(new Uint8Array()), false);
  bytes[8192] = 0;
  assertEquals(looksBinary(bytes), false);
  bytes[8191] = 0;
  assertEquals(looksBinary(bytes), true);
});

Deno.test("utf8Boundary is the start of the code point around an index", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => {
    const bytes = encodeUtf8(text);
    let [start, next] = [0, 0];
    for (const char of text) {
      next = start + encodeUtf8(char).length;
      for (let index = start; index < next; index++) assertEquals(utf8Boundary(bytes, index), start);
      start = next;
    }
    assertEquals(utf8Boundary(bytes), bytes.length);
  }));
});

Deno.test("utf8Boundary leaves bytes alone that are not UTF-8", () => {
  assertEquals(utf8Boundary(Uint8Array.of(0x80, 0x80, 0x80, 0x80)), 4);
  assertEquals(utf8Boundary(Uint8Array.of(0x80)), 1);
  assertEquals(utf8Boundary(Uint8Array.of(0x61, 0xff)), 2);
  assertEquals(utf8Boundary(Uint8Array.of(0x61, 0xc1)), 2);
});

Deno.test("decodeUtf8 rethrows errors that the bytes did not cause", () => {
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = () => {
    throw new RangeError("out of memory");
  };
  try {
    assertThrows(() => decodeUtf8(new Uint8Array([0x61])), RangeError, "out of memory");
  } finally {
    TextDecoder.prototype.decode = decode;
  }
});
