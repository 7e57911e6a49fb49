/**
 * Moves and removals whose folder is swapped for a link at the instant of the step: after the last check, before the
 * system call. What would be moved in or out is put right, and the call fails.
 */
import { assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { isPlacedAs, knownAt, linkNew, removeKnown, rename } from "../../src/confine/confined_fs.ts";
import { engineOn } from "../support/engine.ts";
import { onUnix } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

/** A root with `dir`, and outside it a folder with the same names. */
function place() {
  const folder = tempFolder();
  for (const side of ["root/dir", "outside"]) {
    folder.write(`${side}/file`, side);
    folder.write(`${side}/sub/file`, side);
  }
  folder.write("root/mine", "mine");
  folder.write("root/my/file", "mine");
  const root = { name: "root", path: `${folder.path}/root`, git: "open" as const, nested: [] };
  const swap = () => {
    Deno.renameSync(`${root.path}/dir`, `${folder.path}/aside`);
    Deno.symlinkSync(`${folder.path}/outside`, `${root.path}/dir`);
  };
  const swapBack = () => {
    Deno.removeSync(`${root.path}/dir`);
    Deno.renameSync(`${folder.path}/aside`, `${root.path}/dir`);
  };
  const state = () =>
    folder.names().filter((name) => !name.endsWith("/")).map((name) => `${name} ${folder.read(name)}`);
  return { ...folder, ...engineOn(root), swap, swapBack, state };
}

type Place = ReturnType<typeof place>;

/** Swaps the folder during the first such system call. */
function during(name: "renameSync" | "linkSync", at: Place): Disposable {
  const calls: Record<typeof name, (from: string, to: string) => void> = Deno;
  const original = calls[name];
  let isOver = false;
  calls[name] = (from, to) => {
    if (isOver) return original(from, to);
    isOver = true;
    at.swap();
    try {
      original(from, to);
    } finally {
      at.swapBack();
    }
  };
  return { [Symbol.dispose]: () => calls[name] = original };
}

function codeOf(call: () => unknown): string {
  try {
    return String(call());
  } catch (error) {
    if (error instanceof PaddockError) return error.code;
    throw error;
  }
}

Deno.test({
  ...onUnix(
    "rename replaces no file outside when the destination folder is swapped",
  ),
  fn: () => {
    using at = place();
    const before = at.state();
    using _swapped = during("linkSync", at);
    assertEquals(codeOf(() => rename(at.at("mine"), at.at("dir/file"))), "OUT_OF_BOUNDS");
    assertEquals(at.state().filter((line) => !line.includes(".paddock-")), before);
  },
});

Deno.test({
  ...onUnix("rename brings no file in when the source folder is swapped"),
  fn: () => {
    using at = place();
    const before = at.state();
    using _swapped = during("linkSync", at);
    assertEquals(codeOf(() => rename(at.at("dir/file"), at.at("came"))), "OUT_OF_BOUNDS");
    assertEquals(at.state(), before);
  },
});

Deno.test({
  ...onUnix("linkNew gives no file outside a name inside when its folder is swapped"),
  fn: () => {
    using at = place();
    const before = at.state();
    using _swapped = during("linkSync", at);
    assertEquals(codeOf(() => linkNew(at.at("dir/file"), at.at("came"))), "OUT_OF_BOUNDS");
    assertEquals(at.state(), before);
    assertEquals(Deno.lstatSync(`${at.path}/outside/file`).nlink, 1);
  },
});

Deno.test({
  ...onUnix("removeKnown removes no file outside when its folder is swapped"),
  fn: () => {
    using at = place();
    const [path, what] = [at.at("dir/file"), knownAt(at.at("dir/file"))];
    using _swapped = during("renameSync", at);
    assertEquals(codeOf(() => removeKnown(path, what)), "OUT_OF_BOUNDS");
    assertEquals(at.read("root/dir/file"), "root/dir");
    const left = at.state().filter((line) => line.startsWith("outside/") && line.endsWith(" outside"));
    assertEquals(left.length, 2); // under its name or, because nobody swaps the folder again here, under a temporary one
  },
});

Deno.test("rename and removeKnown do their work, also over a file and for a file with two names", () => {
  using at = place();
  assertEquals(rename(at.at("mine"), at.at("dir/file")), true);
  assertEquals(at.read("root/dir/file"), "mine");
  Deno.linkSync(`${at.path}/root/dir/file`, `${at.path}/root/second`);
  assertEquals(rename(at.at("dir/file"), at.at("third")), true);
  assertEquals([at.read("root/second"), at.read("root/third")], ["mine", "mine"]);
  assertEquals(rename(at.at("my"), at.at("dir/my")), true);
  const third = knownAt(at.at("third"));
  assertEquals([isPlacedAs(at.at("third"), third), isPlacedAs(at.at("dir/my/file"), third)], [true, false]);
  removeKnown(at.at("third"), third);
  assertEquals(at.names().filter((name) => name.startsWith("root/")), [
    "root/",
    "root/dir/",
    "root/dir/my/",
    "root/dir/my/file",
    "root/dir/sub/",
    "root/dir/sub/file",
    "root/second",
  ]);
});
