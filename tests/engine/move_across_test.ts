// Moving between file systems: to shared memory if that is a separate one, otherwise with renames and links that fail
// as the system's would.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { ConfinedPath } from "../../src/confine/resolve_path.ts";
import type { Locks } from "../../src/engine/locks.ts";
import { moveEntry } from "../../src/engine/move.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { writeText } from "../../src/engine/write.ts";
import { type EngineFolder, engineFolder, engineOn, keptMode, refusal } from "../support/engine.ts";

interface Across extends Disposable {
  from: EngineFolder;
  to: ReturnType<typeof engineOn>;
  toPath: string;
}

function across(): Across {
  const from = engineFolder();
  // Wine has a /dev/shm too, says that its device is another one, and moves files between the two.
  const memory = Deno.build.os === "linux" && isOtherDevice("/dev/shm", from.path);
  const made = Deno.makeTempDirSync({ prefix: "paddock-test-", ...(memory ? { dir: "/dev/shm" } : {}) });
  const toPath = Deno.realPathSync(made);
  const { renameSync, linkSync } = Deno;
  if (!memory) {
    const refusing = <T extends string | URL>(act: (a: T, b: T) => void) => (a: T, b: T) => {
      if (String(a).startsWith(toPath) === String(b).startsWith(toPath)) return act(a, b);
      throw Object.assign(new Error("Invalid cross-device link"), { code: "EXDEV" });
    };
    Deno.renameSync = refusing(renameSync);
    Deno.linkSync = refusing(linkSync);
  }
  return {
    from,
    to: engineOn({ name: "other", path: toPath, git: "open", nested: [] }),
    toPath,
    [Symbol.dispose]() {
      Object.assign(Deno, { renameSync, linkSync });
      Deno.removeSync(toPath, { recursive: true });
      from[Symbol.dispose]();
    },
  };
}

function isOtherDevice(path: string, than: string): boolean {
  try {
    return Deno.statSync(path).dev !== Deno.statSync(than).dev;
  } catch {
    return false;
  }
}

Deno.test("moveEntry copies and removes a file that is moved to another file system", async () => {
  using folders = across();
  const { from, to } = folders;
  Deno.chmodSync(from.write("a.txt", "content"), 0o751);
  await moveEntry(from.at("a.txt"), to.at("new/b.txt"), from.changing);
  assertEquals(from.names(), []);
  assertEquals(Deno.readTextFileSync(`${folders.toPath}/new/b.txt`), "content");
  assertEquals(to.mode("new/b.txt"), keptMode(0o751));
  from.write("c.txt", "newer");
  await moveEntry(from.at("c.txt"), to.at("new/b.txt"), from.changing);
  assertEquals(Deno.readTextFileSync(`${folders.toPath}/new/b.txt`), "newer");
});

Deno.test("moveEntry copies and removes a folder that is moved to another file system", async () => {
  using folders = across();
  const { from, to } = folders;
  from.write("dir/a.txt", "a");
  from.write("dir/private/b.txt", "b");
  Deno.chmodSync(`${from.path}/dir/private`, 0o700);
  Deno.mkdirSync(`${from.path}/dir/empty`);
  await moveEntry(from.at("dir"), to.at("dir"), from.changing);
  assertEquals(from.names(), []);
  assertEquals(Deno.readTextFileSync(`${folders.toPath}/dir/private/b.txt`), "b");
  assertEquals(to.mode("dir/private"), keptMode(0o700));
  assert(Deno.statSync(`${folders.toPath}/dir/empty`).isDirectory);
});

Deno.test("moveEntry copies nothing if not all of a folder can be moved to another file system", async () => {
  using folders = across();
  const { from, to, toPath } = folders;
  from.write("dir/a.txt", "a");
  Deno.symlinkSync("/etc/hosts", `${from.path}/dir/away`);
  assertEquals(
    await refusal(moveEntry(from.at("dir"), sameOwner(to.at("dir"), from), from.changing)),
    'UNSUPPORTED: "dir/away" cannot be moved to another file system, because links, pipes, sockets or devices, a .git ' +
      "or names that are not UTF-8 cannot; nothing was copied",
  );
  assertEquals([from.names(), Array.from(Deno.readDirSync(toPath))], [["dir/", "dir/a.txt", "dir/away"], []]);
});

/** As if it were a mounted folder of the same root. */
function sameOwner(path: ConfinedPath, { root }: EngineFolder): ConfinedPath {
  return { ...path, owner: root };
}

Deno.test("moveEntry refuses to move a link to another file system", async () => {
  using folders = across();
  const { from, to } = folders;
  from.write("a.txt", "a");
  Deno.symlinkSync("a.txt", `${from.path}/link`);
  assertEquals(
    await refusal(
      moveEntry(from.at("link", { follow: false }), sameOwner(to.at("link"), from), from.changing),
    ),
    'UNSUPPORTED: a link cannot be moved to another file system: "link"',
  );
  assertEquals(from.names(), ["a.txt", "link"]);
});

Deno.test("moveEntry loses no edit that is made while a file is moved to another file system", async () => {
  using folders = across();
  const { from, to } = folders;
  const { changing } = from;
  from.write("a.txt", "old");
  const gate = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const holding = changing.locks.withFile(to.at("a.txt"), () => gate.promise); // stops the copy half-way
  const waits = changing.locks.waits;
  const moving = moveEntry(from.at("a.txt"), to.at("a.txt"), changing);
  const poll = setInterval(() => changing.locks.waits > waits && opened.resolve(), 1);
  await opened.promise;
  clearInterval(poll);
  const edit = writeText(from.at("a.txt"), " and new", { mode: "append", changing });
  const early = await Promise.race([edit.then(() => true), new Promise((end) => setTimeout(end, 30, false))]);
  gate.resolve();
  await Promise.all([holding, moving, edit]);
  assertEquals([early, from.read("a.txt")], [false, " and new"]);
  assertEquals(Deno.readTextFileSync(`${folders.toPath}/a.txt`), "old");
});

/** Waits until somebody has had to wait for a lock since then. */
async function waited(locks: Locks, since: number): Promise<void> {
  for (let i = 0; i < 2_000 && locks.waits === since; i++) await new Promise((end) => setTimeout(end, 5));
}

/** Moves `dir`, and does something when the copy has reached `dir/z`, and all before that is copied. */
async function meanwhile({ from, to }: Across, act: () => unknown): Promise<string> {
  const { changing } = from;
  const { locks } = changing;
  from.write("dir/z", "z");
  const gate = Promise.withResolvers<void>();
  const holding = locks.withFile(to.at("dir/z"), () => gate.promise);
  const since = locks.waits;
  const moving = refusal(moveEntry(from.at("dir"), to.at("dir"), changing));
  await waited(locks, since);
  try {
    await act();
  } finally {
    gate.resolve();
    await holding;
    await moving.catch(() => {}); // nothing may be open any more when the folders are removed
  }
  return await moving;
}

Deno.test("moveEntry keeps what was edited or added while a folder is moved to another file system", async (t) => {
  const edit = ({ from }: Across) =>
    writeText(from.at("dir/a.txt"), "edited", { mode: "overwrite", changing: from.changing });
  const changes: [string, string, (folders: Across) => unknown][] = [
    ["dir/a.txt", "edited", edit],
    ["dir/a.txt", "in place", ({ from }) => from.write("dir/a.txt", "in place")],
    ["dir/sub/b.txt", "new", ({ from }) => from.write("dir/sub/b.txt", "new")],
    ["dir/new/b.txt", "new", ({ from }) => from.write("dir/new/b.txt", "new")],
  ];
  for (const [path, content, change] of changes) {
    await t.step(`${path}: ${content}`, async () => {
      using folders = across();
      const { from, toPath } = folders;
      from.write("dir/a.txt", "old");
      from.write("dir/sub/a.txt", "old");
      const said = await meanwhile(folders, () => change(folders));
      assertEquals(from.read(path), content);
      const copies = ["a.txt", "sub/a.txt", "z"].map((name) =>
        Deno.readTextFileSync(`${toPath}/dir/${name}`)
      );
      assertEquals(copies, ["old", "old", "z"]);
      assertMatch(
        said,
        /^CONFLICT: "dir" was (copied to "dir" but not removed|moved to "dir" only in part \(\d of 5 entries\))/,
      );
      assertMatch(said, /: "dir\/(a\.txt|sub\/b\.txt|new)" was changed or added after it was copied$/);
    });
  }
});

for (const add of ["link", "empty"]) {
  const what = add === "link" ? "a link" : "an empty folder";
  Deno.test(`moveEntry keeps what was added meanwhile: ${what}`, async () => {
    using folders = across();
    const { from } = folders;
    from.write("dir/a.txt", "a");
    const said = await meanwhile(folders, () => {
      if (add === "empty") Deno.mkdirSync(`${from.path}/dir/empty`);
      else Deno.symlinkSync("a.txt", `${from.path}/dir/link`);
    });
    assertStringIncludes(said, `"dir/${add}" was changed or added`);
    assert(from.names().some((name) => name.startsWith(`dir/${add}`)));
  });
}

Deno.test("moveEntry waits for an edit in progress before it removes a copied file", async () => {
  using folders = across();
  const { from, to } = folders;
  const { changing } = from;
  from.write("dir/a.txt", "a");
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const edit = updateFile(from.at("dir/a.txt"), async () => {
    begun.resolve();
    await gate.promise;
    return new TextEncoder().encode("edited");
  }, changing);
  await begun.promise;
  const since = changing.locks.waits;
  const moving = refusal(moveEntry(from.at("dir"), to.at("dir"), changing));
  await waited(changing.locks, since);
  gate.resolve();
  await edit;
  assertStringIncludes(await moving, '"dir" was copied to "dir" but not removed: "dir/a.txt" was changed');
  assertEquals(from.read("dir/a.txt"), "edited");
});

Deno.test("moveEntry moves both names of one file and links, and sweeps stale temporary files", async () => {
  using folders = across();
  const { from, to } = folders;
  Deno.linkSync(from.write("dir/a.txt", "a"), `${from.path}/dir/b.txt`);
  Deno.symlinkSync("a.txt", `${from.path}/dir/link`);
  from.write("dir/.paddock-00.tmp", "stale");
  await moveEntry(from.at("dir"), to.at("dir"), from.changing);
  assertEquals(from.names(), []);
  for (const name of ["a.txt", "b.txt", "link"]) {
    assertEquals(Deno.readTextFileSync(`${folders.toPath}/dir/${name}`), "a");
  }
});

Deno.test("moveEntry does not remove a temporary file that is being written", async () => {
  using folders = across();
  const { from, to } = folders;
  from.write("dir/a.txt", "a");
  using writer = Deno.openSync(from.write("dir/.paddock-00.tmp", "half"), { write: true });
  assert(writer.tryLockSync(true));
  assertEquals(
    await refusal(moveEntry(from.at("dir"), to.at("dir"), from.changing)),
    'CONFLICT: "dir" was moved to "dir" only in part (1 of 2 entries); what is left at the source is unchanged: ' +
      'folder is not empty: "dir"',
  );
  assertEquals(from.names(), ["dir/", "dir/.paddock-00.tmp"]);
});

Deno.test("moveEntry from another file system does not replace a link", async () => {
  using folders = across();
  const { from, to } = folders;
  from.write("a.txt", "a");
  Deno.symlinkSync("nowhere", `${folders.toPath}/link`);
  assertEquals(
    await refusal(moveEntry(from.at("a.txt"), to.at("link", { follow: false }), from.changing)),
    'UNSUPPORTED: a link cannot be replaced by a move from another file system; remove it first: "link"',
  );
  assertEquals([from.names(), Deno.readLinkSync(`${folders.toPath}/link`)], [["a.txt"], "nowhere"]);
});
