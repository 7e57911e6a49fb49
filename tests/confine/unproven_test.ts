import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { readFolderUnproven, stateOf, UnprovenFile } from "../../src/confine/confined_fs.ts";
import { swap } from "../engine/search/support.ts";
import { engineFolder, refusal } from "../support/engine.ts";
import { withMkfifo } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

function textOf(file: UnprovenFile): string {
  const buffer = new Uint8Array(100);
  return new TextDecoder().decode(buffer.subarray(0, file.readAt(buffer, 0)));
}

Deno.test("UnprovenFile is proven while it is what lies at its path", async () => {
  using folder = engineFolder();
  folder.write("a/b/file", "inside");
  using file = await UnprovenFile.open(folder.at("a/b/file"));
  assertEquals([textOf(file), file.size, file.isProven()], ["inside", 6, true]);
  assertEquals(stateOf(folder.at("a/b/file")), file.state);
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

Deno.test("UnprovenFile is not proven when another file has taken its place", async () => {
  using folder = engineFolder();
  folder.write("file", "old");
  folder.write("other", "new");
  using file = await UnprovenFile.open(folder.at("file"));
  Deno.renameSync(`${folder.path}/other`, `${folder.path}/file`);
  assertEquals(file.isProven(), false);
});

Deno.test(withMkfifo("UnprovenFile does not hang on a pipe, and refuses to call it proven"), async () => {
  using folder = engineFolder();
  new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync();
  using file = await UnprovenFile.open(folder.at("pipe"));
  const error = assertThrows(() => file.isProven(), PaddockError);
  assertEquals(error.code, "UNSUPPORTED");
  assertEquals((await refusal(UnprovenFile.open(folder.at("none")))).slice(0, 9), "NOT_FOUND");
});

Deno.test("readFolderUnproven gives the entries of a folder, and nothing of one that was swapped for a link", () => {
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

Deno.test("stateOf knows files only", () => {
  using folder = engineFolder();
  folder.write("a/file", "x");
  Deno.symlinkSync("a/file", `${folder.path}/link`);
  for (const name of ["a", "link", "none"]) {
    assertEquals(stateOf(folder.at(name, { follow: false })), undefined, name);
  }
});
