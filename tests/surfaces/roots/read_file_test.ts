import { assertEquals, assertStringIncludes } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

/** Reads a file that holds `content`, with a limit of 40 bytes for whole reads and 20 for ranges. */
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
  Deno.test(`read_file gives ${JSON.stringify(content)} whole, byte for byte, with its lines`, async () => {
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
  }],
  [{ offset_bytes: 2, limit_bytes: 3 }, "2\n3", { truncated: true, next_offset_bytes: 5 }],
  [{ limit_bytes: 1 }, "1", { truncated: true, next_offset_bytes: 1 }],
  [{ offset_bytes: 18 }, "10\n", { truncated: false }],
  [{ offset_bytes: 0 }, TEN.slice(0, 20), { truncated: true, next_offset_bytes: 20 }],
  [{ offset_bytes: 21, limit_bytes: 5 }, "", { truncated: false }],
  [{ offset_bytes: 5_000 }, "", { truncated: false }],
];

for (const [args, content, rest] of RANGES) {
  Deno.test(`read_file gives ${JSON.stringify(content)} of ten lines for ${JSON.stringify(args)}`, async () => {
    const { value } = await read(TEN, args);
    assertEquals(value, { content, encoding: "utf-8", size: 21, binary: false, ...rest });
  });
}

Deno.test("read_file gives the hash of whole files only, whichever way they are asked for", async () => {
  const bytes = new Uint8Array([0xff, 0, 1]);
  for (const args of [{}, { limit_bytes: 3 }, { offset_lines: 1, limit_lines: 5 }]) {
    assertEquals((await read(bytes, args)).value?.hash, await hexOf(bytes));
  }
  for (const args of [{ limit_bytes: 2 }, { offset_bytes: 1 }, { offset_lines: 2 }]) {
    assertEquals((await read(bytes, args)).value?.hash, undefined);
  }
});

Deno.test("read_file reads on to the end when asked for what it said comes next", async () => {
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

Deno.test("read_file numbers the lines of the text and leaves the content alone", async () => {
  const { text, value } = await read("a\nb\n", { line_numbers: true });
  assertEquals([text, value?.content], ["     1\ta\n     2\tb\n", "a\nb\n"]);
  assertEquals((await read(TEN, { line_numbers: true, offset_lines: 10 })).text, "    10\t10\n");
  assertEquals((await read("a\n", { line_numbers: true, offset_bytes: 0 })).text, "a\n");
});

Deno.test("read_file gives bytes that are not UTF-8 as base64 and never patches them up", async () => {
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

Deno.test("read_file refuses a whole read over the limit and takes one at the limit", async () => {
  assertEquals((await read("x".repeat(40))).isError, false);
  const { text, isError } = await read("x".repeat(41));
  assertEquals(isError, true);
  assertStringIncludes(text, "file too large for full read (size: 41B, limit: 40B); use offset/limit");
});
