/**
 * Opens files and folders for locking, through ConfinedPath, and checks whether an open one is still the
 * current one.
 */
import { PaddockError } from "../base/errors.ts";
import { about, moved, notFolder, notRegular, verifyParent } from "./checks.ts";
import { liesAt } from "./open_folder.ts";
import { osCode } from "./os_errors.ts";
import { quote } from "./path_rules.ts";
import { CAREFUL, isProven, isSame } from "./proof.ts";
import { type ConfinedPath, leadsElsewhere, stillReal } from "./resolve_path.ts";

/**
 * Opens an existing file for locking. Opening for reading and writing does not block on a FIFO, and respects
 * a read-only mode; `orRead` is for a file that will not be written, which may then be read-only.
 */
export function openForLock(path: ConfinedPath, { orRead = false } = {}): Deno.FsFile {
  return about(path, () => {
    const info = Deno.lstatSync(path.absolute);
    if (info.isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
    }
    if (!info.isFile) throw notRegular(path);
    verifyParent(path);
    try {
      return Deno.openSync(path.absolute, { read: true, write: true });
    } catch (error) {
      const code = osCode(error) ?? "";
      if (code !== "ETXTBSY" && !(orRead && NOT_WRITABLE.has(code))) throw error;
      return Deno.openSync(path.absolute, { read: true }); // a running program may be replaced, not written
    }
  });
}

const NOT_WRITABLE = new Set(["EACCES", "EPERM", "EROFS"]);

/** Opens a folder for locking or syncing. Undefined on systems that cannot do that. */
export function openFolder(path: ConfinedPath): Deno.FsFile | undefined {
  if (Deno.build.os === "windows") return undefined;
  return about(path, () => {
    if (!Deno.lstatSync(path.absolute).isDirectory) {
      throw notFolder(path); // opening a FIFO would block until there is a writer
    }
    const folder = Deno.openSync(path.absolute, { read: true });
    if (!stillReal(path)) {
      folder.close();
      throw moved(path);
    }
    return folder;
  }, "directory");
}

/**
 * Whether the open file is the one the path names now. False when another or none is there; a link along the
 * path is an error. `careful` for a file whose content or removal depends on the answer; `rounds` for another
 * number of unpredictable checks.
 */
export function isCurrent(
  file: Deno.FsFile,
  path: ConfinedPath,
  { careful = false, rounds = careful ? CAREFUL : 0 }: { careful?: boolean; rounds?: number } = {},
): boolean {
  return about(path, () => {
    let open: Deno.FileInfo;
    try {
      open = file.statSync();
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw moved(path); // the outer fence: opened through a link
      throw error;
    }
    if (open.nlink === 0) return false;
    if (liesAt(path, open)) return true;
    if (isProven(path, () => isSame(path, open), { rounds })) return true;
    if (leadsElsewhere(path)) throw moved(path);
    return false;
  });
}
