// What links mean to a copy: in the source, at the destination, and between roots.
import { assert, assertEquals } from "@std/assert";
import { createRoots } from "../../src/confine/roots.ts";
import { copyEntry } from "../../src/engine/copy.ts";
import { engineFolder, engineOn, nativePath, refusal } from "../support/engine.ts";
import { withMkfifo } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

Deno.test(
  withMkfifo("copyEntry follows links that stay inside, and skips and counts the others"),
  async () => {
    using folder = engineFolder();
    using outside = tempFolder();
    outside.write("secret.txt", "secret");
    folder.write("other/x.txt", "followed");
    folder.write("from/a.txt", "a");
    const links = {
      file: "../other/x.txt",
      folder: "../other",
      chain: "file",
      away: `${outside.path}/secret.txt`,
      off: outside.path,
      lost: "nowhere",
      self: "self",
    };
    for (const [name, target] of Object.entries(links)) {
      Deno.symlinkSync(
        target,
        `${folder.path}/from/${name}`,
      );
    }
    assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/from/pipe`] }).outputSync().code, 0);
    const copied = await copyEntry(folder.at("from"), folder.at("to"), folder.changing);
    assertEquals(copied, { isDirectory: true, size: 1 + 3 * 8, files: 4, skipped: 5 });
    assertEquals(folder.names().filter((name) => name.startsWith("to/")), [
      "to/",
      "to/a.txt",
      "to/chain",
      "to/file",
      "to/folder/",
      "to/folder/x.txt",
    ]);
    for (const name of ["chain", "file"]) assert(Deno.lstatSync(`${folder.path}/to/${name}`).isFile);
  },
);

Deno.test("copyEntry stops at links that lead back up, to each other or to the copy", async () => {
  using folder = engineFolder();
  folder.write("from/a/x.txt", "x");
  folder.write("from/b/y.txt", "y");
  Deno.mkdirSync(`${folder.path}/to`);
  const links = { up: "..", top: "../..", here: ".", "a/b": "../b", "b/a": "../a", copy: "../to" };
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/from/${name}`);
  const { files, skipped } = await copyEntry(folder.at("from"), folder.at("to"), folder.changing);
  // a contains b, whose link to a is skipped; b contains a, whose link to b is skipped.
  assertEquals([files, skipped], [4, 6]);
  assertEquals(folder.names().filter((name) => name.startsWith("to/") && name.endsWith(".txt")), [
    "to/a/b/y.txt",
    "to/a/x.txt",
    "to/b/a/x.txt",
    "to/b/y.txt",
  ]);
});

Deno.test("copyEntry skips links that lead into a hidden .git or to a temporary file", async () => {
  using folder = engineFolder("hidden");
  folder.write(".git/config", "secret");
  folder.write(".paddock-00.tmp", "half");
  folder.write("from/z.txt", "x");
  Deno.symlinkSync("../.git", `${folder.path}/from/a`);
  Deno.symlinkSync("../.git/config", `${folder.path}/from/b`);
  Deno.symlinkSync("../.paddock-00.tmp", `${folder.path}/from/c`);
  const copied = await copyEntry(folder.at("from"), folder.at("to"), folder.changing);
  assertEquals([copied.files, copied.skipped], [1, 3]);
  assertEquals(folder.names().filter((name) => name.startsWith("to/")), ["to/", "to/z.txt"]);
});

/** The engine on a folder whose `inner` is a root of its own. */
function nestedAt(folder: TempFolder, inner: string): ReturnType<typeof engineOn> {
  Deno.mkdirSync(`${folder.path}/${inner}`, { recursive: true });
  const roots = createRoots([
    { name: "outer", path: folder.path, git: "open" },
    { name: "inner", path: nativePath(`${folder.path}/${inner}`), git: "open" },
  ]);
  const outer = roots.get("outer");
  assert(outer !== undefined);
  return engineOn(outer);
}

Deno.test("copyEntry skips links that lead into another root, or to a folder with one inside", async () => {
  using folder = tempFolder();
  const { at, changing } = nestedAt(folder, "side/inner");
  folder.write("side/inner/deep/secret.txt", "secret");
  folder.write("side/a.txt", "a");
  folder.write("from/b.txt", "b");
  const links = {
    root: "../side/inner",
    folder: "../side/inner/deep",
    file: "../side/inner/deep/secret.txt",
    around: "../side",
  };
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/from/${name}`);
  const copied = await copyEntry(at("from"), at("to"), changing);
  assertEquals(copied, { isDirectory: true, size: 2, files: 2, skipped: 4 });
  assertEquals(folder.names().filter((name) => name.startsWith("to/")), [
    "to/",
    "to/around/",
    "to/around/a.txt",
    "to/b.txt",
  ]);
});

Deno.test("copyEntry copies a root inside the source, with the links that stay in it", async () => {
  using folder = tempFolder();
  const { at, changing } = nestedAt(folder, "from/inner");
  folder.write("from/inner/a.txt", "a");
  Deno.symlinkSync("a.txt", `${folder.path}/from/inner/link`);
  Deno.symlinkSync("inner/a.txt", `${folder.path}/from/link`);
  const { files, skipped } = await copyEntry(at("from"), at("to"), changing);
  assertEquals([files, skipped], [2, 1]);
  assertEquals(folder.names().filter((name) => name.startsWith("to/inner/")), [
    "to/inner/",
    "to/inner/a.txt",
    "to/inner/link",
  ]);
});

Deno.test("copyEntry copies parallel links completely, and does not multiply links upon links", async () => {
  using folder = engineFolder();
  const depth = 20;
  for (let i = 0; i < depth; i++) {
    folder.write(`other/${i}/file`, "x");
    if (i === depth - 1) continue;
    for (const name of ["one", "two"]) Deno.symlinkSync(`../${i + 1}`, `${folder.path}/other/${i}/${name}`);
  }
  Deno.mkdirSync(`${folder.path}/from`);
  for (const name of ["a", "b"]) Deno.symlinkSync("../other/0", `${folder.path}/from/${name}`);
  const changing = { ...folder.changing, signal: AbortSignal.timeout(20_000) };
  const { files, skipped } = await copyEntry(folder.at("from"), folder.at("to"), changing);
  // Both links to 0 are followed; below them each of the 19 others once, and their other links are left out.
  assertEquals([files, skipped], [2 + 19, 2 + 19]);
  assertEquals([folder.read("to/a/file"), folder.read("to/b/file")], ["x", "x"]);
});

Deno.test("copyEntry writes through links at the destination that stay inside, and keeps them", async () => {
  using folder = engineFolder();
  folder.write("from/file", "new");
  folder.write("from/sub/a", "new");
  folder.write("other/file", "old");
  folder.write("other/sub/b", "old");
  Deno.mkdirSync(`${folder.path}/to`);
  for (const name of ["file", "sub"]) Deno.symlinkSync(`../other/${name}`, `${folder.path}/to/${name}`);
  assertEquals((await copyEntry(folder.at("from"), folder.at("to"), folder.changing)).files, 2);
  for (const name of ["file", "sub"]) assert(Deno.lstatSync(`${folder.path}/to/${name}`).isSymlink);
  assertEquals([folder.read("other/file"), folder.read("other/sub/a"), folder.read("other/sub/b")], [
    "new",
    "new",
    "old",
  ]);
});

Deno.test("copyEntry refuses links at the destination that lead elsewhere", async (t) => {
  const cases = [
    ["/etc/hosts", 'OUT_OF_BOUNDS: path resolves outside root boundary: "to/x"'],
    [
      "nowhere",
      'OUT_OF_BOUNDS: path resolves outside root boundary: a symbolic link on the way leads nowhere: "to/x"',
    ],
    ["../inner/x", 'NOT_ALLOWED: "to/x" is a link into root inner: to copy there, name that root'],
    [
      "../from/x",
      'INVALID_INPUT: cannot copy a folder into itself: "to/x" is a link into what is being copied',
    ],
  ] as const;
  for (const kind of ["file", "folder"]) {
    for (const [target, said] of cases) {
      await t.step(`a ${kind} to ${target}`, async () => {
        using folder = tempFolder();
        const { at, changing } = nestedAt(folder, "inner");
        const below = kind === "file" ? "x" : "x/y";
        for (const place of ["from", "inner"]) folder.write(`${place}/${below}`, place);
        Deno.mkdirSync(`${folder.path}/to`);
        Deno.symlinkSync(target, `${folder.path}/to/x`);
        const before = folder.names();
        assertEquals(
          await refusal(copyEntry(at("from"), at("to"), changing)),
          `${said}; nothing was copied`,
        );
        assertEquals([folder.names(), folder.read(`inner/${below}`)], [before, "inner"]);
      });
    }
  }
});
