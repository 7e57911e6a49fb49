import { assertEquals, assertStringIncludes } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

/** Reads a file with the content `content`, with a limit of 40 bytes for whole reads and 20 for ranges. */
async function read(content: string | Uint8Array, args: Record<string, unknown> = {}) {
  using folder = tempFolder();
  folder.write("f", content);
  const { surface, call } = rootsSurface([root("r", folder.path)], { maxSize: 20 });
  surface.reload({ kind: "roots", roots: [root("r", folder.path)], maxFullReadSize: 40 });
  const { content: [text], structuredContent: value, isError } = await call("read_file", {
    root: "r",
    path: "f",
    ...args,
  });
  return { text: text?.text ?? "", value, isError: isError ?? false };
}

const lines = (start: number, end: number, total: number) => ({
  start_line: start,
  end_line: end,
  lines_total: total,
});

const bytes = (start: number, end: number) => ({ start_byte: start, end_byte: end });

const WHOLE: [content: string, lines: ReturnType<typeof lines>][] = [
  ["", lines(0, 0, 0)],
  ["a", lines(1, 1, 1)],
  ["a\n", lines(1, 1, 1)],
  ["\n", lines(1, 1, 1)],
  ["a\r\nb\r\n", lines(1, 2, 2)],
  ["a\rb\nc", lines(1, 2, 2)],
  ["\uFEFFa\n", lines(1, 1, 1)],
];

for (const [content, expected] of WHOLE) {
  Deno.test(`read_file returns ${JSON.stringify(content)} whole, byte for byte, with its lines`, async () => {
    const { text, value } = await read(content);
    assertEquals(text, content);
    const { size, binary, truncated, encoding, content: got, ...rest } = value ?? {};
    assertEquals([got, binary, truncated, encoding], [content, false, false, "utf-8"]);
    assertEquals(size, new TextEncoder().encode(content).length);
    assertEquals(rest, { ...expected, hash: await hexOf(content) });
  });
}

const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

const RANGES: [args: Record<string, number>, content: string, rest: Record<string, unknown>][] = [
  [{ offset_lines: 1, limit_lines: 2 }, "1\n2\n", {
    ...lines(1, 2, 10),
    truncated: true,
    next_offset_lines: 3,
  }],
  [{ limit_lines: 1 }, "1\n", { ...lines(1, 1, 10), truncated: true, next_offset_lines: 2 }],
  [{ offset_lines: 9 }, "9\n10\n", { ...lines(9, 10, 10), truncated: false }],
  [{ offset_lines: 10, limit_lines: 9 }, "10\n", { ...lines(10, 10, 10), truncated: false }],
  [{ offset_lines: 11 }, "", { ...lines(11, 10, 10), truncated: false }],
  [{ offset_lines: 1 }, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {
    ...lines(1, 9, 10), // 21 bytes do not fit in 20: whole lines only
    truncated: true,
    next_offset_lines: 10,
    next_offset_bytes: 18,
  }],
  [{ offset_bytes: 2, limit_bytes: 3 }, "2\n3", { ...bytes(2, 5), truncated: true, next_offset_bytes: 5 }],
  [{ limit_bytes: 1 }, "1", { ...bytes(0, 1), truncated: true, next_offset_bytes: 1 }],
  [{ offset_bytes: 18 }, "10\n", { ...bytes(18, 21), truncated: false }],
  [{ offset_bytes: 0 }, TEN.slice(0, 20), { ...bytes(0, 20), truncated: true, next_offset_bytes: 20 }],
  [{ offset_bytes: 21, limit_bytes: 5 }, "", { ...bytes(21, 21), truncated: false }],
  [{ offset_bytes: 5_000 }, "", { ...bytes(21, 21), truncated: false }],
];

for (const [args, content, rest] of RANGES) {
  Deno.test(`read_file returns ${JSON.stringify(content)} of ten lines for ${JSON.stringify(args)}`, async () => {
    const { value } = await read(TEN, args);
    assertEquals(value, { content, encoding: "utf-8", size: 21, binary: false, ...rest });
  });
}

Deno.test("read_file returns the hash only for whole files, however they are requested", async () => {
  const bytes = new Uint8Array([0xff, 0, 1]);
  for (const args of [{}, { limit_bytes: 3 }, { offset_lines: 1, limit_lines: 5 }]) {
    assertEquals((await read(bytes, args)).value?.hash, await hexOf(bytes));
  }
  for (const args of [{ limit_bytes: 2 }, { offset_bytes: 1 }, { offset_lines: 2 }]) {
    assertEquals((await read(bytes, args)).value?.hash, undefined);
  }
});

Deno.test("read_file reads to the end when it is asked for what it said comes next", async () => {
  const text = "äöü\r\nß\n\na line without end";
  for (const [kind, first, limit] of [["lines", 1, 1], ["bytes", 0, 7]] as const) {
    const bytes: number[] = [];
    let next: unknown = first;
    for (let round = 0; next !== undefined && round < 50; round++) {
      const { value } = await read(text, { [`offset_${kind}`]: next, [`limit_${kind}`]: limit });
      const content = String(value?.content);
      bytes.push(
        ...(value?.encoding === "base64"
          ? Uint8Array.fromBase64(content)
          : new TextEncoder().encode(content)),
      );
      next = value?.[`next_offset_${kind}`];
    }
    assertEquals(new TextDecoder().decode(Uint8Array.from(bytes)), text, kind);
  }
});

/** "aé€😀": characters of one to four bytes, which begin at 0, 1, 3 and 6. */
const MOVED: [offset: number, limit: number, content: string, start: number, end: number][] = [
  [0, 2, "a", 0, 1],
  [2, 2, "é", 1, 3],
  [2, 1, "é", 1, 3],
  [4, 1, "€", 3, 6],
  [1, 7, "é€", 1, 6],
  [9, 1, "😀", 6, 10],
  [6, 4, "😀", 6, 10],
  [5, 100, "€😀", 3, 10],
];

for (const [offset_bytes, limit_bytes, content, start, end] of MOVED) {
  Deno.test(`read_file moves ${limit_bytes} bytes from ${offset_bytes} of text to the characters ${content}`, async () => {
    const { value } = await read("aé€😀", { offset_bytes, limit_bytes });
    assertEquals(
      [value?.content, value?.encoding, value?.start_byte, value?.end_byte, value?.next_offset_bytes],
      [content, "utf-8", start, end, end < 10 ? end : undefined],
    );
  });
}

Deno.test("read_file returns every character once for consecutive ranges of bytes, wherever they fall", async () => {
  const text = "aé€😀ß\n€€";
  for (const limit_bytes of [4, 5, 6, 7]) {
    let got = "";
    for (let offset_bytes = 0; offset_bytes < 25; offset_bytes += limit_bytes) {
      const { value } = await read(text, { offset_bytes, limit_bytes });
      got += value?.content;
    }
    assertEquals(got, text, `${limit_bytes} at a time`);
  }
});

Deno.test("read_file leaves ranges of bytes as they are when the file is not text", async () => {
  const args = { offset_bytes: 2, limit_bytes: 2 };
  const notText: [content: Uint8Array, base64: string][] = [
    [Uint8Array.of(0, 0xe2, 0x82, 0xac, 0x61), "gqw="], // binary, with a € in it
    [Uint8Array.of(0x61, 0x62, 0xe9, 0x0a, 0x62), "6Qo="], // Latin-1
    [Uint8Array.of(0x61, 0x62, 0x63, 0xe2, 0x82), "Y+I="], // ends in the middle of a character
  ];
  for (const [content, base64] of notText) {
    const { value } = await read(content, args);
    assertEquals([value?.content, value?.encoding], [base64, "base64"]);
    assertEquals([value?.start_byte, value?.end_byte], [2, 4]);
  }
});

Deno.test("read_file says where to continue when a line is cut in the middle, never inside a character", async () => {
  const line = "😀".repeat(12); // 48 bytes, of which 20 fit
  const { value } = await read(`1\n${line}\nend\n`, { offset_lines: 2, limit_lines: 1 });
  assertEquals([value?.content, value?.truncated], ["😀".repeat(5), true]);
  assertEquals([value?.next_offset_lines, value?.next_offset_bytes], [undefined, 22]);
  let got = String(value?.content);
  for (let next = value?.next_offset_bytes; next !== undefined;) {
    const { value: more } = await read(`1\n${line}\nend\n`, { offset_bytes: next });
    got += more?.content;
    next = more?.next_offset_bytes;
  }
  assertEquals(got, `${line}\nend\n`);
});

Deno.test("read_file numbers the lines of the text and leaves the content alone", async () => {
  const { text, value } = await read("a\nb\n", { line_numbers: true });
  assertEquals([text, value?.content], ["     1\ta\n     2\tb\n", "a\nb\n"]);
  assertEquals((await read(TEN, { line_numbers: true, offset_lines: 10 })).text, "    10\t10\n");
  assertEquals((await read("a\n", { line_numbers: true, offset_bytes: 0 })).text, "a\n");
});

Deno.test("read_file returns bytes that are not UTF-8 as base64 and never repairs them", async () => {
  const latin1 = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
  for (const args of [{}, { offset_lines: 1 }, { offset_bytes: 0 }, { line_numbers: true }]) {
    const { text, value } = await read(latin1, args);
    assertEquals([value?.encoding, value?.content, value?.binary, text], [
      "base64",
      "Y2Fm6Qo=",
      false,
      "Y2Fm6Qo=",
    ]);
  }
  assertEquals((await read("a\0b")).value?.binary, true);
});

Deno.test("read_file refuses a whole read over the limit and accepts one at the limit", async () => {
  assertEquals((await read("x".repeat(40))).isError, false);
  const { text, isError } = await read("x".repeat(41));
  assertEquals(isError, true);
  assertStringIncludes(text, "file too large for full read (size: 41B, limit: 40B); use offset/limit");
});
