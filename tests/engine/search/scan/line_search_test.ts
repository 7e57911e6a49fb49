import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Kernel, makeKernel } from "../../../../src/engine/search/bytes/kernel.ts";
import { PlainKernel } from "../../../../src/engine/search/bytes/kernel_plain.ts";
import { LineSearch } from "../../../../src/engine/search/scan/line_search.ts";
import { compilePattern } from "../../../../src/engine/search/mod.ts";
import { anyPattern, anyText } from "../any_pattern.ts";
import { hardLine } from "../support.ts";

const CAPACITY = 64 * 1024;

/** The lines that match, as `start-end`, and how often the search has paused. */
function found(pattern: string, bytes: Uint8Array, kernel: Kernel): { lines: string[]; pauses: number } {
  const matcher = compilePattern(pattern);
  const search = new LineSearch(matcher, kernel);
  kernel.bytes.set(bytes);
  const isUnended = bytes.at(-1) !== 0x0a;
  if (isUnended) kernel.bytes[bytes.length] = 0x0a;
  search.begin(0, { end: bytes.length + Number(isUnended), isUnended });
  const lines: string[] = [];
  let pauses = 0;
  for (let line = search.next(); line !== "none"; line = search.next()) {
    if (line === "pause") {
      pauses++;
      matcher.rest();
    } else lines.push(`${line.start}-${line.end}`);
  }
  return { lines, pauses };
}

/** The definition: every line on its own. */
function expected(pattern: string, bytes: Uint8Array): string[] {
  const matcher = compilePattern(pattern);
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const next = newline < 0 ? bytes.length : newline;
    const end = !matcher.takesCr && newline > start && bytes[newline - 1] === 0x0d ? newline - 1 : next;
    if (matcher.matchesLine(bytes, start, end)) lines.push(`${start}-${end}`);
    start = next + 1;
  }
  return lines;
}

const ending = fc.constantFrom("\n", "\n", "\r\n", "\r", "");
const filler = fc.constantFrom("", "x\n", `${"filler ".repeat(100)}\n`, `${"c\n".repeat(600)}`);
const anyLines = fc.array(fc.tuple(anyText, ending, filler), { minLength: 1, maxLength: 6 }).map((parts) => {
  const bytes = parts.flatMap(([text, end, fill]) => [...text, ...new TextEncoder().encode(end + fill)]);
  return Uint8Array.from(bytes);
});
const anyWord = fc.constantFrom(
  "ab",
  "(?i)k",
  "aé|bé",
  "k_",
  "é日",
  "\\x{fffd}",
  "[ab]k",
  "a.b",
  "ab$",
  "\\r",
  "b\\b",
);

Deno.test("LineSearch finds the lines that match, for any pattern, whatever is before and after them", () => {
  const kernels = [makeKernel(CAPACITY), new PlainKernel(CAPACITY, CAPACITY + 100)];
  fc.assert(
    fc.property(fc.oneof(anyPattern, anyWord), anyLines, (pattern, bytes) => {
      fc.pre(bytes.length > 0 && bytes.length < CAPACITY); // an empty text does not even have a line
      const lines = expected(pattern, bytes);
      for (const kernel of kernels) assertEquals(found(pattern, bytes, kernel).lines, lines);
    }),
    { numRuns: 250 },
  );
});

Deno.test("LineSearch yields in hard lines, and continues where it was", () => {
  const bytes = new Uint8Array(4_000);
  bytes.set(hardLine(bytes.length));
  bytes[1_000] = bytes[3_000] = 0x0a;
  const kernel = makeKernel(CAPACITY);
  for (const pattern of ["(a|b)*a(a|b){150}$", "(a|b)*a(a|b){150}(a|b)", "^(a|b)*b(a|b){150}$"]) {
    const { lines, pauses } = found(pattern, bytes, kernel);
    assertEquals([lines, pauses > 0], [expected(pattern, bytes), true], pattern);
  }
});

Deno.test("LineSearch drops a prefilter that matches everywhere, in the middle of the lines", () => {
  const words = Array.from({ length: 60 }, (_, i) => `${"Q".repeat(20)}${i}`);
  const lines = [
    "none",
    words[7],
    "Q".repeat(9_000),
    "none",
    words[59],
    "Q".repeat(9_000),
    `Q${words[0]}`,
    "",
  ];
  const bytes = new TextEncoder().encode(lines.join("\n"));
  for (const pattern of [words.join("|"), `(?:${words.join("|")})$`]) {
    const { lines: hits } = found(pattern, bytes, makeKernel(CAPACITY));
    assertEquals(hits, expected(pattern, bytes));
    assertEquals(hits.length, 3);
  }
});

Deno.test("LineSearch continues without a useless prefilter, and returns to it later", () => {
  const kernel = makeKernel(CAPACITY);
  const matcher = compilePattern("Q+x$");
  const search = new LineSearch(matcher, kernel);
  const useless = new TextEncoder().encode("Qy Qy Qy\n".repeat(6_000));
  const plain = new TextEncoder().encode(`${"nothing here\n".repeat(4_000)}Qx\n`);
  for (const [content, rounds, hits] of [[useless, 40, 0], [plain, 40, 1], [useless, 5, 0]] as const) {
    kernel.bytes.set(content);
    for (let round = 0; round < rounds; round++) {
      search.begin(0, { end: content.length, isUnended: false });
      let count = 0;
      for (let line = search.next(); line !== "none"; line = search.next()) {
        if (line === "pause") matcher.rest();
        else count++;
      }
      assertEquals(count, hits);
    }
  }
});
