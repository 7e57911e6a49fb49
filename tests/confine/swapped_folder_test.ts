/**
 * What happens between resolving a path and using it: a folder on the way, or the file itself, is swapped for a link
 * that leads outside. Every function must notice, and nothing outside may be read or changed.
 */
import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import {
  ConfinedFile,
  createFile,
  discardTemp,
  isCurrent,
  linkNew,
  linkTarget,
  lstat,
  makeFolder,
  openFolder,
  openForLock,
  readFolder,
  readFolderRaw,
  readLink,
  removeEmptyFolder,
  rename,
  setOwnership,
  syncFolder,
  unlink,
} from "../../src/confine/confined_fs.ts";
import { tempName } from "../../src/confine/path_rules.ts";
import { childOf, type ConfinedPath, nameOf } from "../../src/confine/resolve_path.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { type EngineFolder, engineOn } from "../support/engine.ts";
import { onUnix } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

interface Place extends TempFolder, Pick<EngineFolder, "root" | "changing" | "at"> {
  /** What is outside: names, contents, modes and times. */
  outside(): string[];
}

/** A root with `dir`, and outside it a folder with the same names. */
function place(): Place {
  const folder = tempFolder();
  for (const side of ["root/dir", "outside"]) {
    folder.write(`${side}/file`, side);
    folder.write(`${side}/sub/file`, side);
    Deno.mkdirSync(`${folder.path}/${side}/empty`);
    Deno.symlinkSync("file", `${folder.path}/${side}/link`);
  }
  folder.write("root/mine", "mine");
  const outside = () =>
    folder.names().filter((name) => name.startsWith("outside")).map((name) => {
      const { mode, mtime, isFile } = Deno.lstatSync(`${folder.path}/${name}`);
      return `${name} ${mode} ${mtime?.getTime()} ${isFile ? folder.read(name) : ""}`;
    });
  const root = { name: "root", path: `${folder.path}/root`, git: "open" as const, nested: [] };
  return { ...folder, ...engineOn(root), outside };
}

/** The paths as resolved before the swap. */
interface Paths {
  dir: ConfinedPath;
  file: ConfinedPath;
  sub: ConfinedPath;
  empty: ConfinedPath;
  link: ConfinedPath;
  fresh: ConfinedPath;
  mine: ConfinedPath;
  open: Deno.FsFile;
  place: Place;
}

function resolved(at: Place): Paths {
  return {
    dir: at.at("dir"),
    file: at.at("dir/file"),
    sub: at.at("dir/sub/file"),
    empty: at.at("dir/empty"),
    link: at.at("dir/link", { follow: false }),
    fresh: at.at("dir/fresh"),
    mine: at.at("mine"),
    open: openForLock(at.at("dir/file")),
    place: at,
  };
}

const ownership = { mode: 0o777, uid: null, gid: null };

const CALLS: Record<string, (paths: Paths) => unknown> = {
  "ConfinedFile.open": ({ file }) => ConfinedFile.open(file),
  "ConfinedFile.open below": ({ sub }) => ConfinedFile.open(sub),
  "lstat": ({ file }) => lstat(file),
  "lstat of a missing entry": ({ fresh }) => lstat(fresh),
  "readLink": ({ link }) => readLink(link),
  "linkTarget": ({ link }) => linkTarget(link),
  "readFolder": ({ dir }) => readFolder(dir),
  "readFolder below": ({ empty }) => readFolder(empty),
  "readFolderRaw": ({ dir }) => readFolderRaw(dir),
  "openForLock": ({ file }) => openForLock(file),
  "openFolder": ({ dir }) => openFolder(dir),
  "openFolder below": ({ empty }) => openFolder(empty),
  "isCurrent": ({ open, file }) => isCurrent(open, file),
  "isCurrent, careful": ({ open, file }) => isCurrent(open, file, { careful: true }),
  "createFile": ({ fresh }) => createFile(fresh),
  "setOwnership": ({ open, file }) => setOwnership(file, { file: open, ...ownership }),
  "rename away": ({ file, mine }) => rename(file, mine),
  "rename in": ({ file, mine }) => rename(mine, file),
  "linkNew away": ({ file, mine }) => linkNew(file, { ...mine, absolute: `${mine.absolute}2` }),
  "linkNew in": ({ fresh, mine }) => linkNew(mine, fresh),
  "unlink": ({ file }) => unlink(file),
  "unlink a link": ({ link }) => unlink(link),
  "removeEmptyFolder": ({ empty }) => removeEmptyFolder(empty),
  "removeEmptyFolder itself": ({ dir }) => removeEmptyFolder(dir),
  "makeFolder": ({ fresh }) => makeFolder(fresh),
  "makeFolder of an existing one": ({ empty }) => makeFolder(empty),
  "syncFolder": ({ dir }) => syncFolder(dir),
  "updateFile": ({ file, place }) => updateFile(file, () => new Uint8Array(1), place.changing),
  "updateFile of a new one": ({ fresh, place }) => updateFile(fresh, () => new Uint8Array(1), place.changing),
};

async function refusal(call: () => unknown): Promise<PaddockError> {
  try {
    const result = await call();
    throw new Error(`it was not refused: ${Deno.inspect(result)}`);
  } catch (error) {
    if (error instanceof PaddockError) return error;
    throw error;
  }
}

function assertTellsNothing(error: PaddockError, at: TempFolder): void {
  const told = error.message + JSON.stringify(error.data ?? {});
  assert(!told.includes(at.path), told);
}

const SWAPS: Record<string, (path: string) => void> = {
  "an absolute link": (path) => Deno.symlinkSync(`${path}/outside`, `${path}/root/dir`),
  "a relative link": (path) => Deno.symlinkSync("../outside", `${path}/root/dir`),
  "a link to a link": (path) => {
    Deno.symlinkSync("../outside", `${path}/root/hop`);
    Deno.symlinkSync("hop", `${path}/root/dir`);
  },
  "nothing": () => {},
};

for (const [kind, swap] of Object.entries(SWAPS)) {
  for (const [name, call] of Object.entries(CALLS)) {
    if (kind === "nothing" && /^(isCurrent|setOwnership|lstat|updateFile)/.test(name)) continue; // no error then
    Deno.test({
      ...onUnix(`${name} refuses when the folder was swapped for ${kind}`),
      fn: async () => {
        using at = place();
        const paths = resolved(at);
        using _open = paths.open;
        const before = at.outside();
        Deno.renameSync(`${at.root.path}/dir`, `${at.root.path}/away`);
        swap(at.path);
        const error = await refusal(() => call(paths));
        // A link where a folder has to be created is in the way, whoever put it there.
        const swapped = name.startsWith("updateFile") ? "ALREADY_EXISTS" : "OUT_OF_BOUNDS";
        assertEquals(error.code, kind === "nothing" ? "NOT_FOUND" : swapped, error.message);
        assertTellsNothing(error, at);
        assertEquals(at.outside(), before);
        assertEquals(at.read("root/mine"), "mine");
        assertEquals(at.read("root/away/file"), "root/dir");
      },
    });
  }
}

const ON_FILE: Record<string, (paths: Paths) => unknown> = {
  "ConfinedFile.open": ({ file }) => ConfinedFile.open(file),
  "openForLock": ({ file }) => openForLock(file),
  "isCurrent": ({ open, file }) => isCurrent(open, file),
  "setOwnership": ({ open, file }) => setOwnership(file, { file: open, ...ownership }),
  "createFile": ({ file }) => createFile(file),
  "updateFile": ({ file, place }) => updateFile(file, () => new Uint8Array(1), place.changing),
};

for (const [name, call] of Object.entries(ON_FILE)) {
  Deno.test({
    ...onUnix(`${name} refuses when the file itself was swapped for a link`),
    fn: async () => {
      using at = place();
      const paths = resolved(at);
      using _open = paths.open;
      const before = at.outside();
      Deno.renameSync(`${at.root.path}/dir/file`, `${at.root.path}/dir/away`);
      Deno.symlinkSync(`${at.path}/outside/file`, `${at.root.path}/dir/file`);
      assertTellsNothing(await refusal(() => call(paths)), at);
      assertEquals(at.outside(), before);
    },
  });
}

Deno.test({
  ...onUnix("discardTemp removes our file, and nothing else, wherever its folder leads"),
  fn: () => {
    using at = place();
    const others = () => at.outside().filter((line) => !line.startsWith("outside/ "));
    const before = others();
    const path = childOf(at.at("dir"), tempName());
    Deno.renameSync(`${at.root.path}/dir`, `${at.root.path}/away`);
    using stray = Deno.openSync(at.write(`outside/${nameOf(path)}`, ""));
    Deno.mkdirSync(`${at.root.path}/dir`);
    assertEquals(discardTemp(path, stray), false); // it is somewhere, but not here
    Deno.removeSync(`${at.root.path}/dir`);
    Deno.symlinkSync("../outside", `${at.root.path}/dir`);
    assertEquals(discardTemp(path, stray), true);
    assertEquals(others(), before);
  },
});
