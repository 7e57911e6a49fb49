/** Whole folders, on the file system of the store and on another. */
import { assertEquals, assertMatch } from "@std/assert";
import { tempFolder } from "../../support/temp.ts";
import { hasLinks } from "../../support/typed_links.ts";
import { treeOf } from "./sequences.ts";
import { needs } from "../../support/needs.ts";
import { undoSettings, type UndoSetup, undoSetup } from "./setup.ts";

const FILES = 400;

function makeTree(setup: UndoSetup, files = FILES): void {
  for (let i = 0; i < files; i++) {
    setup.write(`big/d${i % 20}/e${i % 7}/file${i}.txt`, `content of ${i}\n`.repeat(20));
  }
  setup.write("big/large.bin", new Uint8Array(3 * 1024 * 1024).fill(7));
  Deno.chmodSync(`${setup.root}/big/d3/e3/file3.txt`, 0o440);
  Deno.chmodSync(`${setup.root}/big/d4`, Deno.uid() === 0 ? 0o500 : 0o710); // what others could not remove either
  Deno.mkdirSync(`${setup.root}/big/empty`);
}

/** A folder on a file system other than that of other temporary folders, if there is one. */
function isOther(a: string, b: string): boolean {
  return Deno.statSync(a).dev !== Deno.statSync(b).dev;
}

for (
  const [where, inMemory] of [["on the store's file system", false], [
    "on a file system other than the store's",
    true,
  ]] as const
) {
  Deno.test(`a folder of many files, ${where}, is removed, restored exactly, and removed again`, async () => {
    using other = tempFolder({ inMemory });
    await using setup = undoSetup({ store: `${other.path}/store` });
    if (inMemory && !isOther(setup.root, other.path)) return; // both are on one disk here
    makeTree(setup, inMemory ? FILES / 4 : FILES);
    if (!inMemory && hasLinks()) Deno.symlinkSync("large.bin", `${setup.root}/big/link`);
    const before = treeOf(setup.root);
    const removed = await setup.call("remove_folder", { root: "r", path: "big" });
    assertEquals([removed.undoable, /disk space/.test(removed.undo_note ?? "")], [undefined, !inMemory]);
    assertEquals(treeOf(setup.root), {});
    const { change } = await setup.call("undo", { root: "r", id: removed.change });
    assertEquals(treeOf(setup.root), before);
    await setup.call("undo", { root: "r", id: change });
    assertEquals(treeOf(setup.root), {});
  });
}

Deno.test("a folder that is too large to be copied is still removed, and the answer says so", async () => {
  using other = tempFolder({ inMemory: true });
  await using setup = undoSetup({ store: `${other.path}/store`, maxChangeBytes: 100_000 });
  if (!isOther(setup.root, other.path)) return;
  makeTree(setup);
  const removed = await setup.call("remove_folder", { root: "r", path: "big" });
  assertEquals([removed.undoable, setup.exists("big")], [false, false]);
  assertMatch(removed.undo_note, /max_change_mb/);
});

Deno.test("removing again what an undo restored is a conflict if somebody has put something there", async () => {
  await using setup = undoSetup();
  setup.write("d/a.txt", "one\n");
  const removed = await setup.call("remove_folder", { root: "r", path: "d" });
  const { change } = await setup.call("undo", { root: "r", id: removed.change });
  setup.write("d/mine.txt", "by hand\n");
  assertMatch(
    await setup.refusal("undo", { root: "r", id: change }),
    /^conflict: "d" was changed since by another program/,
  );
  assertEquals(setup.read("d/mine.txt"), "by hand\n");
});

Deno.test({
  ...needs("Linux", "basic tools")(
    "a folder with names that are not UTF-8, a pipe and links is restored completely",
  ),
  fn: async () => {
    await using setup = undoSetup();
    setup.write("d/a.txt", "one\n");
    const script =
      'cd "$1"/d && printf x > "$(printf \'bad\\377name\')" && ln -s nowhere link && ls -A | od -c';
    const list = 'cd "$1" && ls -AR d | od -c';
    const run = (code: string) =>
      new Deno.Command("sh", { args: ["-c", code, "sh", setup.root] }).outputSync().stdout;
    run(script);
    const before = run(list);
    const { change } = await setup.call("remove_folder", { root: "r", path: "d" });
    assertEquals(setup.exists("d"), false);
    await setup.call("undo", { root: "r", id: change });
    assertEquals(run(list), before);
  },
});

Deno.test("folders that a move between roots creates belong to the root they are in", async () => {
  await using other = undoSetup();
  const undo = undoSettings(other.store);
  const roots = [{ name: "other", path: other.root, allowedTools: ["*"], protectGit: true, undo }];
  await using setup = undoSetup({ roots });
  setup.write("a.txt", "one\n");
  const args = { source_root: "r", source_path: "a.txt", dest_root: "other", dest_path: "deep/er/b.txt" };
  const moved = await setup.call("move", args);
  await setup.call("undo", { root: "other", id: moved.also.id });
  assertEquals([Object.keys(treeOf(other.root)), Object.keys(treeOf(setup.root))], [[], []]);
  await setup.call("undo", { root: "r", id: moved.change });
  assertEquals(setup.read("a.txt"), "one\n");
});
