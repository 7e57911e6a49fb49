import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { ConfinedFile } from "../../src/confine/confined_fs.ts";
import { readAll, readBytes, readLines, readWhole } from "../../src/engine/read.ts";
import { abortedAfter, type EngineFolder, engineFolder, refusal } from "../support/engine.ts";
import { withMkfifo } from "../support/needs.ts";

const MB = 1024 * 1024;
const CANCELLED = "TIMEOUT: the call was cancelled";
const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const tooLarge = (size: number) => new PaddockError("TOO_LARGE", `${size} bytes`);

const LINE_CASES: {
  name: string;
  content: string;
  offset: number;
  limit?: number;
  maxBytes?: number;
  text: string;
  lines: [start: number, end: number, total: number];
  cut?: boolean;
}[] = [
  { name: "all lines", content: "a\nb\nc\n", offset: 1, text: "a\nb\nc\n", lines: [1, 3, 3] },
  { name: "the first line", content: "a\nb\nc\n", offset: 1, limit: 1, text: "a\n", lines: [1, 1, 3] },
  {
    name: "lines in the middle",
    content: "a\nb\nc\nd\n",
    offset: 2,
    limit: 2,
    text: "b\nc\n",
    lines: [2, 3, 4],
  },
  {
    name: "a last line without an ending",
    content: "a\nb",
    offset: 2,
    limit: 9,
    text: "b",
    lines: [2, 2, 2],
  },
  {
    name: "a BOM, which stays with line 1",
    content: "\uFEFFa\nb\n",
    offset: 1,
    limit: 1,
    text: "\uFEFFa\n",
    lines: [1, 1, 2],
  },
  { name: "a BOM alone", content: "\uFEFF", offset: 1, text: "\uFEFF", lines: [1, 1, 1] },
  { name: "CRLF", content: "a\r\nb\r\nc", offset: 2, limit: 1, text: "b\r\n", lines: [2, 2, 3] },
  {
    name: "lone CRs, which end no line",
    content: "a\nb\rc\r\nd",
    offset: 2,
    limit: 1,
    text: "b\rc\r\n",
    lines: [2, 2, 3],
  },
  {
    name: "mixed endings",
    content: "a\r\n\r\r\n\nb",
    offset: 2,
    limit: 2,
    text: "\r\r\n\n",
    lines: [2, 3, 4],
  },
  { name: "an empty file", content: "", offset: 1, text: "", lines: [1, 0, 0] },
  { name: "an empty file, beyond its end", content: "", offset: 5, limit: 2, text: "", lines: [5, 4, 0] },
  { name: "the line after the last", content: "a\nb\n", offset: 3, limit: 2, text: "", lines: [3, 2, 2] },
  { name: "lines far beyond the end", content: "a\n", offset: 100, text: "", lines: [100, 99, 1] },
  {
    name: "a range that extends past the end",
    content: "a\nb\nc",
    offset: 2,
    limit: 50,
    text: "b\nc",
    lines: [2, 3, 3],
  },
  { name: "no lines", content: "a\nb\n", offset: 2, limit: 0, text: "", lines: [2, 1, 2] },
  {
    name: "whole lines only, when cut",
    content: "aaa\nbbb\nccc\n",
    offset: 1,
    maxBytes: 9,
    text: "aaa\nbbb\n",
    lines: [1, 2, 3],
    cut: true,
  },
  {
    name: "all, when it just fits",
    content: "aaa\nbbb\n",
    offset: 1,
    maxBytes: 8,
    text: "aaa\nbbb\n",
    lines: [1, 2, 2],
  },
  {
    name: "the beginning of a line that is too long",
    content: "aaaa\nb\n",
    offset: 1,
    maxBytes: 3,
    text: "aaa",
    lines: [1, 1, 2],
    cut: true,
  },
  {
    name: "whole characters, when cut",
    content: "ééé\n",
    offset: 1,
    maxBytes: 3,
    text: "é",
    lines: [1, 1, 1],
    cut: true,
  },
];

for (const { name, content, offset, limit, maxBytes = 1_000, text, lines, cut = false } of LINE_CASES) {
  Deno.test(`readLines returns ${name}`, async () => {
    using folder = engineFolder();
    folder.write("a.txt", content);
    const range = await readLines(folder.at("a.txt"), { offset, limit, maxBytes });
    assertEquals(decode(range.bytes), text);
    assertEquals([range.startLine, range.endLine, range.linesTotal], lines);
    assertEquals([range.size, range.binary, range.cut], [
      new TextEncoder().encode(content).length,
      false,
      cut,
    ]);
  });
}

Deno.test("readLines finds lines that span its chunks", async () => {
  using folder = engineFolder();
  const long = "x".repeat(256 * 1024 - 1);
  folder.write("a.txt", `${long}\r\nsecond\n${long}\n${long}`); // the first CRLF is split by the end of a chunk
  const range = await readLines(folder.at("a.txt"), { offset: 2, limit: 2, maxBytes: MB });
  assert(decode(range.bytes) === `second\n${long}\n`);
  assertEquals([range.startLine, range.endLine, range.linesTotal, range.cut], [2, 3, 4, false]);
});

Deno.test("readBytes continues where readLines had to cut a line of 30 MB, and loses no character", async () => {
  using folder = engineFolder();
  const line = "€".repeat(10 * MB);
  folder.write("a.txt", `first\n${line}\nlast\n`);
  const { bytes, startByte, cut } = await readLines(folder.at("a.txt"), {
    offset: 2,
    limit: 1,
    maxBytes: 10 * MB,
  });
  assertEquals([startByte, bytes.length, cut], [6, 10 * MB - 1, true]); // a multiple of 3
  let length = decode(bytes).length;
  for (let next = startByte + bytes.length; next < 6 + 30 * MB;) {
    const range = await readBytes(folder.at("a.txt"), { offset: next, limit: undefined, maxBytes: 10 * MB });
    assertEquals(range.startByte, next);
    length += decode(range.bytes).length;
    next += range.bytes.length;
  }
  assertEquals(length, line.length + "\nlast\n".length);
});

const BYTE_CASES = [
  { offset: 0, limit: undefined, maxBytes: 100, text: "0123456789", cut: false },
  { offset: 3, limit: 4, maxBytes: 100, text: "3456", cut: false },
  { offset: 8, limit: 10, maxBytes: 100, text: "89", cut: false },
  { offset: 10, limit: 1, maxBytes: 100, text: "", cut: false },
  { offset: 5_000_000_000, limit: 1, maxBytes: 100, text: "", cut: false },
  { offset: 0, limit: 0, maxBytes: 100, text: "", cut: false },
  { offset: 2, limit: undefined, maxBytes: 3, text: "234", cut: true },
  { offset: 2, limit: 5, maxBytes: 3, text: "234", cut: true },
  { offset: 2, limit: 3, maxBytes: 3, text: "234", cut: false },
  { offset: 7, limit: 5, maxBytes: 3, text: "789", cut: false },
];

for (const { offset, limit, maxBytes, text, cut } of BYTE_CASES) {
  Deno.test(`readBytes from ${offset}, ${limit} long, at most ${maxBytes}, returns ${JSON.stringify(text)}`, async () => {
    using folder = engineFolder();
    folder.write("a.txt", "0123456789");
    const range = await readBytes(folder.at("a.txt"), { offset, limit, maxBytes });
    assertEquals([decode(range.bytes), range.size, range.cut, range.binary], [text, 10, cut, false]);
  });
}

Deno.test("readBytes in pieces returns every byte of a text once, including invalid ones", async () => {
  using folder = engineFolder();
  // Across all cuts: whole characters, a truncated one, and bytes that belong to none.
  const text = Uint8Array.of(
    0x61,
    0xb6,
    0x0a,
    ...new TextEncoder().encode("é😀漢x"),
    0xe6,
    0xbc,
    0x78,
    0xf0,
    0x9f,
  );
  folder.write("a.txt", text);
  for (let maxBytes = 1; maxBytes <= text.length; maxBytes++) {
    const read: number[] = [];
    while (read.length < text.length) {
      const offset = read.length;
      const range = await readBytes(folder.at("a.txt"), { offset, limit: undefined, maxBytes });
      assertEquals(range.startByte, offset, `in pieces of ${maxBytes}`);
      read.push(...range.bytes);
    }
    assertEquals(Uint8Array.from(read), text);
  }
});

Deno.test("readBytes and readLines recognise a binary file by its beginning, whatever the range", async () => {
  using folder = engineFolder();
  folder.write("a.bin", "\0\nplain\ntext\n");
  assert((await readBytes(folder.at("a.bin"), { offset: 2, limit: 5, maxBytes: 100 })).binary);
  assert((await readLines(folder.at("a.bin"), { offset: 2, limit: 1, maxBytes: 100 })).binary);
  assert((await readWhole(folder.at("a.bin"), { maxBytes: 100, tooLarge })).binary);
});

Deno.test("readBytes reads beyond 4 GB", async () => {
  using folder = engineFolder();
  const offset = 5 * 1024 * MB;
  sparse(folder, { size: offset, tail: "the end" });
  const range = await readBytes(folder.at("big"), { offset: offset + 4, limit: undefined, maxBytes: 100 });
  assertEquals([decode(range.bytes), range.size], ["end", offset + 7]);
});

Deno.test("readWhole returns a file that just fits, and refuses a larger one", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "12345");
  folder.write("empty", "");
  const read = (name: string, maxBytes: number) => readWhole(folder.at(name), { maxBytes, tooLarge });
  const { bytes, size, cut } = await read("a.txt", 5);
  assertEquals([decode(bytes), size, cut], ["12345", 5, false]);
  assertEquals((await read("empty", 0)).size, 0);
  assertEquals(await refusal(read("a.txt", 4)), "TOO_LARGE: 5 bytes");
});

Deno.test("readAll returns what was added after the file was opened", async () => {
  using folder = engineFolder();
  const path = folder.write("a.txt", "old");
  using file = await ConfinedFile.open(folder.at("a.txt"));
  const more = "x".repeat(100_000);
  Deno.writeTextFileSync(path, more, { append: true });
  assert(decode(await readAll(file)) === `old${more}`);
  Deno.truncateSync(path, 2);
  assertEquals(decode(await readAll(file)), "ol");
});

Deno.test("readAll gives up on a file that grows as fast as it is read", async () => {
  using folder = engineFolder();
  const name = folder.write("a.log", "0123456789");
  using file = await ConfinedFile.open(folder.at("a.log"));
  const read = file.readAt.bind(file);
  let grown = 0;
  file.readAt = (buffer, position) => {
    if (grown++ < 50) Deno.writeFileSync(name, new Uint8Array(100_000), { append: true });
    return read(buffer, position);
  };
  assertEquals(
    await refusal(readAll(file)),
    'CONFLICT: "a.log" kept growing while it was read; try again later',
  );
  assert(grown < 20, `${grown} times`);
});

Deno.test("readWhole refuses a file that outgrows the limit while it is read", async () => {
  using folder = engineFolder();
  const path = folder.write("a.txt", "x".repeat(2 * MB)); // more than one chunk
  const signal = onLook(() => Deno.writeTextFileSync(path, "67890", { append: true }));
  const whole = readWhole(folder.at("a.txt"), { maxBytes: 2 * MB + 1, tooLarge, signal });
  assertEquals(await refusal(whole), `TOO_LARGE: ${2 * MB + 5} bytes`);
});

Deno.test("readBytes and readLines stay consistent when the file grows or shrinks meanwhile", async () => {
  using folder = engineFolder();
  const path = folder.write("a.txt", "a\nb\n");
  const grow = () => onLook(() => Deno.writeTextFileSync(path, "c\n", { append: true }));
  const lines = await readLines(folder.at("a.txt"), {
    offset: 1,
    limit: undefined,
    maxBytes: 100,
    signal: grow(),
  });
  assertEquals([decode(lines.bytes), lines.size, lines.linesTotal], ["a\nb\nc\n", 6, 3]);
  const range = { offset: 0, limit: undefined, maxBytes: 100 };
  const bytes = await readBytes(folder.at("a.txt"), { ...range, signal: grow() });
  assertEquals([decode(bytes.bytes), bytes.size], ["a\nb\nc\n", 6]); // its end was determined when it was opened
  folder.write("b.txt", "x".repeat(3 * MB));
  const shrink = onLook(() => Deno.truncateSync(`${folder.path}/b.txt`, 10));
  const cut = await readBytes(folder.at("b.txt"), { ...range, maxBytes: 4 * MB, signal: shrink });
  assertEquals([cut.bytes.length, cut.cut], [MB, false]);
});

Deno.test("readLines, readBytes and readWhole stop between two chunks when the call is cancelled", async () => {
  using folder = engineFolder();
  sparse(folder, { size: 1024 * MB, tail: "" });
  const range = { offset: 1, limit: undefined, maxBytes: 4 * MB };
  const real = new AbortController();
  setTimeout(() => real.abort(), 0); // it only gets its turn because the loop yields
  assertEquals(await refusal(readLines(folder.at("big"), { ...range, signal: real.signal })), CANCELLED);
  assertEquals(await refusal(readLines(folder.at("big"), { ...range, signal: abortedAfter(3) })), CANCELLED);
  assertEquals(await refusal(readBytes(folder.at("big"), { ...range, signal: abortedAfter(3) })), CANCELLED);
  Deno.truncateSync(`${folder.path}/big`, 4 * MB);
  const whole = readWhole(folder.at("big"), { maxBytes: 4 * MB, signal: abortedAfter(3), tooLarge });
  assertEquals(await refusal(whole), CANCELLED);
});

Deno.test(
  withMkfifo("readLines refuses a folder, a pipe and a missing file, without hanging"),
  async () => {
    using folder = engineFolder();
    Deno.mkdirSync(`${folder.path}/sub`);
    assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync().code, 0);
    const read = (name: string) => refusal(readLines(folder.at(name), { offset: 1, limit: 1, maxBytes: 1 }));
    assertEquals(await read("sub"), 'INVALID_INPUT: path is a directory, not a file: "sub"');
    assertEquals(await read("pipe"), 'UNSUPPORTED: not a regular file (a device, pipe or socket): "pipe"');
    assertEquals(await read("no.txt"), "NOT_FOUND: file not found: no.txt");
  },
);

/** A file of zeros that takes no space, with something at its end. */
function sparse(folder: EngineFolder, { size, tail }: { size: number; tail: string }): void {
  using file = Deno.openSync(folder.write("big", ""), { write: true });
  file.truncateSync(size);
  file.seekSync(size, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode(tail));
}

/** A signal that does something when it is first checked, after the first chunk, and is never aborted. */
function onLook(action: () => void): AbortSignal {
  const { signal } = new AbortController();
  let looked = false;
  Object.defineProperty(signal, "aborted", {
    get() {
      if (!looked) action();
      looked = true;
      return false;
    },
  });
  return signal;
}

Deno.test("readWhole, readBytes and readLines ask for room for what they will read, and wait without opening the file", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "0123456789");
  const path = folder.at("a.txt");
  for (
    const [wanted, read] of [
      [10, (room: Room) => readWhole(path, { maxBytes: 100, tooLarge, room })],
      [3, (room: Room) => readBytes(path, { offset: 2, limit: 3, maxBytes: 100, room })],
      [4, (room: Room) => readBytes(path, { offset: 6, limit: undefined, maxBytes: 100, room })],
      [5, (room: Room) => readBytes(path, { offset: 0, limit: undefined, maxBytes: 5, room })],
      [10, (room: Room) => readLines(path, { offset: 1, limit: 1, maxBytes: 100, room })],
    ] as const
  ) {
    const asked: number[] = [];
    const gate = Promise.withResolvers<void>();
    const room = (bytes: number) => {
      asked.push(bytes);
      return gate.promise;
    };
    const reading = read(room);
    await new Promise((resolve) => setTimeout(resolve, 1));
    folder.write("a.txt", "abcdefghij"); // replaced while it waits: the new content is read
    gate.resolve();
    assertEquals(asked, [wanted]);
    assert(/^[a-j]+$/.test(decode((await reading).bytes)));
    folder.write("a.txt", "0123456789");
    assertEquals(/^[0-9]+$/.test(decode((await read(() => undefined)).bytes)), true);
  }
});

type Room = (bytes: number) => Promise<void> | undefined;
