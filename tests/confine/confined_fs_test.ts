/** Every function of the confined file system: what it does, and what it refuses. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import {
  ConfinedFile,
  createFile,
  discardTemp,
  isCurrent,
  linkNew,
  linkTarget,
  lstat,
  makeFolder,
  openFolder,
  openForLock,
  readFolder,
  readFolderRaw,
  readLink,
  removeEmptyFolder,
  rename,
  setOwnership,
  syncFolder,
  unlink,
} from "../../src/confine/confined_fs.ts";
import { tempName } from "../../src/confine/path_rules.ts";
import { childOf } from "../../src/confine/resolve_path.ts";
import { engineFolder, engineOn } from "../support/engine.ts";
import { needs, onLinux, onUnix, withMkfifo } from "../support/needs.ts";
import { openBelow } from "../support/open_files.ts";

/** Windows does not report that a part of a path is a file: it finds nothing there. */
const IN_A_FILE = Deno.build.os === "windows" ? "NOT_FOUND" : "INVALID_INPUT";

function codeOf(action: () => unknown): string {
  return assertThrows(action, PaddockError).code;
}

async function text(file: ConfinedFile): Promise<string> {
  const buffer = new Uint8Array(100);
  return await new Response(buffer.subarray(0, file.readAt(buffer, 0))).text();
}

Deno.test("ConfinedFile.open reads a file, at any position and to its end", async () => {
  using folder = engineFolder();
  folder.write("a/file", "0123456789");
  using file = await ConfinedFile.open(folder.at("a/file"));
  const buffer = new Uint8Array(4);
  assertEquals([file.size, file.readAt(buffer, 8), file.readAt(buffer, 10)], [10, 2, 0]);
  assertEquals([file.readAt(buffer, 3), String.fromCharCode(...buffer)], [4, "3456"]);
  if (Deno.build.os !== "windows") assertEquals(file.mode, folder.mode("a/file"));
});

Deno.test("ConfinedFile.open refuses a missing file and a folder", async () => {
  using folder = engineFolder();
  folder.write("a/file", "");
  const missing = await assertRejects(() => ConfinedFile.open(folder.at("no")), PaddockError);
  assertEquals([missing.code, missing.message], ["NOT_FOUND", "file not found: no"]);
  for (const path of ["a", ""]) {
    const error = await assertRejects(
      () => ConfinedFile.open(folder.at(path)),
      PaddockError,
      "is a directory",
    );
    assertEquals(error.code, "INVALID_INPUT");
  }
  const inFile = await assertRejects(
    () => ConfinedFile.open(folder.at("a/file/x", { follow: false })),
    PaddockError,
  );
  assertEquals(inFile.code, IN_A_FILE);
});

Deno.test(
  onLinux("ConfinedFile.open leaves no descriptor behind if the content to keep cannot be read"),
  async () => {
    const { at } = engineOn({ name: "proc", path: `/proc/${Deno.pid}`, git: "open", nested: [] });
    const mem = `/proc/${Deno.pid}/mem`;
    const open = () => ConfinedFile.open(at("mem"), { holdUpTo: 10 }); // nothing can be read at its beginning
    for (let i = 0; i < 10; i++) await assertRejects(open);
    assertEquals(openBelow(mem), []);
  },
);

Deno.test("ConfinedFile.held is the content as it was at the opening, if that is not too long, and counts as read", async () => {
  using folder = engineFolder();
  folder.write("file", "old");
  using held = await ConfinedFile.open(folder.at("file"), { holdUpTo: 3 });
  using other = await ConfinedFile.open(folder.at("file"), { holdUpTo: 2 });
  folder.write("file", "new");
  assertEquals([held.wasRead, other.wasRead], [false, false]);
  assertEquals([held.held(), other.held()], [new TextEncoder().encode("old"), undefined]);
  assertEquals([held.wasRead, other.wasRead], [true, false]);
});

Deno.test("ConfinedFile.open keeps reading the old content when the file is replaced meanwhile", async () => {
  using folder = engineFolder();
  folder.write("file", "old");
  using file = await ConfinedFile.open(folder.at("file"));
  folder.write("new", "new");
  Deno.renameSync(`${folder.path}/new`, `${folder.path}/file`);
  assertEquals(await text(file), "old");
});

Deno.test({
  ...withMkfifo("ConfinedFile.open and openForLock refuse a pipe, a socket and a device at once"),
  fn: async () => {
    using folder = engineFolder();
    const made = await new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).output();
    assert(made.success);
    using _socket = Deno.listen({ transport: "unix", path: `${folder.path}/socket` });
    const names = ["pipe", "socket"];
    const device = await new Deno.Command("mknod", { args: [`${folder.path}/device`, "c", "1", "5"] })
      .output();
    if (device.success) names.push("device"); // only root may create one; this is /dev/zero, which never ends
    for (const name of names) {
      const path = folder.at(name);
      assertEquals(
        (await assertRejects(() => ConfinedFile.open(path), PaddockError)).code,
        "UNSUPPORTED",
        name,
      );
      assertEquals(codeOf(() => openForLock(path)), "UNSUPPORTED", name);
      assertEquals(codeOf(() => openFolder(path)), "CONFLICT", name);
      assertEquals(codeOf(() => readFolder(path)), "INVALID_INPUT", name);
      assertEquals(lstat(path)?.isFile, false, name);
    }
    unlink(folder.at("pipe"));
    assertEquals(folder.names().includes("pipe"), false);
  },
});

Deno.test("lstat describes what is at the path itself, and returns undefined if nothing is", () => {
  using folder = engineFolder();
  folder.write("a/file", "123");
  assertEquals(lstat(folder.at("a/file"))?.size, 3);
  assertEquals(lstat(folder.at(""))?.isDirectory, true);
  for (const path of ["no", "no/such", "a/no"]) assertEquals(lstat(folder.at(path)), undefined, path);
  const within = () => lstat(folder.at("a/file/x", { follow: false }));
  if (Deno.build.os === "windows") assertEquals(within(), undefined);
  else assertEquals(codeOf(within), "INVALID_INPUT");
});

Deno.test({
  ...onUnix(
    "lstat, readLink, linkTarget and unlink act on a link itself and reveal nothing about a target outside",
  ),
  fn: () => {
    using folder = engineFolder();
    using outside = engineFolder();
    outside.write("file", "12345");
    folder.write("file", "123");
    const links = {
      in: "file",
      out: `${outside.path}/file`,
      gone: "no",
      gone_out: `${outside.path}/no`,
      loop: "loop",
    };
    for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/${name}`);
    const at = (name: string) => folder.at(name, { follow: false });
    for (const [name, target] of Object.entries(links)) {
      assertEquals([lstat(at(name))?.isSymlink, readLink(at(name))], [true, target]);
    }
    const inside = linkTarget(at("in"));
    assertEquals(inside.place === "inside" && inside.info.size, 3);
    assertEquals(linkTarget(at("out")), { place: "outside" });
    for (const name of ["gone", "gone_out", "loop"]) assertEquals(linkTarget(at(name)), { place: "nowhere" });
    for (const name of Object.keys(links)) unlink(at(name));
    assertEquals([folder.names(), outside.read("file")], [["file"], "12345"]);
  },
});

Deno.test("readFolder leaves our temporary files out, and readFolderRaw does not", () => {
  using folder = engineFolder();
  const temp = tempName();
  for (const name of ["a/x", "a/.hidden", `a/${temp}`, "a/b/y"]) folder.write(name, "");
  const names = (entries: Deno.DirEntry[]) => entries.map(({ name }) => name).sort();
  assertEquals(names(readFolder(folder.at("a"))), [".hidden", "b", "x"]);
  assertEquals(names(readFolderRaw(folder.at("a"))), [".hidden", temp, "b", "x"].sort());
  assertEquals(readFolder(folder.at("a/b")).length, 1);
  assertEquals(codeOf(() => readFolder(folder.at("no"))), "NOT_FOUND");
  assertEquals(codeOf(() => readFolder(folder.at("a/x"))), IN_A_FILE);
});

Deno.test({
  ...needs("Linux", "basic tools")(
    "readFolder leaves out names that are not valid UTF-8, even if there are no others",
  ),
  fn: async () => {
    using folder = engineFolder();
    const script = `cd '${folder.path}' && touch "$(printf 'bad\\377')" && mkdir empty`;
    assert((await new Deno.Command("sh", { args: ["-c", script] }).output()).success);
    assertEquals(readFolder(folder.at("")).map(({ name }) => name), ["empty"]);
    Deno.removeSync(`${folder.path}/empty`);
    assertEquals(readFolder(folder.at("")), []);
  },
});

Deno.test("isCurrent is true until the file is replaced or removed", () => {
  using folder = engineFolder();
  folder.write("file", "old");
  const path = folder.at("file");
  using file = openForLock(path);
  for (const careful of [false, true]) assertEquals(isCurrent(file, path, { careful }), true);
  folder.write("new", "new");
  Deno.renameSync(`${folder.path}/new`, `${folder.path}/file`);
  for (const careful of [false, true]) assertEquals(isCurrent(file, path, { careful }), false);
  unlink(path);
  assertEquals(isCurrent(file, path), false);
});

Deno.test("createFile creates a private file that must be new", () => {
  using folder = engineFolder();
  createFile(folder.at("file")).close();
  if (Deno.build.os !== "windows") assertEquals(folder.mode("file"), 0o600);
  assertEquals(codeOf(() => createFile(folder.at("file"))), "ALREADY_EXISTS");
  assertEquals(codeOf(() => createFile(folder.at("no/file"))), "NOT_FOUND");
});

Deno.test({
  ...onUnix("createFile and linkNew accept no name that is a link, wherever it leads"),
  fn: () => {
    using folder = engineFolder();
    using outside = engineFolder();
    folder.write("file", "");
    Deno.symlinkSync(`${outside.path}/new`, `${folder.path}/link`);
    const link = folder.at("link", { follow: false });
    assertEquals(codeOf(() => createFile(link)), "ALREADY_EXISTS");
    assertEquals(linkNew(folder.at("file"), link), "taken");
    assertEquals(codeOf(() => makeFolder(link)), "ALREADY_EXISTS");
    assertEquals(outside.names(), []);
    assertEquals(rename(folder.at("file"), link), true); // replaces the link
    assertEquals([folder.names(), outside.names(), lstat(link)?.isFile], [["link"], [], true]);
  },
});

Deno.test({
  ...onUnix("setOwnership sets the mode of the open file only, never that of what took its name"),
  fn: async () => {
    using folder = engineFolder();
    using outside = engineFolder();
    const target = outside.write("file", "");
    Deno.chmodSync(target, 0o644);
    folder.write("file", "");
    using file = openForLock(folder.at("file"));
    const path = folder.at("file");
    const ownership = { file, mode: 0o640, uid: null, gid: null };
    assertEquals([await setOwnership(path, ownership), folder.mode("file")], [true, 0o640]);
    Deno.removeSync(`${folder.path}/file`);
    Deno.symlinkSync(target, `${folder.path}/file`);
    assertEquals(await setOwnership(path, { ...ownership, mode: 0o777 }), false);
    assertEquals(outside.mode("file"), 0o644);
  },
});

Deno.test("rename, linkNew, unlink, makeFolder and removeEmptyFolder do what they say and nothing else", async () => {
  using folder = engineFolder();
  folder.write("a/file", "1");
  folder.write("other", "2");
  assertEquals(linkNew(folder.at("other"), folder.at("a/file")), "taken");
  assertEquals(linkNew(folder.at("other"), folder.at("a/second")), "linked");
  assertEquals(rename(folder.at("a/file"), folder.at("a/second")), true);
  assertEquals(folder.read("a/second"), "1");
  assertEquals(codeOf(() => rename(folder.at("no"), folder.at("x"))), "NOT_FOUND");
  assertEquals(codeOf(() => rename(folder.at("other"), folder.at("no/x"))), "NOT_FOUND");
  assertEquals([makeFolder(folder.at("b")), makeFolder(folder.at("b"))], [true, false]);
  assertEquals(codeOf(() => makeFolder(folder.at("other"))), "ALREADY_EXISTS");
  assertEquals(codeOf(() => makeFolder(folder.at("no/x"))), "NOT_FOUND");
  assertEquals(codeOf(() => unlink(folder.at("b"))), "INVALID_INPUT");
  assertEquals(codeOf(() => unlink(folder.at("no"))), "NOT_FOUND");
  assertEquals(codeOf(() => removeEmptyFolder(folder.at("a"))), "CONFLICT");
  assertEquals(codeOf(() => removeEmptyFolder(folder.at("other"))), "CONFLICT");
  removeEmptyFolder(folder.at("b"));
  unlink(folder.at("other"));
  await syncFolder(folder.at("a"));
  assertEquals(folder.names(), ["a/", "a/second"]);
});

Deno.test("discardTemp removes a temporary file of ours, and refuses any other name", () => {
  using folder = engineFolder();
  folder.write("x", "");
  const path = childOf(folder.at(""), tempName());
  using temp = createFile(path);
  assertThrows(() => discardTemp(folder.at("x"), temp), TypeError);
  assertEquals(folder.names().length, 2);
  assertEquals([discardTemp(path, temp), discardTemp(path, temp)], [true, true]); // a second call changes nothing
  assertEquals(folder.names(), ["x"]);
});
