import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import {
  isSameState,
  readFolderUnproven,
  stateOf,
  UnprovenFile,
  UnprovenFolder,
} from "../../src/confine/confined_fs.ts";
import { childOf } from "../../src/confine/resolve_path.ts";
import { swap } from "../engine/search/support.ts";
import { engineFolder, refusal } from "../support/engine.ts";
import { keepKernelCalls } from "../../src/confine/kernel_calls.ts";
import { loadNodeFs } from "../../src/confine/node_fs.ts";
import { keptCalls } from "../../src/sandbox/kernel/kept_calls.ts";
import { has, onLinux, withMkfifo } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

function textOf(file: UnprovenFile): string {
  const buffer = new Uint8Array(100);
  return new TextDecoder().decode(buffer.subarray(0, file.readAt(buffer, 0)));
}

Deno.test("UnprovenFile is proven while it is what is at its path", async () => {
  using folder = engineFolder();
  folder.write("a/b/file", "inside");
  using file = await UnprovenFile.open(folder.at("a/b/file"));
  assertEquals([textOf(file), file.size, file.isProven()], ["inside", 6, true]);
  assertEquals(stateOf(folder.at("a/b/file")), file.state);
});

Deno.test({
  ...onLinux("stateOf tells the same by the kept system calls, of files and folders only"),
  fn() {
    using folder = engineFolder();
    folder.write("a/file", "inside");
    Deno.symlinkSync("file", `${folder.path}/a/link`);
    const paths = ["a", "a/file", "a/link", "a/none"].map((below) =>
      below.split("/").reduce(childOf, folder.at(""))
    );
    const look = () => paths.map((path) => [stateOf(path), stateOf(path, "folder")]);
    const identities = (all: ReturnType<typeof look>) =>
      all.map((states) => states.map((state) => state && [state.dev, state.ino, state.size]));
    const plain = look();
    assertEquals(plain.map((states) => states.map((state) => state !== undefined)), [
      [false, true],
      [true, false],
      [false, false],
      [false, false],
    ]);
    keepKernelCalls(keptCalls());
    try {
      assertEquals(identities(look()), identities(plain));
      assertEquals(look(), look());
    } finally {
      keepKernelCalls(undefined);
    }
  },
});

Deno.test("UnprovenFile is not proven when it was opened through a swapped folder, then or now", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("file", "outside");
  folder.write("a/file", "inside");
  const path = folder.at("a/file");
  swap(`${folder.path}/a`, outside.path);
  using file = await UnprovenFile.open(path);
  assertEquals([textOf(file), file.isProven()], ["outside", false]);
  Deno.removeSync(`${folder.path}/a`);
  Deno.renameSync(`${folder.path}/a-away`, `${folder.path}/a`);
  assertEquals(file.isProven(), false);
});

Deno.test("UnprovenFile is not proven after another file has replaced it", async () => {
  using folder = engineFolder();
  folder.write("file", "old");
  folder.write("other", "new");
  using file = await UnprovenFile.open(folder.at("file"));
  Deno.renameSync(`${folder.path}/other`, `${folder.path}/file`);
  assertEquals(file.isProven(), false);
});

Deno.test(withMkfifo("UnprovenFile does not hang on a pipe, and does not count it as proven"), async () => {
  using folder = engineFolder();
  new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync();
  using file = await UnprovenFile.open(folder.at("pipe"));
  const error = assertThrows(() => file.isProven(), PaddockError);
  assertEquals(error.code, "UNSUPPORTED");
  assertEquals((await refusal(UnprovenFile.open(folder.at("none")))).slice(0, 9), "NOT_FOUND");
});

Deno.test("readFolderUnproven returns the entries of a folder, and nothing from one that was swapped for a link", () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret", "");
  folder.write("a/file", "");
  folder.write("a/.paddock-00ff.tmp", "");
  const path = folder.at("a");
  assertEquals(readFolderUnproven(path).entries.map(({ name }) => name), ["file"]);
  swap(path.absolute, outside.path);
  assertEquals(assertThrows(() => readFolderUnproven(path), PaddockError).code, "OUT_OF_BOUNDS");
});

Deno.test("stateOf is defined only for files", () => {
  using folder = engineFolder();
  folder.write("a/file", "x");
  Deno.symlinkSync("a/file", `${folder.path}/link`);
  for (const name of ["a", "link", "none"]) {
    assertEquals(stateOf(folder.at(name, { follow: false })), undefined, name);
  }
});

/** Once by path, and once from the open folder if the kernel's calls can be kept. */
const WAYS: { way: string; keep: () => void }[] = [
  { way: "by its path", keep: () => {} },
  ...(has("Landlock") ? [{ way: "from the open folder", keep: () => keepKernelCalls(keptCalls()) }] : []),
];

for (const { way, keep } of WAYS) {
  const within = (body: () => void | Promise<void>) => async () => {
    await loadNodeFs();
    keep();
    try {
      await body();
    } finally {
      keepKernelCalls(undefined);
    }
  };

  Deno.test(
    `UnprovenFolder opens a file ${way}, and returns its state`,
    within(() => {
      using folder = engineFolder();
      folder.write("a/file", "inside");
      using opened = new UnprovenFolder(folder.at("a"));
      using file = opened.openNow("file");
      assertEquals(file && [textOf(file), file.isProven(), file.path.relative], ["inside", true, "a/file"]);
      assertEquals(file && isSameState(file.state, opened.state("file")), true);
      assertEquals(["none", "."].map((name) => refusedState(opened, name)), [undefined, undefined]);
      assertThrows(() => opened.openNow("../a/file") ?? childOf(opened.path, "../a/file"), PaddockError);
    }),
  );

  Deno.test(
    `UnprovenFolder proves nothing opened ${way} from a folder or file that was swapped for a link`,
    within(async () => {
      using folder = engineFolder();
      using outside = tempFolder();
      outside.write("file", "outside");
      folder.write("a/file", "inside");
      folder.write("b/file", "inside");
      const [a, b] = [folder.at("a"), folder.at("b")];
      using early = new UnprovenFolder(b);
      swap(a.absolute, outside.path);
      swap(b.absolute, outside.path);
      using late = new UnprovenFolder(a);
      for (const opened of [early, late]) {
        using file = opened.openNow("file") ?? await UnprovenFile.open(childOf(opened.path, "file"));
        assertEquals(file.isProven(), false);
      }
    }),
  );
}

function refusedState(folder: UnprovenFolder, name: string) {
  try {
    return folder.state(name);
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}
