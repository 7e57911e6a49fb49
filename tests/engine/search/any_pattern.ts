/** Patterns and texts for property tests: small, but with all the special cases. */
import fc from "fast-check";

const atom = fc.constantFrom(
  ..."a|b|é|日|.|[ab]|[^a]|[à-ü]|\\x{fffd}|\\b|\\B|^|$|(?m:^)|(?m:$)|\\A|\\z|\\w|\\W|\\s|(?s:.)|(?i:k)|\\pL|[^é]"
    .split("|"),
);
/** A pattern in Go's syntax. */
export const { pattern: anyPattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{2,}", "{0}"))
      .map(([a, repeat]) => `(?:${a})${repeat}`),
  ),
}));

const piece = fc.constantFrom(
  "61",
  "62",
  "6b",
  "20",
  "0a",
  "5f",
  "c3a9",
  "e697a5",
  "efbfbd",
  "ff",
  "e282",
  "c3",
  "80",
);
/** Text, some of it not valid UTF-8. */
export const anyText = fc.array(piece, { maxLength: 8 }).map((pieces) => Uint8Array.fromHex(pieces.join("")));
