// Names that are not valid UTF-8: Linux has them, and no tool can name them.
import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { copyEntry } from "../../src/engine/copy.ts";
import { describeEntry, listFolder } from "../../src/engine/metadata.ts";
import { moveEntry } from "../../src/engine/move.ts";
import { removeFile, removeFolder } from "../../src/engine/remove.ts";
import { type EngineFolder, engineFolder, refusal } from "../support/engine.ts";

const ignore = Deno.build.os !== "linux";
const ITSELF = { follow: false };

/**
 * A folder `dir` with a file, a folder and a file that nobody can name, one whose name really has a U+FFFD in it
 * and looks like the other, one whose name is too long when it is written so, and links to what nobody can name.
 */
function oddFolder(): EngineFolder {
  const folder = engineFolder();
  folder.write("dir/ok.txt", "ok");
  folder.write("dir/\ufffd.txt", "meant");
  const script =
    `cd '${folder.path}/dir' && bad="$(printf '\\377')" && mkdir "$bad" && echo x > "$bad/in.txt" &&
    mkdir "$bad.txt" && echo x > "$(printf '\\376%.0s' $(seq 200))" &&
    ln -s "$bad.txt" link && ln -s "$bad/in.txt" through`;
  const { success } = new Deno.Command("sh", { args: ["-c", script] }).outputSync();
  if (!success) throw new Error("could not make the folder");
  return folder;
}

Deno.test({
  ignore,
  name: "listFolder lists everything that can be named, once, and as what it is",
  async fn() {
    using folder = oddFolder();
    const entries = await listFolder(folder.at("dir"));
    assertEquals(entries.map(({ name, type, size }) => [name, type, size]), [
      ["link", "symlink", 5],
      ["ok.txt", "file", 2],
      ["through", "symlink", 8],
      ["\ufffd.txt", "file", 5],
    ]);
    assertEquals(entries[0]?.target, { type: "external" });
    assertEquals(describeEntry(folder.at("dir/through", ITSELF)).target, { type: "external" });
  },
});

Deno.test({
  ignore,
  name: "resolvePath refuses a link to a name that is not valid UTF-8",
  fn() {
    using folder = oddFolder();
    for (const name of ["link", "through", "link/below"]) {
      const error = assertThrows(() => folder.at(`dir/${name}`), PaddockError);
      assertEquals(
        [error.code, error.message],
        ["UNSUPPORTED", `it leads to a name that is not valid UTF-8: "dir/${name}"`],
      );
    }
  },
});

Deno.test({
  ignore,
  name: "copyEntry copies what can be named, and counts the rest",
  async fn() {
    using folder = oddFolder();
    const copied = await copyEntry(folder.at("dir"), folder.at("to"), folder.changing);
    assertEquals(copied, { isDirectory: true, size: 7, files: 2, skipped: 5 });
    assertEquals([folder.read("to/ok.txt"), folder.read("to/\ufffd.txt")], ["ok", "meant"]);
  },
});

Deno.test({
  ignore,
  name: "removeFolder removes what can be named, and says why the folder is still there",
  async fn() {
    using folder = oddFolder();
    assertEquals(
      await refusal(removeFolder(folder.at("dir"), folder.changing)),
      'UNSUPPORTED: "dir" cannot be removed: 3 of the names in it are not valid UTF-8',
    );
    assertEquals((await listFolder(folder.at("dir"))).length, 0);
    assertEquals(Array.from(Deno.readDirSync(`${folder.path}/dir`)).length, 3);
  },
});

Deno.test({
  ignore,
  name: "removeFile and moveEntry act on links to such names, and on folders with such names",
  async fn() {
    using folder = oddFolder();
    await removeFile(folder.at("dir/link", ITSELF), folder.changing);
    assertEquals(
      await refusal(moveEntry(folder.at("dir/through", ITSELF), folder.at("moved"), folder.changing)),
      'OUT_OF_BOUNDS: a link that leads outside the root is not moved: "dir/through"',
    );
    await moveEntry(folder.at("dir"), folder.at("moved"), folder.changing);
    assertEquals(Array.from(Deno.readDirSync(`${folder.path}/moved`)).length, 6);
  },
});
