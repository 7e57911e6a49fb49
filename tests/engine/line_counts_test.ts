import { assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { LineCounts } from "../../src/engine/line_counts.ts";
import { describeEntry } from "../../src/engine/metadata.ts";
import { type EngineFolder, engineFolder } from "../support/engine.ts";

const { signal } = new AbortController();

/** Writes a file that was last changed this many seconds ago. */
function write(folder: EngineFolder, content: string | Uint8Array, age = 1_000): void {
  const time = Date.now() / 1000 - age;
  Deno.utimeSync(folder.write("a.txt", content), time, time);
}

function count(counts: LineCounts, folder: EngineFolder, maxBytes = 1_000): Promise<number> {
  const path = folder.at("a.txt");
  return counts.count("a", { path, facts: describeEntry(path), maxBytes, signal });
}

function known(counts: LineCounts, folder: EngineFolder): number | undefined {
  return counts.known("a", describeEntry(folder.at("a.txt")));
}

Deno.test("count counts lines, whatever ends them", async () => {
  using folder = engineFolder();
  const cases: [content: string, lines: number][] = [
    ["", 0],
    ["\n", 1],
    ["a", 1],
    ["a\n", 1],
    ["a\r\nb\rc\n\n", 4],
    ["\uFEFF", 0],
    ["\uFEFFa\nb", 2],
  ];
  for (const [content, lines] of cases) {
    write(folder, content);
    assertEquals(await count(new LineCounts(), folder), lines, JSON.stringify(content));
  }
});

Deno.test("count returns -1 for files that are too large, not text, or unreadable", async () => {
  using folder = engineFolder();
  write(folder, "x".repeat(11));
  assertEquals(await count(new LineCounts(), folder, 10), -1);
  assertEquals(await count(new LineCounts(), folder, 11), 1);
  write(folder, new Uint8Array([0xff, 0x0a]));
  assertEquals(await count(new LineCounts(), folder), -1);
  const gone = { path: folder.at("gone.txt"), facts: { ino: 1, size: 1, mtimeMs: 1 }, maxBytes: 10, signal };
  assertEquals(await new LineCounts().count("gone", gone), -1);
});

Deno.test("known remembers a count until the inode, size or time of change differs", async () => {
  using folder = engineFolder();
  const counts = new LineCounts();
  write(folder, "a\nb\n");
  assertEquals(known(counts, folder), undefined);
  await count(counts, folder);
  assertEquals(known(counts, folder), 2);
  const facts = describeEntry(folder.at("a.txt"));
  assertEquals(counts.known("b", facts), undefined);
  for (const other of [{ ino: 1 }, { ino: null }, { size: 5 }, { mtimeMs: facts.mtimeMs + 1 }]) {
    assertEquals(counts.known("a", { ...facts, ...other }), undefined, JSON.stringify(other));
  }
  write(folder, "a\nb\nc\n", 500);
  assertEquals(known(counts, folder), undefined);
  assertEquals(await count(counts, folder), 3);
  assertEquals(known(counts, folder), 3);
});

Deno.test("known remembers that a file is not text, but not that it was too large or unreadable", async () => {
  using folder = engineFolder();
  const counts = new LineCounts();
  write(folder, new Uint8Array([0xff]));
  await count(counts, folder);
  assertEquals(known(counts, folder), -1);
  write(folder, "a\n");
  assertEquals(await count(counts, folder, 1), -1);
  assertEquals(known(counts, folder), undefined);
  const facts = { ino: 1, size: 1, mtimeMs: 1 };
  await counts.count("gone", { path: folder.at("gone.txt"), facts, maxBytes: 10, signal });
  assertEquals(counts.known("gone", facts), undefined);
});

Deno.test("known does not remember what was changed just before it was counted", async () => {
  using folder = engineFolder();
  const counts = new LineCounts();
  write(folder, "a\n", 0);
  assertEquals(await count(counts, folder), 1);
  assertEquals(known(counts, folder), undefined);
});

Deno.test("known drops the oldest of more than it remembers", async () => {
  using folder = engineFolder();
  const counts = new LineCounts(100);
  write(folder, "a\n");
  const path = folder.at("a.txt");
  const facts = describeEntry(path);
  for (let i = 0; i <= 100; i++) await counts.count(`${i}`, { path, facts, maxBytes: 10, signal });
  assertEquals([0, 1, 100].map((i) => counts.known(`${i}`, facts)), [undefined, 1, 1]);
});

Deno.test("count stops when told to, instead of returning -1", async () => {
  using folder = engineFolder();
  write(folder, "a\n");
  const stopped = AbortSignal.abort(new PaddockError("TIMEOUT", "too long"));
  const path = folder.at("a.txt");
  const counting = () =>
    new LineCounts().count("a", { path, facts: describeEntry(path), maxBytes: 10, signal: stopped });
  await assertRejects(counting, PaddockError, "too long");
});
