import { Buffer } from "node:buffer";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { isTempName } from "../../src/confine/path_rules.ts";
import { atomicWrite, type Content } from "../../src/engine/atomic_write.ts";
import { TempSweeper } from "../../src/engine/temp_sweeper.ts";
import { canLock } from "../support/can_lock.ts";
import { type EngineFolder, engineFolder, refusal } from "../support/engine.ts";
import { has, onUnix } from "../support/needs.ts";

const encode = (text: string) => new TextEncoder().encode(text);

interface Options {
  createOnly?: boolean;
  mode?: number;
  uid?: number;
  gid?: number;
}

async function write(folder: EngineFolder, content: Content | string, options: Options = {}) {
  const { createOnly = false, mode = 0o644, uid = null, gid = null } = options;
  const bytes = typeof content === "string" ? encode(content) : content;
  using written = await atomicWrite(folder.at("a.txt"), bytes, {
    insteadOf: createOnly ? undefined : { isStill: () => true },
    sweeper: new TempSweeper(),
    ownership: { mode, uid, gid },
  });
  return { done: written.done, size: written.size };
}

function tempNames(folder: EngineFolder): string[] {
  return folder.names().filter(isTempName);
}

Deno.test("atomicWrite replaces a file, and leaves nothing else behind", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  assertEquals(await write(folder, "new"), { done: true, size: 3 });
  assertEquals(folder.read("a.txt"), "new");
  assertEquals(folder.names(), ["a.txt"]);
});

Deno.test("atomicWrite replaces the inode, so that an open reader keeps the old content", async () => {
  using folder = engineFolder();
  using old = Deno.openSync(folder.write("a.txt", "old"));
  await write(folder, "new");
  const bytes = new Uint8Array(8);
  assertEquals(old.readSync(bytes), 3);
  assertEquals(new TextDecoder().decode(bytes.subarray(0, 3)), "old");
});

Deno.test(
  onUnix("atomicWrite keeps its file private, locked and separate until it is complete"),
  async () => {
    using folder = engineFolder();
    folder.write("a.txt", "old");
    let looks = 0;
    await write(folder, async (put) => {
      for (const part of ["one ", "two"]) {
        await put(encode(part));
        const [temp = "", ...others] = tempNames(folder);
        assertEquals(others, []);
        assertEquals(folder.mode(temp), 0o600);
        using rival = Deno.openSync(`${folder.path}/${temp}`, { read: true, write: true });
        assertEquals(rival.tryLockSync(true), false);
        assertEquals(folder.read("a.txt"), "old");
        looks++;
      }
    }, { mode: 0o666 });
    assertEquals([looks, folder.read("a.txt"), folder.mode("a.txt")], [2, "one two", 0o666]);
  },
);

for (const mode of [0o644, 0o755, 0o444, 0o600, 0o1666, 0o000]) {
  Deno.test(
    onUnix(`atomicWrite gives the result the mode ${mode.toString(8)}, whatever the umask`),
    async () => {
      using folder = engineFolder();
      await write(folder, "x", { mode });
      assertEquals(folder.mode("a.txt"), mode);
    },
  );
}

Deno.test("atomicWrite gives the result its owner as far as the system allows", async () => {
  using folder = engineFolder();
  const isRoot = has("files of other users");
  await write(folder, "x", { uid: 1000, gid: 1001, mode: 0o755 });
  const { uid, gid } = Deno.statSync(`${folder.path}/a.txt`);
  if (isRoot) assertEquals([uid, gid, folder.mode("a.txt")], [1000, 1001, 0o755]);
  else assertEquals([uid, folder.read("a.txt")], [Deno.uid(), "x"]);
});

Deno.test("atomicWrite uses a name that must be new, and leaves a taken one alone", async () => {
  using folder = engineFolder();
  assertEquals(await write(folder, "first", { createOnly: true }), { done: true, size: 5 });
  assertEquals(Deno.statSync(`${folder.path}/a.txt`).nlink, 1);
  assertEquals(await write(folder, "second", { createOnly: true }), { done: false, size: 6 });
  assertEquals(folder.read("a.txt"), "first");
  assertEquals(folder.names(), ["a.txt"]);
});

Deno.test("atomicWrite does not write through a dangling link when the name must be new", async () => {
  using folder = engineFolder();
  using outside = engineFolder();
  const path = folder.at("a.txt");
  Deno.symlinkSync(`${outside.path}/planted`, `${folder.path}/a.txt`);
  const options = { sweeper: new TempSweeper(), ownership: { mode: 0o644, uid: null, gid: null } };
  using written = await atomicWrite(path, encode("x"), options);
  assertEquals(written.done, false);
  assertEquals(outside.names(), []);
  assertEquals(folder.names(), ["a.txt"]);
});

Deno.test("atomicWrite leaves only the old file when writing the content fails half-way", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  const broken: Content = async (put) => {
    await put(encode("half"));
    throw new RangeError("broken");
  };
  await assertRejects(() => write(folder, broken), RangeError, "broken");
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "old"]);
});

Deno.test("atomicWrite refuses when its folder was swapped for a link meanwhile", async () => {
  using folder = engineFolder();
  using outside = engineFolder();
  folder.write("sub/a.txt", "old");
  outside.write("a.txt", "theirs");
  const path = folder.at("sub/a.txt");
  const swap: Content = async (put) => {
    await put(encode("new"));
    Deno.renameSync(`${folder.path}/sub`, `${folder.path}/away`);
    Deno.symlinkSync(outside.path, `${folder.path}/sub`);
  };
  const said = await refusal(
    atomicWrite(path, swap, {
      insteadOf: { isStill: () => true },
      sweeper: new TempSweeper(),
      ownership: { mode: 0o644, uid: null, gid: null },
    }),
  );
  assertMatch(said, /^(CONFLICT|OUT_OF_BOUNDS): .*; try again$/);
  assertEquals([outside.names(), outside.read("a.txt")], [["a.txt"], "theirs"]);
  assertEquals(folder.read("away/a.txt"), "old");
});

Deno.test(
  onUnix("atomicWrite does not give its mode to a file outside when a link takes the temporary file's name"),
  async () => {
    using folder = engineFolder();
    using outside = engineFolder();
    const victim = outside.write("victim", "theirs");
    Deno.chmodSync(victim, 0o600);
    folder.write("a.txt", "old");
    const swap: Content = async (put) => {
      await put(encode("new"));
      const [temp = ""] = tempNames(folder);
      Deno.removeSync(`${folder.path}/${temp}`);
      Deno.symlinkSync(victim, `${folder.path}/${temp}`);
    };
    assertMatch(
      await refusal(write(folder, swap, { mode: 0o666 })),
      /^(CONFLICT|OUT_OF_BOUNDS): .*; try again$/,
    );
    assertEquals([outside.mode("victim"), outside.read("victim")], [0o600, "theirs"]);
    assertEquals(folder.read("a.txt"), "old");
  },
);

Deno.test("atomicWrite writes 20 MB at once and in pieces", async () => {
  using folder = engineFolder();
  const big = Buffer.alloc(20 * 1024 * 1024, "0123456789abc");
  assertEquals((await write(folder, big)).size, big.length);
  assert(big.equals(Deno.readFileSync(`${folder.path}/a.txt`)));
  const step = 777_777;
  await write(folder, async (put) => {
    for (let at = 0; at < big.length; at += step) await put(big.subarray(at, at + step));
  });
  assert(big.equals(Deno.readFileSync(`${folder.path}/a.txt`)));
});

Deno.test("atomicWrite chooses another name when a sweep reaches its file before the lock", async () => {
  using folder = engineFolder();
  const open = Deno.openSync;
  const rivals: Deno.FsFile[] = [];
  Deno.openSync = (path, options) => {
    const file = open(path, options);
    if (!options?.createNew || rivals.length === 3) return file;
    // What another process does: it finds the name, locks the file first, and removes it now or a little later.
    const rival = open(path, { read: true, write: true });
    assert(rival.tryLockSync(true));
    rivals.push(rival);
    if (rivals.length > 1) Deno.removeSync(path);
    if (rivals.length > 2) rival.close();
    return file;
  };
  try {
    assertEquals(await write(folder, "kept"), { done: true, size: 4 });
  } finally {
    Deno.openSync = open;
    for (const rival of rivals.slice(0, 2)) rival.close();
  }
  assertEquals([rivals.length, folder.read("a.txt")], [3, "kept"]);
  new TempSweeper().sweep(folder.at(""));
  assertEquals(folder.names(), ["a.txt"]);
});

Deno.test("atomicWrite leaves a file alone that the last check finds changed", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  const isStill = () => {
    assertEquals(tempNames(folder).map((name) => folder.read(name)), ["new"], "all is ready by then");
    return false;
  };
  const ownership = { mode: 0o644, uid: null, gid: null };
  using written = await atomicWrite(folder.at("a.txt"), encode("new"), {
    insteadOf: { isStill },
    sweeper: new TempSweeper(),
    ownership,
  });
  assertEquals([written.done, folder.read("a.txt"), folder.names()], [false, "old", ["a.txt"]]);
});

Deno.test("atomicWrite keeps the new file locked until it is disposed of, and knows whether it is in place", async () => {
  using folder = engineFolder();
  const options = { sweeper: new TempSweeper(), ownership: { mode: 0o644, uid: null, gid: null } };
  using rival = await (async () => {
    using written = await atomicWrite(folder.at("a.txt"), encode("new"), options);
    const rival = Deno.openSync(`${folder.path}/a.txt`, { read: true, write: true });
    assertEquals([written.isInPlace(), rival.tryLockSync(true)], [true, false]);
    Deno.renameSync(folder.write("b.txt", "other"), `${folder.path}/a.txt`);
    assertEquals(written.isInPlace(), false);
    return rival;
  })();
  assert(await canLock(rival));
});

Deno.test("atomicWrite never shows a reader a mix of two contents", async () => {
  using folder = engineFolder();
  const [a, b] = ["a".repeat(100_000), "b".repeat(70_000)];
  const seen = new Set<string>();
  await write(folder, a);
  let writing = true;
  const writer = (async () => {
    for (let i = 0; i < 100; i++) await write(folder, i % 2 === 0 ? b : a);
    writing = false;
  })();
  while (writing) seen.add(await Deno.readTextFile(`${folder.path}/a.txt`));
  await writer;
  for (const text of seen) assert(text === a || text === b, `a torn read of ${text.length} characters`);
  assertEquals(seen.size, 2);
});
