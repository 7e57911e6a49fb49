import { assert, assertEquals } from "@std/assert";
import { writeText } from "../../src/engine/write.ts";
import { abortedAfter, DENIED, type EngineFolder, engineFolder, refusal } from "../support/engine.ts";
import { hexOf } from "../support/sha256.ts";
import { numberedContent, numberOf, OVERWRITER } from "../support/overwriter.ts";

function write(folder: EngineFolder, text: string, mode: "overwrite" | "append" | "create_only") {
  return writeText(folder.at("a.txt"), text, { mode, changing: folder.changing });
}

const CASES = [
  { mode: "overwrite", before: undefined, after: "é\n", result: { bytes: 3, fileSize: 3, created: true } },
  { mode: "overwrite", before: "old\n", after: "é\n", result: { bytes: 3, fileSize: 3, created: false } },
  { mode: "append", before: undefined, after: "é\n", result: { bytes: 3, fileSize: 3, created: true } },
  { mode: "append", before: "", after: "é\n", result: { bytes: 3, fileSize: 3, created: false } },
  { mode: "append", before: "old", after: "oldé\n", result: { bytes: 3, fileSize: 6, created: false } },
  { mode: "create_only", before: undefined, after: "é\n", result: { bytes: 3, fileSize: 3, created: true } },
] as const;

for (const { mode, before, after, result } of CASES) {
  const there = before === undefined ? "no file" : JSON.stringify(before);
  Deno.test(`writeText in mode ${mode} turns ${there} into ${JSON.stringify(after)}`, async () => {
    using folder = engineFolder();
    if (before !== undefined) folder.write("a.txt", before);
    assertEquals(await write(folder, "é\n", mode), { ...result, hash: await hexOf(after) });
    assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], after]);
  });
}

Deno.test("writeText refuses to create an existing file, and leaves it alone", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  assertEquals(
    await refusal(write(folder, "new", "create_only")),
    "ALREADY_EXISTS: file already exists: a.txt; use overwrite mode to replace",
  );
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "old"]);
});

Deno.test("writeText lets exactly one of many create a file", async () => {
  using folder = engineFolder();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => write(folder, `${i}`, "create_only")),
  );
  assertEquals(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  assertEquals(folder.read("a.txt"), String(outcomes.findIndex(({ status }) => status === "fulfilled")));
});

Deno.test("writeText writes exactly the text: NUL, BOM, CRLF and characters beyond the BMP", async () => {
  using folder = engineFolder();
  const text = "\uFEFFa\r\nb\0\u{1F600}\rc";
  await write(folder, text, "overwrite");
  assertEquals(Deno.readFileSync(`${folder.path}/a.txt`), new TextEncoder().encode(text));
});

Deno.test("writeText writes 20 MB, and appends to them", async () => {
  using folder = engineFolder();
  const big = "0123456789abcde\n".repeat(20 * 1024 * 1024 / 16);
  assertEquals((await write(folder, big, "overwrite")).fileSize, big.length);
  const { bytes, fileSize } = await write(folder, "the end\n", "append");
  assertEquals([bytes, fileSize], [8, big.length + 8]);
  assert(folder.read("a.txt") === `${big}the end\n`);
});

Deno.test("writeText leaves the old file when an append is cancelled between two chunks", async () => {
  using folder = engineFolder();
  const old = new Uint8Array(2 * 1024 * 1024).fill(97);
  folder.write("a.txt", old);
  const changing = { ...folder.changing, signal: abortedAfter(5) };
  const append = writeText(folder.at("a.txt"), "new", { mode: "append", changing });
  assertEquals(await refusal(append), "TIMEOUT: the call was cancelled");
  assertEquals(folder.names(), ["a.txt"]);
  assertEquals(Deno.statSync(`${folder.path}/a.txt`).size, old.length);
});

Deno.test("writeText keeps a link that stays inside, and replaces what it leads to", async () => {
  using folder = engineFolder();
  folder.write("real/target.txt", "old");
  Deno.symlinkSync("real/target.txt", `${folder.path}/a.txt`);
  Deno.symlinkSync("real", `${folder.path}/folder`);
  await write(folder, "new", "overwrite");
  assert(Deno.lstatSync(`${folder.path}/a.txt`).isSymlink);
  assertEquals(folder.read("real/target.txt"), "new");
  await writeText(folder.at("folder/target.txt"), "er", { mode: "append", changing: folder.changing });
  assertEquals(folder.read("real/target.txt"), "newer");
  assertEquals(folder.names(), ["a.txt", "folder", "real/", "real/target.txt"]);
});

Deno.test("writeText gives a file with two names a new inode, so the other name keeps the old content", async () => {
  using folder = engineFolder();
  Deno.linkSync(folder.write("a.txt", "old"), `${folder.path}/other.txt`);
  await write(folder, "new", "overwrite");
  assertEquals([folder.read("a.txt"), folder.read("other.txt")], ["new", "old"]);
  assertEquals(Deno.statSync(`${folder.path}/a.txt`).nlink, 1);
});

Deno.test("writeText in two processes and a reader in a third: no lost line, no torn content", async () => {
  using folder = engineFolder();
  const start = (file: string, tag: string, mode: string) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", OVERWRITER, folder.path, file, "60", tag, mode],
      stdout: "null",
      stderr: "inherit",
    }).spawn().status;
  folder.write("whole.txt", numberedContent("one", 0));
  let running = true;
  const own = async () => {
    for (let i = 0; i < 60; i++) {
      await writeText(folder.at("lines.txt"), `own ${i}\n`, { mode: "append", changing: folder.changing });
    }
    return { code: 0 };
  };
  const done = Promise.all([
    ...[start("whole.txt", "one", "overwrite"), start("lines.txt", "two", "append")],
    own(),
  ]).finally(() => running = false);
  done.catch(() => {}); // it is waited for below
  let newest = 0;
  while (running) {
    const number = numberOf("one", await Deno.readTextFile(`${folder.path}/whole.txt`));
    assert(number >= newest || newest === 0, `went back from ${newest} to ${number}`);
    newest = number;
  }
  assertEquals((await done).map(({ code }) => code), [0, 0, 0]);
  assertEquals(numberOf("one", folder.read("whole.txt")), 59);
  const lines = folder.read("lines.txt").trimEnd().split("\n");
  const expected = ["own", "two"].flatMap((tag) => Array.from({ length: 60 }, (_, i) => `${tag} ${i}`));
  assertEquals(lines.filter((line) => line.startsWith("own")), expected.slice(0, 60));
  assertEquals(lines.toSorted(), expected.toSorted());
  assertEquals(folder.names(), ["lines.txt", "whole.txt"]);
});

Deno.test("writeText refuses a path that names a folder, and creates neither file nor folder", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "x");
  for (const path of ["newdir/", "new/dir/", "a.txt/", "newdir/."]) {
    const writing = writeText(folder.at(path), "x", { mode: "overwrite", changing: folder.changing });
    assertEquals(
      await refusal(writing),
      `INVALID_INPUT: path names a folder, not a file: "${path}"; leave out the trailing slash`,
    );
  }
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "x"]);
});

Deno.test("writeText names the file that could not be written, and never a temporary one", async () => {
  using folder = engineFolder();
  Deno.mkdirSync(`${folder.path}/sub`);
  const open = Deno.openSync;
  Deno.openSync = (path, options) => {
    if (!options?.createNew) return open(path, options);
    throw Object.assign(new Deno.errors.PermissionDenied("Permission denied"), { code: "EACCES" });
  };
  try {
    const writing = writeText(folder.at("sub/a.txt"), "x", { mode: "overwrite", changing: folder.changing });
    assertEquals(await refusal(writing), `${DENIED}: "sub/a.txt"`);
  } finally {
    Deno.openSync = open;
  }
});
