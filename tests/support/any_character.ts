/**
 * Any character of Unicode, common ones more often, as the unit of `fc.string`. fast-check's own unit "binary" first
 * builds tables of all of them, which takes a second of processor time in every file that uses it.
 */
import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xffff - SURROGATES.count }),
  fc.integer({ min: 0x10000 - SURROGATES.count, max: 0x10ffff - SURROGATES.count }),
);

export const anyCharacter = codePoint.map((n) =>
  String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count)
);
