import { assert, assertEquals } from "@std/assert";
import { createRoots } from "../../src/confine/roots.ts";
import { removeFile, removeFolder } from "../../src/engine/remove.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { denyOpen } from "../support/deny_open.ts";
import { abortedAfter, engineFolder, engineOn, nativePath, refusal } from "../support/engine.ts";
import { needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const ITSELF = { follow: false };

Deno.test("removeFile removes a file, and leaves its folder", async () => {
  using folder = engineFolder();
  folder.write("sub/a.txt", "x");
  await removeFile(folder.at("sub/a.txt"), folder.changing);
  assertEquals(folder.names(), ["sub/"]);
});

Deno.test("removeFile removes a link and never what it leads to", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("theirs.txt", "theirs");
  folder.write("a.txt", "x");
  folder.write("sub/b.txt", "x");
  const targets = {
    file: "a.txt",
    folder: "sub",
    away: `${outside.path}/theirs.txt`,
    off: outside.path,
    lost: "no",
  };
  for (const [name, target] of Object.entries(targets)) Deno.symlinkSync(target, `${folder.path}/${name}`);
  for (const name of Object.keys(targets)) await removeFile(folder.at(name, ITSELF), folder.changing);
  assertEquals(folder.names(), ["a.txt", "sub/", "sub/b.txt"]);
  assertEquals(outside.names(), ["theirs.txt"]);
});

Deno.test("removeFile refuses a folder, the root and a missing file", async () => {
  using folder = engineFolder();
  folder.write("sub/a.txt", "x");
  const remove = (path: string) => refusal(removeFile(folder.at(path, ITSELF), folder.changing));
  assertEquals(await remove("sub"), 'INVALID_INPUT: path is a directory, not a file: "sub"');
  assertEquals(await remove(""), 'INVALID_INPUT: path is a directory, not a file: ""');
  assertEquals(await remove("no.txt"), "NOT_FOUND: file not found: no.txt");
  assertEquals(await remove("no/no.txt"), "NOT_FOUND: file not found: no/no.txt");
  assertEquals(folder.names(), ["sub/", "sub/a.txt"]);
});

Deno.test("removeFile lets an edit in progress finish first", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "old");
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const edit = updateFile(folder.at("a.txt"), async () => {
    begun.resolve();
    await gate.promise;
    return new TextEncoder().encode("new");
  }, folder.changing);
  await begun.promise;
  const removal = removeFile(folder.at("a.txt"), folder.changing);
  gate.resolve();
  assertEquals((await edit).created, false);
  await removal;
  assertEquals(folder.names(), []);
});

Deno.test("removeFile removes a file that may not be written to, or even read", async () => {
  for (const readable of [true, false]) {
    using folder = engineFolder();
    folder.write("a.txt", "x");
    using _denied = denyOpen(`${folder.path}/a.txt`, { readable });
    await removeFile(folder.at("a.txt"), folder.changing);
    assertEquals(folder.names(), []);
  }
});

Deno.test("removeFile waits for the lock of a file that may only be read", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "x");
  using other = Deno.openSync(`${folder.path}/a.txt`);
  assert(other.tryLockSync(true));
  using _denied = denyOpen(`${folder.path}/a.txt`, { readable: true });
  const said = await refusal(removeFile(folder.at("a.txt"), { ...folder.changing, lockWaitMs: 20 }));
  assert(said.startsWith('TIMEOUT: could not lock "a.txt"'), said);
  assertEquals(folder.names(), ["a.txt"]);
});

Deno.test("removeFile refuses when the call is cancelled while it waits", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "x");
  const changing = { ...folder.changing, signal: AbortSignal.abort() };
  assertEquals(await refusal(removeFile(folder.at("a.txt"), changing)), "TIMEOUT: the call was cancelled");
  assertEquals(folder.names(), ["a.txt"]);
});

Deno.test("removeFolder removes everything in a folder, and counts it", async () => {
  using folder = engineFolder();
  for (const name of ["keep.txt", "sub/a", "sub/b/c", "sub/b/.hidden", "sub/.paddock-00ff.tmp"]) {
    folder.write(name, "x");
  }
  Deno.mkdirSync(`${folder.path}/sub/empty`);
  assertEquals(await removeFolder(folder.at("sub"), folder.changing), 7);
  assertEquals(folder.names(), ["keep.txt"]);
});

Deno.test("removeFolder unlinks links and never follows them", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("deep/theirs.txt", "theirs");
  folder.write("keep/a.txt", "x");
  folder.write("sub/a.txt", "x");
  const targets = [outside.path, `${outside.path}/deep/theirs.txt`, "../keep", ".", "nowhere"];
  targets.forEach((target, i) => Deno.symlinkSync(target, `${folder.path}/sub/link${i}`));
  assertEquals(await removeFolder(folder.at("sub"), folder.changing), 7);
  assertEquals(folder.names(), ["keep/", "keep/a.txt"]);
  assertEquals(outside.names(), ["deep/", "deep/theirs.txt"]);
});

Deno.test("removeFolder stops when a folder was swapped for a link meanwhile", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("a.txt", "theirs");
  folder.write("sub/deep/a.txt", "x");
  const list = Deno.readDirSync;
  Deno.readDirSync = (path) => {
    if (/[\\/]deep$/.test(String(path)) && !Deno.lstatSync(path).isSymlink) {
      Deno.renameSync(path, `${folder.path}/away`);
      Deno.symlinkSync(outside.path, path);
    }
    return list(path);
  };
  try {
    const said = await refusal(removeFolder(folder.at("sub"), folder.changing));
    assert(said.startsWith("OUT_OF_BOUNDS: path resolves outside root boundary"), said);
  } finally {
    Deno.readDirSync = list;
  }
  assertEquals(outside.names(), ["a.txt"]);
});

Deno.test("removeFolder refuses the root, a file, a link and a missing folder", async () => {
  using folder = engineFolder();
  folder.write("sub/a.txt", "x");
  Deno.symlinkSync("sub", `${folder.path}/link`);
  const remove = (path: string) => refusal(removeFolder(folder.at(path, ITSELF), folder.changing));
  assertEquals(await remove("/"), "NOT_ALLOWED: cannot remove root directory");
  assertEquals(await remove("sub/.."), "NOT_ALLOWED: cannot remove root directory");
  assertEquals(await remove("sub/a.txt"), 'INVALID_INPUT: path is a file, not a directory: "sub/a.txt"');
  assertEquals(await remove("link"), 'INVALID_INPUT: path is a file, not a directory: "link"');
  assertEquals(await remove("no"), "NOT_FOUND: directory not found: no");
  assertEquals(folder.names(), ["link", "sub/", "sub/a.txt"]);
});

Deno.test("removeFolder refuses a folder that contains another root, or is one", async () => {
  using folder = tempFolder();
  folder.write("a/b/inner/x", "x");
  const roots = createRoots([
    { name: "outer", path: folder.path, git: "open" },
    { name: "inner", path: nativePath(`${folder.path}/a/b/inner`), git: "open" },
  ]);
  const outer = roots.get("outer");
  assert(outer !== undefined);
  const engine = engineOn(outer);
  for (const path of ["a", "a/b", "a/b/inner"]) {
    assertEquals(
      await refusal(removeFolder(engine.at(path), engine.changing)),
      `NOT_ALLOWED: "${path}" contains the directory of root inner`,
    );
  }
  assertEquals(folder.names(), ["a/", "a/b/", "a/b/inner/", "a/b/inner/x"]);
});

for (const name of [".git", ".GIT", "git~1", ".git "]) {
  const title = `removeFolder refuses a folder with a protected ${
    JSON.stringify(name)
  } in it before anything is removed`;
  const named = name.endsWith(" ") ? needs("Unix") : needs(); // Windows has no such names
  Deno.test(named(title), async () => {
    using folder = engineFolder("read-only");
    folder.write("sub/a.txt", "x");
    folder.write(`sub/deep/repo/${name}/config`, "x");
    const before = folder.names();
    const said = await refusal(removeFolder(folder.at("sub"), folder.changing));
    assertEquals(
      said,
      `NOT_ALLOWED: "sub" contains "sub/deep/repo/${name}", which can be read but not changed (the operator ` +
        "can set protect_git: false for root test); nothing was removed",
    );
    assertEquals(folder.names(), before);
  });
}

Deno.test("removeFolder removes a .git that is not protected, and one that a link only leads to", async () => {
  using open = engineFolder("open");
  open.write("sub/.git/config", "x");
  assertEquals(await removeFolder(open.at("sub"), open.changing), 3);
  using kept = engineFolder("read-only");
  kept.write(".git/config", "x");
  kept.write("sub/a", "x");
  Deno.symlinkSync("../.git", `${kept.path}/sub/link`);
  assertEquals(await removeFolder(kept.at("sub"), kept.changing), 3);
  assertEquals(kept.names(), [".git/", ".git/config"]);
});

Deno.test("removeFolder stops between two steps when the call is cancelled", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 20; i++) folder.write(`sub/${i}`, "x");
  const stopAfter = (looks: number) =>
    refusal(removeFolder(folder.at("sub"), { ...folder.changing, signal: abortedAfter(looks) }));
  assertEquals(await stopAfter(10), "TIMEOUT: the call was cancelled; nothing was removed");
  assertEquals(folder.names().length, 21);
  const said = await stopAfter(40);
  const left = folder.names().length - 1;
  assert(left > 0 && left < 20, `${left} are left`);
  assertEquals(
    said,
    `TIMEOUT: "sub" was removed only in part (${20 - left} of 21 entries); the rest is unchanged: ` +
      "the call was cancelled",
  );
  assertEquals(await removeFolder(folder.at("sub"), folder.changing), left + 1);
});

Deno.test("removeFolder waits for other changes of structure in the root", async () => {
  using folder = engineFolder();
  folder.write("sub/a", "x");
  const { locks } = folder.changing;
  const gate = Promise.withResolvers<void>();
  const other = locks.withFolder(folder.at(""), () => gate.promise);
  const hurried = { ...folder.changing, lockWaitMs: 10 };
  assertEquals(
    await refusal(removeFolder(folder.at("sub"), hurried)),
    "TIMEOUT: could not lock root test: another call or process kept it locked; try again later",
  );
  gate.resolve();
  await other;
  assertEquals(await removeFolder(folder.at("sub"), folder.changing), 2);
});
