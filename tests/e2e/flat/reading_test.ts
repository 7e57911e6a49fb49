/** Section 2.1: reading, over every interface. */
import { assertEquals, assertMatch } from "@std/assert";
import { needs } from "../../support/needs.ts";
import { type Face, sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--max-size=1"] });

type Range = [start?: number | undefined, end?: number];

/** What a read returns on any interface: the lines, their number in the file, and the range counted from 0. */
async function read(face: Face, name: string, [start, end]: Range = []) {
  const answer = await face.ok("read_file", {
    name,
    ...(start === undefined ? {} : { start_line: start + face.base }),
    ...(end === undefined ? {} : { end_line: end + face.base }),
  });
  if (face.base === 1) return { content: answer.content, total: answer.total_lines };
  const [, head = "", content] = /^(.*?)\n\n(.*)$/s.exec(answer) ?? [];
  const [, total] = /\((?:lines \d+-\d+ of )?(\d+) (?:lines|total)\)$/.exec(head) ?? [];
  return { content, total: Number(total) };
}

Deno.test("2.1 read_file returns the content and the number of lines of a whole file", async () => {
  flat().folder.write("test.txt", "line1\nline2\nline3");
  await flat().each(async (face) => {
    assertEquals(await read(face, "test.txt"), { content: "line1\nline2\nline3", total: 3 });
  });
});

Deno.test("2.1 read_file returns only the lines of a range, both ends included", async () => {
  flat().folder.write("range.txt", "0\n1\n2\n3\n4\n");
  const cases: [range: Range, content: string][] = [
    [[2, 3], "2\n3"],
    [[2], "2\n3\n4"],
    [[undefined, 1], "0\n1"],
    [[0, 0], "0"],
    [[4, 4], "4"],
    [[3, 100], "3\n4"],
    [[undefined, 100], "0\n1\n2\n3\n4"],
    [[0], "0\n1\n2\n3\n4"],
  ];
  await flat().each(async (face) => {
    for (const [range, content] of cases) {
      assertEquals(await read(face, "range.txt", range), { content, total: 5 }, `${range}`);
    }
  });
});

Deno.test("2.1 read_file echoes the requested range, and nothing if there was none", async () => {
  flat().folder.write("echo.txt", "a\nb\nc\n");
  for (const name of ["rest", "bare", "bare over http"] as const) {
    const { ok } = flat().face(name);
    assertEquals(await ok("read_file", { name: "echo.txt", start_line: 2, end_line: 9 }), {
      content: "b\nc",
      total_lines: 3,
      range_requested: { start_line: 2, end_line: 9 },
    });
    assertEquals(await ok("read_file", { name: "echo.txt", end_line: 1 }), {
      content: "a",
      total_lines: 3,
      range_requested: { end_line: 1 },
    });
    assertEquals(await ok("read_file", { name: "echo.txt" }), { content: "a\nb\nc", total_lines: 3 });
  }
});

Deno.test("2.1 split_lines: every kind of ending ends a line, and a final one does not start another", async () => {
  const { folder } = flat();
  const cases: [text: string, content: string, total: number][] = [
    ["", "", 0],
    ["\n", "", 1],
    ["a", "a", 1],
    ["a\n", "a", 1],
    ["a\n\n", "a\n", 2],
    ["a\r\nb\r\n", "a\nb", 2],
    ["a\rb\r", "a\nb", 2],
    ["a\r\nb\rc\nd", "a\nb\nc\nd", 4],
    ["\uFEFFa\nb\n", "a\nb", 2],
    ["\uFEFF", "", 0],
    ["é😀\n日本\n", "é😀\n日本", 2],
    ["a\u2028b\n", "a\u2028b", 1],
  ];
  for (const [i, [text]] of cases.entries()) folder.write(`split-${i}.txt`, text);
  await flat().each(async (face) => {
    for (const [i, [text, content, total]] of cases.entries()) {
      const told = JSON.stringify(text);
      assertEquals(await read(face, `split-${i}.txt`), { content, total }, told);
      if (total > 0) assertEquals(await read(face, `split-${i}.txt`, [0]), { content, total }, told);
      assertEquals(await read(face, `split-${i}.txt`, [undefined, 99]), { content, total }, told);
    }
  });
});

Deno.test("2.1 read_file reports a missing file: -32001", async () => {
  await flat().each(async (face) => {
    const { message, code, status } = await face.refused("read_file", { name: "missing.txt" });
    assertEquals(message, "File 'missing.txt' not found");
    assertEquals(code, face.base === 1 ? -32001 : undefined);
    assertEquals(status, face.name === "rest" ? 404 : undefined);
  });
});

Deno.test("2.1 read_file refuses a range that starts after its end: -32602", async () => {
  flat().folder.write("order.txt", "a\n");
  await flat().each(async (face) => {
    const answer = await face.refused("read_file", { name: "order.txt", start_line: 5, end_line: 3 });
    assertEquals(answer.message, "Invalid line range: start 5 > end 3");
    assertEquals(answer.code, face.base === 1 ? -32602 : undefined);
    assertEquals(answer.status, face.name === "rest" ? 400 : undefined);
  });
});

Deno.test("2.1 read_file refuses a start beyond the end of the file, in the caller's numbers", async () => {
  flat().folder.write("short.txt", "a\nb\nc\n");
  flat().folder.write("empty.txt", "");
  await flat().each(async (face) => {
    const cases: [file: string, args: Record<string, number>, message: string][] = [
      ["short.txt", { start_line: 3 + face.base }, `Start line ${3 + face.base} exceeds file length 3`],
      ["short.txt", { start_line: 9, end_line: 12 }, "Start line 9 exceeds file length 3"],
      ["empty.txt", { start_line: face.base }, `Start line ${face.base} exceeds file length 0`],
    ];
    for (const [name, args, message] of cases) {
      assertEquals((await face.refused("read_file", { name, ...args })).message, message);
    }
  });
});

Deno.test("2.1 read_file refuses invalid line numbers", async () => {
  flat().folder.write("numbers.txt", "a\n");
  await flat().each(async (face) => {
    const wrong = [face.base - 1, -5, 1.5, "two", true, {}];
    for (const value of wrong) {
      for (const key of ["start_line", "end_line"]) {
        const { message, code } = await face.refused("read_file", { name: "numbers.txt", [key]: value });
        assertEquals(
          message,
          `Line numbers must be ${face.base === 0 ? "non-negative" : "positive"} integers`,
        );
        assertEquals(code, face.base === 1 ? -32602 : undefined);
      }
    }
    const beyond = { name: "numbers.txt", start_line: 2 ** 60 };
    assertMatch((await face.refused("read_file", beyond)).message, /^Line numbers must be/);
  });
});

Deno.test("2.1 read_file refuses a file over the limit: -32001, and accepts one that just fits", async () => {
  const { folder } = flat();
  folder.write("fits.txt", "x".repeat(1024 * 1024));
  folder.write("large.txt", "x".repeat(1024 * 1024 + 1));
  folder.write("larger.txt", "x".repeat(2.5 * 1024 * 1024));
  await flat().each(async (face) => {
    assertEquals((await read(face, "fits.txt")).content?.length, 1024 * 1024);
    const { message, code, status } = await face.refused("read_file", { name: "large.txt", end_line: 1 });
    assertEquals(message, "File size 1.01MB exceeds maximum limit 1MB");
    assertEquals(code, face.base === 1 ? -32001 : undefined);
    assertEquals(status, face.name === "rest" ? 413 : undefined);
    const larger = await face.refused("read_file", { name: "larger.txt" });
    assertEquals(larger.message, "File size 2.5MB exceeds maximum limit 1MB");
  });
});

Deno.test("2.1 read_file refuses what is not UTF-8", async () => {
  const { folder } = flat();
  const wrong: number[][] = [[0xff, 0xfe, 0x61], [0x61, 0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe9]];
  for (const [i, bytes] of wrong.entries()) folder.write(`latin-${i}.txt`, new Uint8Array(bytes));
  await flat().each(async (face) => {
    for (const i of wrong.keys()) {
      const { message, code } = await face.refused("read_file", { name: `latin-${i}.txt` });
      assertEquals(message, "File contains invalid UTF-8 encoding");
      assertEquals(code, face.base === 1 ? -32001 : undefined);
    }
  });
});

Deno.test({
  ...needs("Unix", "a user other than root")("2.1 read_file reports that permission was denied"),
  fn: async () => {
    Deno.chmodSync(flat().folder.write("secret.txt", "a"), 0o000);
    await flat().each(async (face) => {
      const { message, code } = await face.refused("read_file", { name: "secret.txt" });
      assertEquals(message, "Permission denied accessing 'secret.txt'");
      assertEquals(code, face.base === 1 ? -32001 : undefined);
    });
  },
});

Deno.test("2.1 read_file refuses a folder", async () => {
  Deno.mkdirSync(`${flat().folder.path}/sub`);
  await flat().each(async (face) => {
    assertMatch((await face.refused("read_file", { name: "sub" })).message, /is a directory, not a file/);
  });
});
