import { assert, assertEquals } from "@std/assert";
import { copyEntry } from "../../src/engine/copy.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { denyOpen } from "../support/deny_open.ts";
import { abortedAfter, DENIED, type EngineFolder, engineFolder, refusal } from "../support/engine.ts";
import { needs, onUnix, withMkfifo } from "../support/needs.ts";

Deno.test(
  onUnix("copyEntry copies a file, creating missing folders, and keeps its mode"),
  async () => {
    using folder = engineFolder();
    for (const mode of [0o644, 0o755, 0o600, 0o444]) {
      const name = `new/folder/${mode}.txt`;
      Deno.chmodSync(folder.write("a.txt", "content"), mode);
      const copied = await copyEntry(folder.at("a.txt"), folder.at(name), folder.changing);
      assertEquals(copied, { isDirectory: false, size: 7, files: 1, skipped: 0 });
      assertEquals([folder.read(name), folder.mode(name)], ["content", mode]);
      Deno.removeSync(`${folder.path}/a.txt`);
    }
  },
);

Deno.test(onUnix("copyEntry replaces an existing file, which keeps its own mode"), async () => {
  using folder = engineFolder();
  folder.write("a.txt", "new");
  Deno.chmodSync(folder.write("b.txt", "old content"), 0o640);
  await copyEntry(folder.at("a.txt"), folder.at("b.txt"), folder.changing);
  assertEquals([folder.read("a.txt"), folder.read("b.txt"), folder.mode("b.txt")], ["new", "new", 0o640]);
  assertEquals(folder.names(), ["a.txt", "b.txt"]);
});

Deno.test(needs("cmp")("copyEntry copies 20 MB through a small buffer"), async () => {
  using folder = engineFolder();
  const big = new Uint8Array(20 * 1024 * 1024 + 1);
  crypto.getRandomValues(big.subarray(0, 65_536));
  big.copyWithin(15_000_001, 0, 65_536);
  folder.write("a.bin", big);
  assertEquals((await copyEntry(folder.at("a.bin"), folder.at("b.bin"), folder.changing)).size, big.length);
  const compared = new Deno.Command("cmp", { args: ["a.bin", "b.bin"], cwd: folder.path }).outputSync();
  assertEquals(compared.code, 0);
});

Deno.test(onUnix("copyEntry copies a folder with everything in it, modes included"), async () => {
  using folder = engineFolder();
  folder.write("from/a.txt", "1");
  Deno.chmodSync(folder.write("from/run.sh", "22"), 0o755);
  folder.write("from/deep/er/b.txt", "333");
  folder.write("from/.paddock-0a.tmp", "not copied");
  Deno.mkdirSync(`${folder.path}/from/empty`);
  Deno.chmodSync(`${folder.path}/from/deep`, 0o700);
  const copied = await copyEntry(folder.at("from"), folder.at("to/here"), folder.changing);
  assertEquals(copied, { isDirectory: true, size: 6, files: 3, skipped: 0 });
  assertEquals(folder.names().filter((name) => name.startsWith("to/")), [
    "to/",
    "to/here/",
    "to/here/a.txt",
    "to/here/deep/",
    "to/here/deep/er/",
    "to/here/deep/er/b.txt",
    "to/here/empty/",
    "to/here/run.sh",
  ]);
  assertEquals([folder.mode("to/here/run.sh"), folder.mode("to/here/a.txt")], [0o755, 0o644]);
  assertEquals(folder.read("to/here/deep/er/b.txt"), "333");
});

Deno.test(
  onUnix("copyEntry keeps the mode of a folder that others may not enter, or nobody may write"),
  async () => {
    using folder = engineFolder();
    folder.write("from/private/a.txt", "x");
    folder.write("from/fixed/a.txt", "x");
    folder.write("to/private/b.txt", "x");
    Deno.chmodSync(`${folder.path}/from`, 0o750);
    Deno.chmodSync(`${folder.path}/from/private`, 0o700);
    Deno.chmodSync(`${folder.path}/from/fixed`, 0o555);
    await copyEntry(folder.at("from"), folder.at("copy"), folder.changing);
    const modes = ["copy", "copy/private", "copy/fixed"].map((name) => folder.mode(name));
    Deno.chmodSync(`${folder.path}/copy/fixed`, 0o755);
    assertEquals(modes, [0o750, 0o700, 0o555]);
    const before = folder.mode("to/private");
    await copyEntry(folder.at("from/private"), folder.at("to/private"), folder.changing);
    assertEquals(folder.mode("to/private"), before); // it existed, and stays as it is
    Deno.chmodSync(`${folder.path}/from/fixed`, 0o755);
  },
);

Deno.test("copyEntry merges into an existing folder", async () => {
  using folder = engineFolder();
  folder.write("from/both.txt", "new");
  folder.write("from/sub/new.txt", "new");
  folder.write("to/both.txt", "old");
  folder.write("to/sub/old.txt", "old");
  assertEquals((await copyEntry(folder.at("from"), folder.at("to"), folder.changing)).files, 2);
  assertEquals([folder.read("to/both.txt"), folder.read("to/sub/old.txt"), folder.read("to/sub/new.txt")], [
    "new",
    "old",
    "new",
  ]);
});

Deno.test("copyEntry refuses to copy onto or into itself, a missing source, and a folder onto a file", async () => {
  using folder = engineFolder();
  folder.write("sub/a.txt", "x");
  folder.write("file", "x");
  const copy = (from: string, to: string) =>
    refusal(copyEntry(folder.at(from), folder.at(to), folder.changing));
  assertEquals(
    await copy("file", "./file"),
    'INVALID_INPUT: source and destination are the same file: "file"',
  );
  assertEquals(await copy("sub", "sub"), 'INVALID_INPUT: cannot copy "sub" into itself ("sub")');
  assertEquals(await copy("sub", "sub/x/y"), 'INVALID_INPUT: cannot copy "sub" into itself ("sub/x/y")');
  assertEquals(await copy("/", "new"), 'INVALID_INPUT: cannot copy "/" into itself ("new")');
  assertEquals(
    await copy("file", "newdir/"),
    'INVALID_INPUT: path names a folder, not a file: "newdir/"; leave out the trailing slash',
  );
  assertEquals(await copy("no", "new"), "NOT_FOUND: source file not found: no");
  assertEquals(await copy("file", "sub"), 'INVALID_INPUT: path is a directory, not a file: "sub"');
  assertEquals(
    await copy("sub", "file"),
    'ALREADY_EXISTS: path exists and is a file, not a folder: "file"; nothing was copied',
  );
  assertEquals(folder.names(), ["file", "sub/", "sub/a.txt"]);
  assertEquals((await copyEntry(folder.at("sub"), folder.at("sub_2"), folder.changing)).files, 1);
});

for (const [git, skipped] of [["open", 0], ["read-only", 1], ["hidden", 1]] as const) {
  Deno.test(`copyEntry copies a .git or leaves it out, depending on the root's rule (${git})`, async () => {
    using folder = engineFolder(git);
    folder.write("from/a.txt", "x");
    folder.write("from/.git/hooks/post-commit", "x");
    assertEquals((await copyEntry(folder.at("from"), folder.at("to"), folder.changing)).skipped, skipped);
    assertEquals(folder.names().includes("to/.git/hooks/post-commit"), skipped === 0);
    assert(folder.names().includes("to/a.txt"));
  });
}

Deno.test("copyEntry stops between two steps when the call is cancelled, and no file is half copied", async () => {
  using folder = engineFolder();
  const content = "0123456789".repeat(100_000);
  for (let i = 0; i < 10; i++) folder.write(`from/${i}`, content);
  const changing = { ...folder.changing, signal: abortedAfter(40) };
  const said = await refusal(copyEntry(folder.at("from"), folder.at("to"), changing));
  const copied = folder.names().filter((name) => name.startsWith("to/") && name !== "to/");
  assert(copied.length > 0 && copied.length < 10, `${copied.length} were copied`);
  for (const name of copied) assertEquals(folder.read(name).length, content.length);
  assertEquals(
    said,
    `TIMEOUT: "from" was copied to "to" only in part (${copied.length} of 10 files, each of them complete; the source ` +
      "is unchanged): the call was cancelled",
  );
});

Deno.test("copyEntry lets an edit of the destination finish first, and then replaces it", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "copied");
  folder.write("b.txt", "old");
  const gate = Promise.withResolvers<void>();
  const edit = updateFile(folder.at("b.txt"), async () => {
    await gate.promise;
    return new TextEncoder().encode("edited");
  }, folder.changing);
  const copy = copyEntry(folder.at("a.txt"), folder.at("b.txt"), folder.changing);
  gate.resolve();
  await Promise.all([edit, copy]);
  assertEquals(folder.read("b.txt"), "copied");
});

Deno.test(onUnix("copyEntry copies no set-id bits"), async () => {
  using folder = engineFolder();
  Deno.chmodSync(folder.write("from/tool", "x"), 0o6755);
  await copyEntry(folder.at("from/tool"), folder.at("copy"), folder.changing);
  await copyEntry(folder.at("from"), folder.at("to"), folder.changing);
  assertEquals([folder.mode("copy"), folder.mode("to/tool"), folder.mode("from/tool")], [
    0o755,
    0o755,
    0o6755,
  ]);
});

Deno.test("copyEntry of a folder waits for other changes of structure in the root", async () => {
  using folder = engineFolder();
  folder.write("from/a.txt", "x");
  folder.write("to/b.txt", "x");
  const gate = Promise.withResolvers<void>();
  const other = folder.changing.locks.withFolder(folder.at(""), () => gate.promise);
  const copy = (lockWaitMs: number) =>
    copyEntry(folder.at("from"), folder.at("to"), { ...folder.changing, lockWaitMs });
  assertEquals(
    await refusal(copy(10)),
    "TIMEOUT: could not lock root test: another call or process kept it locked; try again later",
  );
  assertEquals(folder.names().includes("to/a.txt"), false);
  gate.resolve();
  await other;
  assertEquals((await copy(10_000)).files, 1);
});

Deno.test("copyEntry of a folder refuses what is in the way anywhere below, before anything is copied", async (t) => {
  const cases: [what: string, make: (folder: EngineFolder) => void, said: string][] = [
    [
      "a folder where a file must go",
      (folder) => folder.write("to/sub/z/x", "x"),
      'INVALID_INPUT: path is a directory, not a file: "to/sub/z"',
    ],
    [
      "a file where a folder must go",
      (folder) => folder.write("to/sub", "x"),
      'ALREADY_EXISTS: path exists and is a file, not a folder: "to/sub"',
    ],
    [
      "a pipe where a file must go",
      (folder) => {
        Deno.mkdirSync(`${folder.path}/to/sub`);
        assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/to/sub/z`] }).outputSync().code, 0);
      },
      'UNSUPPORTED: not a regular file (a device, pipe or socket): "to/sub/z"',
    ],
  ];
  for (const [what, make, said] of cases) {
    const named = what === "a pipe where a file must go" ? withMkfifo(what) : { name: what };
    await t.step({
      ...named,
      fn: async () => {
        using folder = engineFolder();
        folder.write("from/a", "new");
        folder.write("from/sub/z", "new");
        folder.write("to/a", "old");
        make(folder);
        const before = folder.names();
        assertEquals(
          await refusal(copyEntry(folder.at("from"), folder.at("to"), folder.changing)),
          `${said}; nothing was copied`,
        );
        assertEquals([folder.names(), folder.read("to/a")], [before, "old"]);
      },
    });
  }
});

Deno.test("copyEntry of a folder refuses a file that may not be written to before anything is copied", async () => {
  using folder = engineFolder();
  for (const name of ["from/a", "from/z", "to/a", "to/z"]) folder.write(name, name);
  using _denied = denyOpen(`${folder.path}/to/z`, { readable: true });
  assertEquals(
    await refusal(copyEntry(folder.at("from"), folder.at("to"), folder.changing)),
    `${DENIED}: "to/z"; nothing was copied`,
  );
  assertEquals(folder.read("to/a"), "to/a");
});

Deno.test("copyEntry merges into a folder whose own names stay the same, whether or not they may be changed", async () => {
  using folder = engineFolder();
  folder.write("from/sub/a", "new");
  folder.write("to/sub/b", "old");
  Deno.chmodSync(`${folder.path}/to`, 0o555);
  try {
    assertEquals((await copyEntry(folder.at("from"), folder.at("to"), folder.changing)).files, 1);
  } finally {
    Deno.chmodSync(`${folder.path}/to`, 0o755);
  }
  assertEquals(folder.read("to/sub/a"), "new");
});
