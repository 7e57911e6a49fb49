import { assert, assertEquals } from "@std/assert";
import { createRoots } from "../../src/confine/roots.ts";
import { Locks } from "../../src/engine/locks.ts";
import { removeFolder } from "../../src/engine/remove.ts";
import { withFiles, withStructure } from "../../src/engine/with_locks.ts";
import { engineFolder, engineOn, nativePath, refusal } from "../support/engine.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

type Engine = ReturnType<typeof engineOn>;

/** A folder that is a root, with another inside it, and one inside that: each with its own locks. */
function nested(folder: TempFolder): Record<"outer" | "middle" | "inner", Engine> {
  folder.write("middle/inner/sub/a.txt", "x");
  const roots = createRoots([
    { name: "middle", path: nativePath(`${folder.path}/middle`), git: "open" },
    { name: "outer", path: folder.path, git: "open" },
    { name: "inner", path: nativePath(`${folder.path}/middle/inner`), git: "open" },
  ]);
  const engine = (name: string) => {
    const root = roots.get(name);
    assert(root !== undefined);
    return engineOn(root);
  };
  return { outer: engine("outer"), middle: engine("middle"), inner: engine("inner") };
}

Deno.test("withStructure blocks a change of the same folder through another root", async () => {
  using folder = tempFolder();
  const { outer, middle, inner } = nested(folder);
  const routes: [Engine, string][] = [[outer, "middle/inner/sub"], [middle, "inner/sub"], [inner, "sub"]];
  for (const [holder, path] of routes) {
    await withStructure([holder.at(path)], async () => {
      for (const [other, route] of routes) {
        const removal = removeFolder(other.at(route), { ...other.changing, lockWaitMs: 20 });
        assertEquals(
          await refusal(removal),
          "TIMEOUT: could not lock root outer: another call or process kept it locked; try again later",
        );
      }
    }, holder.changing);
  }
  assertEquals(await removeFolder(outer.at("middle/inner/sub"), outer.changing), 2);
});

Deno.test("withStructure blocks and waits for a process that only knows the inner root", async () => {
  using folder = tempFolder();
  const { outer } = nested(folder);
  const alone = engineOn({ name: "alone", path: `${folder.path}/middle/inner`, git: "open", nested: [] });
  const hurried = (engine: Engine) => ({ ...engine.changing, lockWaitMs: 20 });
  for (const path of ["middle/inner/sub", "middle"]) {
    await withStructure([outer.at(path)], async () => {
      const said = await refusal(removeFolder(alone.at("sub"), hurried(alone)));
      assert(said.startsWith("TIMEOUT: could not lock root alone"), said);
    }, outer.changing);
    await withStructure([alone.at("sub")], async () => {
      const said = await refusal(withStructure([outer.at(path)], () => Promise.resolve(), hurried(outer)));
      assert(said.startsWith("TIMEOUT: could not lock root inner"), said);
    }, alone.changing);
  }
  await withStructure([alone.at("sub")], async () => {
    await withStructure([outer.at("other")], () => Promise.resolve(), hurried(outer)); // has nothing to do with it
  }, alone.changing);
});

Deno.test("withStructure acquires a lock once, and none that the call already holds", async () => {
  using folder = tempFolder();
  const { outer, inner } = nested(folder);
  const { changing } = outer;
  const paths = [inner.at("sub"), outer.at("middle/inner/sub"), outer.at("a"), outer.at("b")];
  const hurried = { ...changing, lockWaitMs: 20 };
  await withStructure(paths, async (locked) => {
    assertEquals(locked.structureLocked, true);
    assertEquals(await withStructure(paths, () => Promise.resolve("again"), locked), "again");
  }, hurried);
  assertEquals(changing.locks.waits, 0);
});

Deno.test("withStructure in opposite orders ends, one after the other", async () => {
  using folder = tempFolder();
  const { outer, inner } = nested(folder);
  const locks = new Locks();
  const changing = { ...outer.changing, locks };
  const order: number[] = [];
  const paths = [outer.at("middle/inner"), inner.at("sub")];
  const runs = [paths, paths.toReversed(), paths].map((some, i) =>
    withStructure(some, async () => {
      order.push(i);
      await new Promise((end) => setTimeout(end, 5));
      order.push(i);
    }, changing)
  );
  await Promise.all(runs);
  assertEquals(order, [0, 0, 1, 1, 2, 2]);
});

Deno.test("withFiles acquires the lock of a file with two names once", async () => {
  using folder = engineFolder();
  Deno.linkSync(folder.write("a", "x"), `${folder.path}/b`);
  const hurried = { ...folder.changing, lockWaitMs: 20 };
  assertEquals(
    await withFiles([folder.at("b"), folder.at("a")], () => Promise.resolve("done"), hurried),
    "done",
  );
});
