import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Findings, type GrepMatch } from "../../../../src/engine/search/findings.ts";
import { PlainKernel } from "../../../../src/engine/search/bytes/kernel_plain.ts";
import { compilePattern } from "../../../../src/engine/search/mod.ts";
import { Scanner, type ScanSource } from "../../../../src/engine/search/scan/scan.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";

const SMALLEST_BUFFER = 8004;

function sourceOf(bytes: Uint8Array): ScanSource {
  return {
    readAt(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}

function scannerFor(pattern: string, contextLines: number) {
  const findings = new Findings(Infinity);
  const scanner = new Scanner({
    matcher: compilePattern(pattern),
    findings,
    time: new SearchTime({}),
    contextLines,
    kernel: new PlainKernel(SMALLEST_BUFFER, SMALLEST_BUFFER + 100),
  });
  return { scanner, matches: findings.matches };
}

interface Ranged {
  pattern: string;
  contextLines: number;
  cuts: readonly number[];
}

/** A file scanned range by range, each with its own scanner, and put together again. */
async function scanInRanges(
  bytes: Uint8Array,
  { pattern, contextLines, cuts }: Ranged,
): Promise<GrepMatch[]> {
  const all: GrepMatch[] = [];
  let lines = 0;
  const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < bytes.length), bytes.length])];
  let from = 0;
  for (const to of ends.sort((a, b) => a - b)) {
    const { scanner, matches } = scannerFor(pattern, contextLines);
    const count = await scanner.scanRange(sourceOf(bytes), "f", { from, to });
    for (const match of matches) all.push({ ...match, line_number: match.line_number + lines });
    lines += count;
    from = to;
  }
  return all;
}

const line = fc.tuple(
  fc.constantFrom(0, 0, 1, 5, 100, 2001, 7990, 8003, 8005, 20_000, 70_000),
  fc.constantFrom("", "x", "xy", "y", "é"),
  fc.constantFrom("\n", "\n", "\r\n", "\r"),
).map(([length, tail, ending]) => "a".repeat(length) + tail + ending);

Deno.test("Scanner finds in the ranges of a file what it finds in the whole, with numbers and context", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("", "\ufeff"),
      fc.array(line, { maxLength: 15 }),
      fc.constantFrom("", "tail", "x", "\r"),
      fc.array(fc.oneof(fc.nat(300), fc.nat(100_000)), { maxLength: 4 }),
      fc.nat(3),
      async (bom, lines, tail, cuts, contextLines) => {
        const bytes = new TextEncoder().encode(bom + lines.join("") + tail);
        for (const pattern of ["x$", "^x?y?$", "é|x", "\\w\\r?$"]) {
          const { scanner, matches } = scannerFor(pattern, contextLines);
          assertEquals(await scanner.scan(sourceOf(bytes), "f"), true);
          assertEquals(await scanInRanges(bytes, { pattern, contextLines, cuts }), matches);
        }
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("Scanner reads no further than a range's last line and its context", async () => {
  const bytes = new TextEncoder().encode("line\n".repeat(20_000));
  let furthest = 0;
  const source = sourceOf(bytes);
  const watched: ScanSource = {
    readAt(buffer, position) {
      furthest = Math.max(furthest, position + buffer.length);
      return source.readAt(buffer, position);
    },
  };
  const { scanner, matches } = scannerFor("^line$", 2);
  assertEquals(await scanner.scanRange(watched, "f", { from: 20_001, to: 20_010 }), 1);
  assertEquals(matches.map((match) => match.line_number), [1]);
  assertEquals(furthest <= 20_010 + 2 * SMALLEST_BUFFER, true);
  assertEquals(await scanner.scanRange(watched, "f", { from: 20_001, to: 20_004 }), 0);
});
