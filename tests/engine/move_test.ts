import { assert, assertEquals } from "@std/assert";
import type { ConfinedRoot } from "../../src/confine/resolve_path.ts";
import { createRoots } from "../../src/confine/roots.ts";
import { moveEntry } from "../../src/engine/move.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { denyOpen } from "../support/deny_open.ts";
import { type EngineFolder, engineFolder, engineOn, nativePath, refusal } from "../support/engine.ts";
import { tempFolder } from "../support/temp.ts";
import { hasLinks } from "../support/typed_links.ts";

function move(folder: EngineFolder, from: string, to: string): Promise<void> {
  const itself = { follow: false };
  return moveEntry(folder.at(from, itself), folder.at(to, itself), folder.changing);
}

Deno.test("moveEntry renames a file, creating missing folders", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "x");
  if (Deno.build.os !== "windows") Deno.chmodSync(`${folder.path}/a.txt`, 0o640);
  const { ino } = Deno.statSync(`${folder.path}/a.txt`);
  await move(folder, "a.txt", "new/folder/b.txt");
  assertEquals(folder.names(), ["new/", "new/folder/", "new/folder/b.txt"]);
  assertEquals(Deno.statSync(`${folder.path}/new/folder/b.txt`).ino, ino);
  if (Deno.build.os !== "windows") assertEquals(folder.mode("new/folder/b.txt"), 0o640);
});

Deno.test("moveEntry replaces a file, and does nothing if source and destination are the same", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "new");
  folder.write("b.txt", "old");
  await move(folder, "a.txt", "b.txt");
  assertEquals([folder.names(), folder.read("b.txt")], [["b.txt"], "new"]);
  await move(folder, "b.txt", "./b.txt");
  assertEquals([folder.names(), folder.read("b.txt")], [["b.txt"], "new"]);
});

Deno.test("moveEntry moves and replaces files that may not be written to", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "a");
  folder.write("b.txt", "b");
  using _from = denyOpen(`${folder.path}/a.txt`, { readable: true });
  using _to = denyOpen(`${folder.path}/b.txt`, { readable: false });
  await move(folder, "a.txt", "b.txt");
  assertEquals([folder.names(), folder.read("b.txt")], [["b.txt"], "a"]);
});

Deno.test("moveEntry onto another name of the same file leaves that one name", async () => {
  using folder = engineFolder();
  Deno.linkSync(folder.write("a.txt", "x"), `${folder.path}/b.txt`);
  const changing = { ...folder.changing, lockWaitMs: 200 };
  await moveEntry(folder.at("a.txt"), folder.at("b.txt"), changing);
  assertEquals([folder.names(), folder.read("b.txt")], [["b.txt"], "x"]);
});

Deno.test("moveEntry moves a folder with everything in it", async () => {
  using folder = engineFolder();
  folder.write("from/a/b.txt", "x");
  if (hasLinks()) Deno.symlinkSync("/etc/hosts", `${folder.path}/from/a/link`);
  await move(folder, "from", "to/here");
  const links = hasLinks() ? ["to/here/a/link"] : [];
  assertEquals(folder.names(), ["to/", "to/here/", "to/here/a/", "to/here/a/b.txt", ...links]);
});

Deno.test("moveEntry moves a link itself, unless it leads outside", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  folder.write("a.txt", "x");
  Deno.symlinkSync("a.txt", `${folder.path}/link`);
  Deno.symlinkSync("nowhere", `${folder.path}/lost`);
  Deno.symlinkSync(outside.path, `${folder.path}/away`);
  await move(folder, "link", "b");
  await move(folder, "lost", "c");
  assertEquals([Deno.readLinkSync(`${folder.path}/b`), Deno.readLinkSync(`${folder.path}/c`)], [
    "a.txt",
    "nowhere",
  ]);
  assertEquals(
    await refusal(move(folder, "away", "d")),
    'OUT_OF_BOUNDS: cannot move a link that leads outside the root: "away"',
  );
  assertEquals(folder.names(), ["a.txt", "away", "b", "c"]);
  await move(folder, "a.txt", "b"); // an existing link is replaced, not followed
  assertEquals(folder.names(), ["away", "b", "c"]);
  assert(Deno.lstatSync(`${folder.path}/b`).isFile);
});

Deno.test("moveEntry refuses, and leaves everything as it was", async (t) => {
  const cases = [
    ["dir", "dir/sub/new", 'INVALID_INPUT: cannot move "dir" into itself ("dir/sub/new")'],
    ["dir", "other", 'ALREADY_EXISTS: destination exists and is a directory: "other"'],
    ["file", "other", 'ALREADY_EXISTS: destination exists and is a directory: "other"'],
    ["dir", "file", 'ALREADY_EXISTS: destination exists and is a file: "file"'],
    ["no", "new/no", "NOT_FOUND: source file not found: no"],
    ["away", "new/away", 'OUT_OF_BOUNDS: cannot move a link that leads outside the root: "away"'],
    [
      "file",
      "newdir/",
      'INVALID_INPUT: path names a folder, not a file: "newdir/"; leave out the trailing slash',
    ],
    ["/", "new/root", "NOT_ALLOWED: cannot move root directory"],
    ["file", "/", 'ALREADY_EXISTS: destination exists and is a directory: "/"'],
  ] as const;
  for (const [from, to, said] of cases) {
    await t.step(`${from} to ${to}`, async () => {
      using folder = engineFolder();
      folder.write("dir/a.txt", "x");
      folder.write("file", "x");
      Deno.mkdirSync(`${folder.path}/other`);
      const links = hasLinks() || from === "away" ? ["away"] : [];
      for (const link of links) Deno.symlinkSync("/etc", `${folder.path}/${link}`);
      assertEquals(await refusal(move(folder, from, to)), said);
      assertEquals(folder.names(), [...links, "dir/", "dir/a.txt", "file", "other/"]);
    });
  }
});

Deno.test("moveEntry refuses a folder that contains another root, or is one", async () => {
  using folder = tempFolder();
  folder.write("a/inner/x", "x");
  const { outer } = twoRoots(folder.path, ["open", "a/inner", "open"]);
  for (const path of ["a", "a/inner"]) {
    assertEquals(
      await refusal(moveEntry(outer.at(path), outer.at("b"), outer.changing)),
      `NOT_ALLOWED: "${path}" contains the directory of root inner`,
    );
  }
  assertEquals(folder.names(), ["a/", "a/inner/", "a/inner/x"]);
});

Deno.test("moveEntry moves no .git across the border of a root that protects it", async (t) => {
  const borders = [["read-only", "open"], ["open", "read-only"], ["hidden", "hidden"]] as const;
  for (const [from, to] of borders) {
    await t.step(`from ${from} to ${to}`, async () => {
      using folder = tempFolder();
      folder.write("repo/deep/.git/hooks/x", "x");
      folder.write("inner/x", "x");
      const { outer } = twoRoots(folder.path, [from, "inner", to]);
      assertEquals(
        await refusal(moveEntry(outer.at("repo"), outer.at("inner/repo"), outer.changing)),
        'NOT_ALLOWED: "repo" contains "repo/deep/.git", which must not leave or enter a root that protects it; ' +
          "nothing was moved",
      );
      assert(folder.names().includes("repo/deep/.git/hooks/x"));
      await moveEntry(outer.at("repo"), outer.at("again/repo"), outer.changing); // inside one root it may be moved along
      assert(folder.names().includes("again/repo/deep/.git/hooks/x"));
    });
  }
});

Deno.test("moveEntry moves no folder that is itself git's into a root that protects it", async () => {
  using folder = tempFolder();
  for (const name of ["bare/HEAD", "bare/objects/x", "bare/refs/x", "repo/.git/config"]) {
    folder.write(name, "x");
  }
  folder.write("inner/x", "x");
  const before = folder.names();
  const { outer } = twoRoots(folder.path, ["open", "inner", "read-only"]);
  for (const path of ["bare", "repo/.git"]) {
    assertEquals(
      await refusal(moveEntry(outer.at(path), outer.at("inner/y"), outer.changing)),
      `NOT_ALLOWED: "${path}" is the folder of a git repository, which must not leave or enter a root ` +
        "that protects it; nothing was moved",
    );
  }
  assertEquals(folder.names(), before);
});

Deno.test("moveEntry lets an edit of either file finish first", async (t) => {
  for (const edited of ["a.txt", "b.txt"]) {
    await t.step(edited, async () => {
      using folder = engineFolder();
      folder.write("a.txt", "a");
      folder.write("b.txt", "b");
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const edit = updateFile(folder.at(edited), async () => {
        begun.resolve();
        await gate.promise;
        return new TextEncoder().encode("edited");
      }, folder.changing);
      await begun.promise;
      const hurried = { ...folder.changing, lockWaitMs: 20 };
      assertEquals(
        await refusal(moveEntry(folder.at("a.txt"), folder.at("b.txt"), hurried)),
        `TIMEOUT: could not lock "${edited}": another call or process kept it locked; try again later`,
      );
      const moving = move(folder, "a.txt", "b.txt");
      gate.resolve();
      await Promise.all([edit, moving]);
      assertEquals([folder.names(), folder.read("b.txt")], [["b.txt"], edited === "a.txt" ? "edited" : "a"]);
    });
  }
});

Deno.test("moveEntry in both directions at once ends, one after the other", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "a");
  folder.write("b.txt", "b");
  const outcomes = await Promise.allSettled([move(folder, "a.txt", "b.txt"), move(folder, "b.txt", "a.txt")]);
  assertEquals(outcomes.map(({ status }) => status), ["fulfilled", "fulfilled"]);
  assertEquals([folder.names(), folder.read("a.txt")], [["a.txt"], "a"]);
});

/** An outer root with another one inside it. */
function twoRoots(path: string, [git, name, innerGit]: [ConfinedRoot["git"], string, ConfinedRoot["git"]]) {
  const roots = createRoots([
    { name: "outer", path, git },
    { name: "inner", path: nativePath(`${path}/${name}`), git: innerGit },
  ]);
  const outer = roots.get("outer");
  assert(outer !== undefined);
  return { outer: engineOn(outer) };
}
