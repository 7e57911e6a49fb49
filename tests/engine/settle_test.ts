import { assertEquals, assertMatch } from "@std/assert";
import { ensureFolder } from "../../src/engine/folders.ts";
import { moveEntry } from "../../src/engine/move.ts";
import { removeFile, removeFolder } from "../../src/engine/remove.ts";
import { writeText } from "../../src/engine/write.ts";
import { type EngineFolder, engineFolder, refusal } from "../support/engine.ts";

/** Windows cannot sync a folder: nothing is tried there, and nothing is reported. */
const SYNCS_FOLDERS = Deno.build.os !== "windows";

/** Lets the sync of every folder fail as the system would; files are synced as ever. */
function failingSync(code: string): Disposable {
  const { sync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.sync = async function (this: Deno.FsFile) {
    if (this.statSync().isDirectory) throw Object.assign(new Error(`os error ${code}`), { code });
    await sync.call(this);
  };
  return {
    [Symbol.dispose]() {
      Deno.FsFile.prototype.sync = sync;
    },
  };
}

/** A folder with something to change, and one change of each kind, with the names afterwards. */
const CHANGES: Record<string, [(folder: EngineFolder) => Promise<unknown>, string, string[]]> = {
  "writeText over a file": [
    ({ at, changing }) => writeText(at("a"), "new", { mode: "overwrite", changing }),
    '"a" was written',
    ["a", "dir/", "dir/b"],
  ],
  "writeText to a new file": [
    ({ at, changing }) => writeText(at("c"), "new", { mode: "create_only", changing }),
    '"c" was written',
    ["a", "c", "dir/", "dir/b"],
  ],
  "removeFile": [({ at, changing }) => removeFile(at("a"), changing), '"a" was removed', ["dir/", "dir/b"]],
  "removeFolder": [({ at, changing }) => removeFolder(at("dir"), changing), '"dir" was removed', ["a"]],
  "moveEntry": [
    ({ at, changing }) => moveEntry(at("a"), at("dir/a"), changing),
    '"a" was moved to "dir/a"',
    ["dir/", "dir/a", "dir/b"],
  ],
  "ensureFolder": [
    ({ at, changing }) => ensureFolder(at("new"), changing),
    'folder "new" was created',
    ["a", "dir/", "dir/b", "new/"],
  ],
};

for (const [name, [change, done, names]] of Object.entries(CHANGES)) {
  Deno.test(`${name} reports no error when its folder cannot be synced, unless the disk has one`, async () => {
    for (const code of ["EINVAL", "ENOTSUP", "EACCES", "EIO"]) {
      using folder = engineFolder();
      folder.write("a", "old");
      folder.write("dir/b", "old");
      using _failing = failingSync(code);
      if (code !== "EIO" || !SYNCS_FOLDERS) await change(folder);
      else {
        assertEquals(
          await refusal(change(folder)),
          `INTERNAL: ${done}, but the disk reported an error (EIO)`,
        );
      }
      assertEquals(folder.names(), names, code);
    }
  });
}

Deno.test("writeText reports no error if its folder cannot be opened after the rename, and one if it was swapped", async () => {
  for (const swap of [false, true]) {
    using folder = engineFolder();
    folder.write("dir/a", "old");
    const [path, changing] = [folder.at("dir/a"), folder.changing];
    const { renameSync, openSync } = Deno;
    Deno.renameSync = (from, to) => {
      renameSync(from, to);
      if (!swap) return;
      renameSync(`${folder.path}/dir`, `${folder.path}/away`);
      Deno.symlinkSync("/", `${folder.path}/dir`);
    };
    Deno.openSync = (at, options) => {
      if (at !== `${folder.path}/dir`) return openSync(at, options);
      throw new Deno.errors.PermissionDenied("may be written to, and not read");
    };
    try {
      const writing = writeText(path, "new", { mode: "overwrite", changing });
      // If another folder is in that place, nobody can know where the new content went.
      if (swap) {
        assertMatch(await refusal(writing), /^CONFLICT: the folder of "dir\/a" changed during the write/);
      } else await writing;
    } finally {
      Object.assign(Deno, { renameSync, openSync });
    }
    assertEquals(folder.read(swap ? "away/a" : "dir/a"), "new");
  }
});
