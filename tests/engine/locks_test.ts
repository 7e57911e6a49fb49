import { assert, assertEquals, assertRejects } from "@std/assert";
import { readFolder } from "../../src/confine/confined_fs.ts";
import { type KeptFile, Locks } from "../../src/engine/locks.ts";
import { delay } from "../../src/engine/yield.ts";
import { canLock } from "../support/can_lock.ts";
import { engineFolder, refusal } from "../support/engine.ts";
import { LockHolder } from "../support/lock_holder.ts";
import { openBelow } from "../support/open_files.ts";

const HELD = (name: string) =>
  `TIMEOUT: could not lock "${name}": another call or process kept it locked; try again later`;
const CANCELLED = "TIMEOUT: the call was cancelled";

/** Lets everything run that can run. */
const settle = () => delay(20);

for (const there of [true, false]) {
  Deno.test(`Locks.withFile serves callers in the order they came, with ${there ? "a" : "no"} file`, async () => {
    using folder = engineFolder();
    if (there) folder.write("a.txt", "x");
    const locks = new Locks();
    const events: string[] = [];
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        locks.withFile(folder.at("a.txt"), async ({ file }) => {
          assertEquals(file !== undefined, there);
          events.push(`begin ${i}`);
          await delay(1);
          events.push(`end ${i}`);
        })),
    );
    assertEquals(events, Array.from({ length: 10 }, (_, i) => [`begin ${i}`, `end ${i}`]).flat());
    // More may wait: a process that another test is just starting holds every open file for a moment.
    assert(locks.waits >= 9);
  });

  Deno.test(
    `Locks.withFile holds the next caller off when one between was cancelled, with ${
      there ? "a" : "no"
    } file`,
    async () => {
      using folder = engineFolder();
      if (there) folder.write("a.txt", "x");
      const locks = new Locks();
      const path = folder.at("a.txt");
      const events: string[] = [];
      const gate = Promise.withResolvers<void>();
      const first = locks.withFile(path, async () => {
        await gate.promise;
        events.push("first ended");
      });
      const controller = new AbortController();
      const second = locks.withFile(path, () => Promise.resolve(events.push("second ran")), {
        signal: controller.signal,
      });
      controller.abort();
      assertEquals(await refusal(second), CANCELLED);
      const third = locks.withFile(path, () => Promise.resolve(events.push("third ran")));
      await settle();
      gate.resolve();
      await Promise.all([first, third]);
      assertEquals(events, ["first ended", "third ran"]);
      assertEquals(locks.waits, 2);
    },
  );
}

Deno.test("Locks.withFile does not make files wait for each other", async () => {
  using folder = engineFolder();
  const locks = new Locks();
  await locks.withFile(folder.at("a.txt"), async () => {
    assertEquals(await locks.withFile(folder.at("b.txt"), () => Promise.resolve("b")), "b");
  });
  assertEquals(locks.waits, 0);
});

Deno.test("Locks.withFile locks what is at the path now, even if the file it keeps open is a different one", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "x");
  const path = folder.at("a.txt");
  const [locks, others] = [new Locks(), new Locks()];
  const kept: KeptFile = { file: undefined };
  const inode = () => locks.withFile(path, ({ file }) => Promise.resolve(file?.statSync().ino), { kept });
  const never = () => Promise.reject(new Error("it must not run"));
  try {
    const first = await inode();
    const open = kept.file;
    assertEquals(await inode(), first);
    assert(open !== undefined && kept.file === open);
    // Kept open is not locked: others get the lock in between, and only in between.
    assertEquals(await others.withFile(path, () => Promise.resolve("free")), "free");
    await locks.withFile(path, async () => {
      assertEquals(await refusal(others.withFile(path, never, { waitMs: 20 })), HELD("a.txt"));
    }, { kept });
    Deno.writeTextFileSync(`${file}.new`, "y");
    Deno.renameSync(`${file}.new`, file);
    assertEquals(await inode(), Deno.statSync(file).ino);
    Deno.removeSync(file);
    assertEquals(await inode(), undefined);
    assertEquals(kept.file, undefined);
  } finally {
    kept.file?.close();
  }
});

Deno.test("Locks.withFile releases the lock when the body throws", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "x");
  const locks = new Locks();
  const path = folder.at("a.txt");
  await assertRejects(
    () => locks.withFile(path, () => Promise.reject(new RangeError("no"))),
    RangeError,
    "no",
  );
  assertEquals(await locks.withFile(path, () => Promise.resolve(1)), 1);
  assertEquals(locks.waits, 0);
});

Deno.test("Locks.withFile says what it waited for when its turn does not come in time", async () => {
  using folder = engineFolder();
  const locks = new Locks();
  const path = folder.at("./sub/../a.txt");
  const gate = Promise.withResolvers<void>();
  const first = locks.withFile(path, () => gate.promise);
  const body = () => Promise.reject(new Error("it must not run"));
  assertEquals(await refusal(locks.withFile(path, body, { waitMs: 20 })), HELD("./sub/../a.txt"));
  gate.resolve();
  await first;
});

Deno.test("Locks.withFolder names the root when that is what was waited for", async () => {
  using folder = engineFolder();
  const locks = new Locks();
  const gate = Promise.withResolvers<void>();
  const first = locks.withFolder(folder.at(""), () => gate.promise);
  assertEquals(
    await refusal(locks.withFolder(folder.at(""), () => Promise.resolve(), { waitMs: 0 })),
    "TIMEOUT: could not lock root test: another call or process kept it locked; try again later",
  );
  gate.resolve();
  await first;
});

Deno.test("Locks.withFile refuses at once what was cancelled before", async () => {
  using folder = engineFolder();
  const options = { signal: AbortSignal.abort() };
  const body = () => Promise.reject(new Error("it must not run"));
  assertEquals(await refusal(new Locks().withFile(folder.at("a.txt"), body, options)), CANCELLED);
});

Deno.test("Locks.withFile waits for another process: in time, too long, or until cancelled", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "x");
  await using holder = await LockHolder.start(file);
  const locks = new Locks();
  const path = folder.at("a.txt");
  const never = () => Promise.reject(new Error("it must not run"));
  assertEquals(await refusal(locks.withFile(path, never, { waitMs: 30 })), HELD("a.txt"));
  const controller = new AbortController();
  const cancelled = refusal(locks.withFile(path, never, { signal: controller.signal }));
  await settle();
  controller.abort();
  assertEquals(await cancelled, CANCELLED);
  let released = false;
  const waiting = locks.withFile(path, () => Promise.resolve(released));
  await settle();
  released = true;
  await holder.release();
  assertEquals(await waiting, true);
  assertEquals(locks.waits, 3);
});

Deno.test("Locks.withFile and withFolder acquire the lock after its holder was killed", async () => {
  using folder = engineFolder();
  const file = folder.write("sub/a.txt", "x");
  const locks = new Locks();
  await using holder = await LockHolder.start(file);
  await using folderHolder = await LockHolder.start(`${folder.path}/sub`);
  let killed = false;
  const waiting = [
    locks.withFile(folder.at("sub/a.txt"), () => Promise.resolve(killed)),
    locks.withFolder(folder.at("sub"), () => Promise.resolve(killed)),
  ];
  await settle();
  killed = true;
  await holder.kill();
  await folderHolder.kill();
  assertEquals(await Promise.all(waiting), [true, true]);
});

Deno.test("Locks.withFile keeps another process out while it holds the lock", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "x");
  await new Locks().withFile(folder.at("a.txt"), () => {
    using rival = Deno.openSync(file, { read: true });
    assertEquals(rival.tryLockSync(true), false);
    return Promise.resolve();
  });
  using rival = Deno.openSync(file, { read: true });
  assert(await canLock(rival));
});

Deno.test("Locks.withFile locks what the path names now when the file was replaced meanwhile", async () => {
  using folder = engineFolder();
  using old = Deno.openSync(folder.write("a.txt", "old"), { read: true });
  assert(old.tryLockSync(true));
  const locks = new Locks();
  const waiting = locks.withFile(folder.at("a.txt"), ({ file }) => Promise.resolve(file?.statSync().ino));
  await settle();
  Deno.renameSync(folder.write("new.txt", "new"), `${folder.path}/a.txt`); // the old one stays locked
  assertEquals(await waiting, Deno.statSync(`${folder.path}/a.txt`).ino);
});

Deno.test("Locks.withFile releases a lock on a file that is no longer there", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "old");
  const open = Deno.openSync;
  const inodes: (number | null)[] = [];
  Deno.openSync = (path, options) => {
    const opened = open(path, options);
    inodes.push(opened.statSync().ino);
    // Replaced between opening and locking, twice.
    if (inodes.length < 3) Deno.renameSync(folder.write("new.txt", "new"), file);
    return opened;
  };
  try {
    const locked = await new Locks().withFile(
      folder.at("a.txt"),
      ({ file }) => Promise.resolve(file?.statSync().ino),
    );
    assertEquals([inodes.length, locked], [3, Deno.statSync(file).ino]);
  } finally {
    Deno.openSync = open;
  }
});

Deno.test("Locks.withFile continues without a file when it was removed meanwhile", async () => {
  using folder = engineFolder();
  const path = folder.write("a.txt", "old");
  using old = Deno.openSync(path, { read: true });
  assert(old.tryLockSync(true));
  const waiting = new Locks().withFile(folder.at("a.txt"), ({ file }) => Promise.resolve(file));
  await settle();
  Deno.removeSync(path);
  assertEquals(await waiting, undefined);
});

Deno.test("Locks leaves no file open after a thousand locks of each kind, refused ones included", async () => {
  using folder = engineFolder();
  const file = folder.write("a.txt", "x");
  const locks = new Locks();
  using holder = Deno.openSync(folder.write("held.txt", "x"), { read: true });
  assert(holder.tryLockSync(true));
  const body = () => Promise.resolve();
  const round = async () => {
    await locks.withFile(folder.at("a.txt"), body);
    await locks.withFolder(folder.at(""), body);
    await refusal(locks.withFile(folder.at("held.txt"), body, { waitMs: 0 }));
  };
  const opened = () => Deno.build.os === "linux" ? openBelow(folder.path) : [];
  const before = opened();
  if (Deno.build.os === "linux") assertEquals(before, [`${folder.path}/held.txt`]);
  for (let i = 0; i < 1_000; i++) await round();
  assertEquals(opened(), before);
  using rival = Deno.openSync(file, { read: true });
  assert(await canLock(rival));
});

Deno.test("Locks.withFolder locks with a file that no tool sees where folders cannot be locked", async () => {
  using folder = engineFolder();
  using _none = withoutFolderLocks();
  const [one, other] = [new Locks(), new Locks()]; // like two processes
  const gate = Promise.withResolvers<void>();
  const held = one.withFolder(folder.at(""), async () => {
    assertEquals([folder.names(), readFolder(folder.at(""))], [[".paddock-lock.tmp"], []]);
    await gate.promise;
  });
  await settle();
  assertEquals(
    await refusal(other.withFolder(folder.at(""), () => Promise.resolve(), { waitMs: 50 })),
    HELD(".").replace('"."', "root test"),
  );
  gate.resolve();
  await held;
  assertEquals(folder.names(), []);
  folder.write(".paddock-lock.tmp", ""); // as a crash leaves it
  assertEquals(await other.withFolder(folder.at(""), () => Promise.resolve("done")), "done");
  assertEquals(folder.names(), []);
});

/** Folders cannot be locked, as on some network file systems. */
function withoutFolderLocks(): Disposable {
  const { tryLockSync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.tryLockSync = function (exclusive) {
    if (!this.statSync().isDirectory) return tryLockSync.call(this, exclusive);
    throw Object.assign(new Error("operation not supported"), { code: "ENOTSUP" });
  };
  return { [Symbol.dispose]: () => void (Deno.FsFile.prototype.tryLockSync = tryLockSync) };
}
