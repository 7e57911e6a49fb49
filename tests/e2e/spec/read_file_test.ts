/** read_file, by the numbers of the specification. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { suite } from "./suite.ts";

const e2e = suite({ settings: "max_full_read_size: 100" });

const EACH_BYTE = Uint8Array.from({ length: 256 }, (_, i) => i);
const HUNDRED_LINES = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join("");

e2e("E2E-007: read_file returns a file up to the threshold whole", async ({ at, write, root, ...call }) => {
  const content = "s".repeat(99) + "\n";
  write("small.txt", content);
  assertEquals(await call.text("read_file", at("small.txt")), content);
  assertEquals(await call.ok("read_file", at("small.txt")), {
    content,
    encoding: "utf-8",
    size: 100,
    binary: false,
    truncated: false,
    start_line: 1,
    end_line: 1,
    lines_total: 1,
    hash: await hexOf(content),
  });
  assertEquals(
    await call.refused("read_file", at("src/missing.go")),
    `file not found: src/missing.go (root: ${root})`,
  );
  assertStringIncludes(await call.refused("read_file", at(".")), "path is a directory, not a file");
});

e2e("E2E-008: read_file refuses a larger file, with its size and the limit", async (given) => {
  const { at, write, root, ok, refused } = given;
  write("large.txt", "l".repeat(500));
  assertEquals(
    await refused("read_file", at("large.txt")),
    "file too large for full read (size: 500B, limit: 100B); use offset/limit parameters (offset_lines and limit_lines, or tail_lines), or grep: large.txt " +
      `(root: ${root})`,
  );
  assertEquals((await ok("read_file", at("large.txt", { offset_bytes: 0 }))).content.length, 500);
  assertEquals((await ok("read_file", at("large.txt", { limit_lines: 1 }))).content.length, 500);
});

e2e("E2E-009: read_file returns exactly the requested bytes", async ({ at, write, ok }) => {
  write("data.bin", EACH_BYTE);
  const text = await ok("read_file", at("data.bin", { offset_bytes: 10, limit_bytes: 20 }));
  assertEquals([text.encoding, text.size, text.truncated], ["utf-8", 256, true]);
  assertEquals(text.content, String.fromCharCode(...EACH_BYTE.subarray(10, 30)));
  assertEquals(text.next_offset_bytes, 30);
  const bytes = await ok("read_file", at("data.bin", { offset_bytes: 200, limit_bytes: 100 }));
  assertEquals([bytes.encoding, bytes.truncated, bytes.next_offset_bytes], ["base64", false, undefined]);
  assertEquals(Uint8Array.fromBase64(bytes.content), EACH_BYTE.slice(200));
  write("umlaut.txt", "äöü\n");
  const half = await ok("read_file", at("umlaut.txt", { offset_bytes: 0, limit_bytes: 1 }));
  assertEquals([half.encoding, half.content, half.start_byte, half.end_byte], ["utf-8", "ä", 0, 2]);
});

e2e(
  "E2E-010: read_file returns the requested lines, and where to continue",
  async ({ at, write, ok, text }) => {
    write("lines.txt", HUNDRED_LINES);
    const five = at("lines.txt", { offset_lines: 50, limit_lines: 5 });
    assertEquals(await text("read_file", five), "line 50\nline 51\nline 52\nline 53\nline 54\n");
    const { content: _, ...rest } = await ok("read_file", five);
    assertEquals(rest, {
      encoding: "utf-8",
      size: 792,
      binary: false,
      truncated: true,
      start_line: 50,
      end_line: 54,
      lines_total: 100,
      next_offset_lines: 55,
    });
    const last = await ok("read_file", at("lines.txt", { offset_lines: 99, limit_lines: 50 }));
    assertEquals([last.content, last.truncated, last.end_line], ["line 99\nline 100\n", false, 100]);
    const numbered = at("lines.txt", { offset_lines: 100, line_numbers: true });
    assertEquals(await text("read_file", numbered), "   100\tline 100\n");
    assertEquals((await ok("read_file", numbered)).content, "line 100\n");
  },
);

e2e("E2E-011: read_file refuses byte and line parameters together", async (given) => {
  const { at, write, root, refused } = given;
  write("file.txt", "x");
  for (const both of [{ offset_bytes: 0, offset_lines: 1 }, { limit_bytes: 1, limit_lines: 1 }]) {
    assertMatch(await refused("read_file", at("file.txt", both)), /^byte and line .* mutually exclusive/);
  }
  assertEquals(
    await refused("read_file", at("file.txt", { offset_lines: 0 })),
    `offset_lines must be at least 1; 0 was given (root: ${root}, path: "file.txt")`,
  );
});

e2e("E2E-012: read_file returns nothing beyond the end, and says how much there is", async (given) => {
  const { at, write, ok, text } = given;
  write("short.txt", "1\n2\n3\n4\n5\n");
  const lines = at("short.txt", { offset_lines: 100, limit_lines: 10 });
  const { content, lines_total, truncated } = await ok("read_file", lines);
  assertEquals([content, lines_total, truncated], ["", 5, false]);
  assertEquals(await text("read_file", lines), "(no lines here: the file has 5)");
  const bytes = at("short.txt", { offset_bytes: 100 });
  const past = await ok("read_file", bytes);
  assertEquals([past.content, past.size], ["", 10]);
  assertEquals(await text("read_file", bytes), "(no bytes here: the file has 10)");
});

e2e("E2E-013: read_file recognises a binary file, wherever it is read", async ({ at, write, ok }) => {
  write("image.bin", EACH_BYTE);
  for (const part of [{ offset_bytes: 0, limit_bytes: 100 }, { offset_bytes: 50 }, { limit_lines: 1 }]) {
    assertEquals((await ok("read_file", at("image.bin", part))).binary, true);
  }
  write("late.bin", new Uint8Array(9_000).fill(0x61).with(8_192, 0));
  assertEquals((await ok("read_file", at("late.bin", { limit_bytes: 1 }))).binary, false);
});
