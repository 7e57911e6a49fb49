import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LineScanner, type LineScannerOptions, type ScannedLines } from "../../src/text/line_scanner.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/text/utf8.ts";

const text = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "é", "😀", "\t"), { maxLength: 30 }).map((
  parts,
) => parts.join(""));
/** Sizes of the chunks, in turn; the last is repeated. Zero is an empty read. */
const chunkSizes = fc.array(fc.nat(5), { maxLength: 12 });

/** As in lf_lines.ts, endings included. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface Result extends Omit<ScannedLines, "bytes"> {
  text: string | undefined;
}

/** Scans with one buffer that is overwritten after every push, like a reader of a file. */
function scan(text: string, { chunks = [], ...options }: LineScannerOptions & { chunks?: number[] }): Result {
  const scanner = new LineScanner(options);
  const all = encodeUtf8(text);
  const buffer = new Uint8Array(all.length);
  let at = 0;
  for (const size of [...chunks, all.length]) {
    const chunk = all.subarray(at, at + size);
    buffer.set(chunk);
    scanner.push(buffer.subarray(0, chunk.length));
    buffer.fill(0x3f);
    at += chunk.length;
  }
  const { bytes, ...rest } = scanner.end();
  return { ...rest, text: decodeUtf8(bytes) };
}

Deno.test("LineScanner finds lines that end in LF alone, for every text, chunking and range", () => {
  fc.assert(fc.property(text, chunkSizes, (text, chunks) => {
    const lines = linesOf(text);
    for (let firstLine = 1; firstLine <= lines.length + 2; firstLine++) {
      for (let lastLine = firstLine - 1; lastLine <= lines.length + 2; lastLine++) {
        assertEquals(scan(text, { firstLine, lastLine, chunks }), {
          totalLines: lines.length,
          text: lines.slice(firstLine - 1, lastLine).join(""),
          startLine: firstLine,
          startByte: encodeUtf8(lines.slice(0, firstLine - 1).join("")).length,
          endLine: Math.max(firstLine - 1, Math.min(lastLine, lines.length)),
          cut: false,
        });
      }
    }
  }));
});

Deno.test("LineScanner reads to the end if no last line is given", () => {
  assertEquals(scan("a\nb\nc", { firstLine: 2 }), {
    totalLines: 3,
    text: "b\nc",
    startLine: 2,
    startByte: 2,
    endLine: 3,
    cut: false,
  });
});

Deno.test("LineScanner cuts to whole lines, for every text, chunking and limit", () => {
  fc.assert(fc.property(text, chunkSizes, (text, chunks) => {
    const lines = linesOf(text);
    for (const firstLine of [1, 2]) {
      const range = lines.slice(firstLine - 1);
      for (let maxBytes = 0; maxBytes <= encodeUtf8(range.join("")).length; maxBytes++) {
        const whole = takeWhole(range, maxBytes);
        const kept = whole.length > 0 ? whole : takeWhole(partsOf(range[0] ?? ""), maxBytes);
        assertEquals(scan(text, { firstLine, maxBytes, chunks }), {
          totalLines: lines.length,
          text: kept.join(""),
          startLine: firstLine,
          startByte: encodeUtf8(lines.slice(0, firstLine - 1).join("")).length,
          endLine: firstLine - 1 + (whole.length > 0 ? whole.length : Math.min(kept.length, 1)),
          cut: whole.length < range.length,
        });
      }
    }
  }));
});

/** The longest run of parts from the start that fits. */
function takeWhole(parts: string[], maxBytes: number): string[] {
  let room = maxBytes;
  const end = parts.findIndex((part) => (room -= encodeUtf8(part).length) < 0);
  return end < 0 ? parts : parts.slice(0, end);
}

/** Where a line that is too long may be cut: between code points, with CRLF as one. */
function partsOf(line: string): string[] {
  return line.match(/\r\n|./gsu) ?? [];
}

const CUTS: [text: string, maxBytes: number, kept: string, endLine: number, cut: boolean][] = [
  ["a\nb\nc\n", 6, "a\nb\nc\n", 3, false],
  ["a\nb\nc\n", 5, "a\nb\n", 2, true],
  ["a\rb", 2, "a\r", 1, true],
  ["a\rb\n", 3, "a\rb", 1, true],
  ["a\r\nb", 2, "a", 1, true],
  ["€€", 5, "€", 1, true],
  ["€", 2, "", 0, true],
  ["", 0, "", 0, false],
];

for (const [text, maxBytes, kept, endLine, cut] of CUTS) {
  Deno.test(`LineScanner keeps ${JSON.stringify(kept)} of ${JSON.stringify(text)} when ${maxBytes} fit`, () => {
    const result = scan(text, { firstLine: 1, maxBytes });
    assertEquals([result.text, result.endLine, result.cut], [kept, endLine, cut]);
  });
}

Deno.test("LineScanner keeps bytes as they are when they are not UTF-8", () => {
  const scanner = new LineScanner({ firstLine: 1, maxBytes: 6 });
  scanner.push(Uint8Array.of(0xff, 0x80, 0x80, 0x80));
  scanner.push(Uint8Array.of(0x80, 0x80, 0x80, 0x00));
  assertEquals(scanner.end(), {
    totalLines: 1,
    bytes: Uint8Array.of(0xff, 0x80, 0x80, 0x80, 0x80, 0x80),
    startLine: 1,
    startByte: 0,
    endLine: 1,
    cut: true,
  });
});
