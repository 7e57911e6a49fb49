// Names that are not valid UTF-8: they exist on Linux, and no tool can name them.
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import type { ConfinedRoot } from "../../src/confine/resolve_path.ts";
import { copyEntry } from "../../src/engine/copy.ts";
import { describeEntry, listFolder } from "../../src/engine/metadata.ts";
import { moveEntry } from "../../src/engine/move.ts";
import { removeFile, removeFolder } from "../../src/engine/remove.ts";
import { type EngineFolder, engineFolder, refusal } from "../support/engine.ts";
import { needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const withOddNames = needs("Linux", "basic tools");

const ITSELF = { follow: false };

/**
 * A folder `dir` with a file, a folder and a file that nobody can name, one whose name really contains U+FFFD and
 * looks like the other, one whose name is too long when written that way, and links to what nobody can name.
 */
function oddFolder(git: ConfinedRoot["git"] = "open"): EngineFolder {
  const folder = engineFolder(git);
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
  ...withOddNames("listFolder lists everything that can be named, once, with its correct type"),
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
  ...withOddNames("resolvePath refuses a link to a name that is not valid UTF-8"),
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
  ...withOddNames("copyEntry copies what can be named, and counts the rest"),
  async fn() {
    using folder = oddFolder();
    const copied = await copyEntry(folder.at("dir"), folder.at("to"), folder.changing);
    assertEquals(copied, { isDirectory: true, size: 7, files: 2, skipped: 5 });
    assertEquals([folder.read("to/ok.txt"), folder.read("to/\ufffd.txt")], ["ok", "meant"]);
  },
});

Deno.test({
  ...withOddNames(
    "removeFolder removes names that are not valid UTF-8, with everything below them, and counts them",
  ),
  async fn() {
    using folder = oddFolder();
    using outside = tempFolder();
    outside.write("theirs.txt", "theirs");
    const script = `ln -s '${outside.path}' "$(printf 'away\\377')"`;
    assert(new Deno.Command("sh", { args: ["-c", script], cwd: `${folder.path}/dir` }).outputSync().success);
    folder.write("keep.txt", "kept");
    folder.write("dir/deep/er.txt", "x");
    assertEquals(await removeFolder(folder.at("dir"), folder.changing), 11); // what cannot be reached by name is not counted
    assertEquals([folder.names(), outside.names()], [["keep.txt"], ["theirs.txt"]]);
  },
});

Deno.test({
  ...withOddNames(
    "removeFolder refuses folders whose names are not valid UTF-8 where one may contain a protected .git",
  ),
  async fn() {
    using folder = oddFolder("read-only");
    const before = Array.from(Deno.readDirSync(`${folder.path}/dir`)).length;
    assertEquals(
      await refusal(removeFolder(folder.at("dir"), folder.changing)),
      'UNSUPPORTED: "dir" cannot be removed here: "dir" contains a folder whose name is not valid UTF-8, and whether ' +
        "there is a .git in it cannot be seen; rename it by other means; nothing was removed",
    );
    assertEquals(Array.from(Deno.readDirSync(`${folder.path}/dir`)).length, before);
    folder.write("flat/a.txt", "x");
    const script = `echo x > "$(printf '\\377')"`;
    assert(new Deno.Command("sh", { args: ["-c", script], cwd: `${folder.path}/flat` }).outputSync().success);
    assertEquals(await removeFolder(folder.at("flat"), folder.changing), 3); // a file contains no .git
  },
});

Deno.test({
  ...withOddNames(
    "removeFolder gives a folder its name back if its contents cannot be removed",
  ),
  async fn() {
    using folder = oddFolder();
    folder.write("top/dir/x", "x");
    Deno.renameSync(`${folder.path}/dir`, `${folder.path}/top/odd`);
    const remove = Deno.removeSync;
    Deno.removeSync = (path, options) => {
      if (!options?.recursive) return remove(path);
      throw Object.assign(new Error("Input/output error"), { code: "EIO" });
    };
    let said: string;
    try {
      said = await refusal(removeFolder(folder.at("top"), folder.changing));
    } finally {
      Deno.removeSync = remove;
    }
    assertMatch(
      said,
      /^INTERNAL: "top" was removed only in part \(\d of 11 entries\); .* the system reported EIO;/,
    );
    assertEquals(Array.from(Deno.readDirSync(`${folder.path}/top/odd`)).length, 3);
  },
});

Deno.test({
  ...withOddNames(
    "removeFolder removes nothing outside when a folder is swapped for a link while such names are removed",
  ),
  async fn() {
    using folder = oddFolder();
    using outside = tempFolder();
    outside.write("dir/theirs.txt", "theirs");
    Deno.mkdirSync(`${folder.path}/top`);
    Deno.renameSync(`${folder.path}/dir`, `${folder.path}/top/dir`);
    const rename = Deno.renameSync;
    Deno.renameSync = (from, to) => {
      rename(from, to);
      if (!String(from).endsWith("/top/dir")) return;
      rename(`${folder.path}/top`, `${folder.path}/away`);
      Deno.symlinkSync(outside.path, `${folder.path}/top`);
    };
    try {
      const said = await refusal(removeFolder(folder.at("top"), folder.changing));
      assertMatch(
        said,
        /^OUT_OF_BOUNDS: "top" was removed only in part .*: path resolves outside root boundary: "top\/dir"/,
      );
    } finally {
      Deno.renameSync = rename;
    }
    assertEquals(outside.names(), ["dir/", "dir/theirs.txt"]);
  },
});

Deno.test({
  ...withOddNames(
    "removeFile and moveEntry act on links to such names, and on folders with such names",
  ),
  async fn() {
    using folder = oddFolder();
    await removeFile(folder.at("dir/link", ITSELF), folder.changing);
    assertEquals(
      await refusal(moveEntry(folder.at("dir/through", ITSELF), folder.at("moved"), folder.changing)),
      'OUT_OF_BOUNDS: cannot move a link that leads outside the root: "dir/through"',
    );
    await moveEntry(folder.at("dir"), folder.at("moved"), folder.changing);
    assertEquals(Array.from(Deno.readDirSync(`${folder.path}/moved`)).length, 6);
  },
});
