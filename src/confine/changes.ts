/**
 * Changes by name, through ConfinedPath. They cannot be verified after the fact, so the parent folder is
 * verified right before each step, and a name is created only if that does not turn the folder into one of
 * git's.
 */
import { PaddockError } from "../base/errors.ts";
import { about, loadNodeFs, moved, type NodeFs, notFolder, verifyParent } from "./checks.ts";
import { refuseNewGitFolder } from "./git_folders.ts";
import { isSameFile } from "../base/identity.ts";
import { isCurrent, openFolder } from "./locking.ts";
import { tellNames } from "./name_changes.ts";
import { osCode } from "./os_errors.ts";
import { isTempName, quote, tempName } from "./path_rules.ts";
import { CAREFUL, isProven, isSame } from "./proof.ts";
import { lstat, readFolderRaw } from "./reading.ts";
import { childOf, type ConfinedPath, nameOf, parentOf, stillReal } from "./resolve_path.ts";

/** Creates a new, empty file that must not exist yet; private, unless another mode is given. */
export function createFile(path: ConfinedPath, { mode = 0o600 } = {}): Deno.FsFile {
  return about(path, () => {
    verifyParent(path);
    refuseNewGitFolder(path);
    return Deno.openSync(path.absolute, { read: true, write: true, createNew: true, mode });
  });
}

export interface Ownership {
  mode: number;
  uid: number | null;
  gid: number | null;
  /** Whether to keep set-id bits: for content that had them, if it gets the same owner again. */
  exact?: boolean;
}

/**
 * Gives an open file its final owner and mode; false when the path no longer names it. By handle, never by
 * path: chmod and chown would follow a link that took the file's name, wherever it leads. The owner is kept
 * as far as the system allows. A file loses its set-id bits, as with any write: nobody said that its new
 * content may run as somebody else. On a folder they mean something else, and stay.
 */
export async function setOwnership(
  path: ConfinedPath,
  { file, mode, uid, gid, exact = false }: Ownership & { file: Deno.FsFile },
): Promise<boolean> {
  if (Deno.build.os === "windows") return true;
  const fs = await loadNodeFs();
  return about(path, () => {
    if (!isCurrent(file, path)) return false;
    const fd = fs.openSync(path.absolute, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const now = fs.fstatSync(fd);
      if (!isSameFile(now, file.statSync())) return false;
      chownIfAllowed(fs, fd, { uid: now.uid, gid: gid ?? now.gid });
      chownIfAllowed(fs, fd, { uid: uid ?? now.uid, gid: fs.fstatSync(fd).gid });
      const owned = fs.fstatSync(fd);
      const keepsSetId = now.isDirectory() || (exact && owned.uid === uid && owned.gid === gid);
      fs.fchmodSync(fd, keepsSetId ? mode : mode & ~SET_ID);
      return true;
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** Only root may give files away; other users may only change the group, to one of their own. */
function chownIfAllowed(fs: NodeFs, fd: number, { uid, gid }: { uid: number; gid: number }): void {
  const now = fs.fstatSync(fd);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fs.fchownSync(fd, uid, gid);
  } catch (error) {
    if (!NOT_OURS_TO_GIVE.has(osCode(error) ?? "")) throw error;
  }
}

/** The second where there is no such user: in a container with users of its own. */
const NOT_OURS_TO_GIVE = new Set(["EPERM", "EINVAL"]);

const SET_ID = 0o6000;

/** Removes a file or a link, never a link's target. */
export function unlink(path: ConfinedPath): void {
  about(path, () => {
    verifyParent(path);
    if (Deno.lstatSync(path.absolute).isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
    }
    Deno.removeSync(path.absolute);
  });
  tellNames(path);
}

/**
 * Removes an open temporary file of ours, wherever its folder leads at the moment: the name is random, so it
 * cannot hit another file. True when it is gone. If the folder was swapped for a link just when the file was
 * created, the file lies outside, and can be removed only while the link is in place.
 */
export function discardTemp(path: ConfinedPath, file: Deno.FsFile): boolean {
  if (!isTempName(nameOf(path))) throw new TypeError("not a temporary file");
  try {
    Deno.removeSync(path.absolute);
    return true;
  } catch (error) {
    if (osCode(error) === undefined) throw error;
  }
  try {
    return file.statSync().nlink === 0;
  } catch (error) {
    if (osCode(error) === undefined) throw error; // the outer fence: it lies outside
    return false;
  }
}

/** Removes an empty folder. */
export function removeEmptyFolder(path: ConfinedPath): void {
  about(path, () => {
    verifyParent(path);
    if (!Deno.lstatSync(path.absolute).isDirectory) {
      throw notFolder(path);
    }
    Deno.removeSync(path.absolute);
  }, "directory");
  tellNames(path);
}

/**
 * Removes a folder that contains nothing but names that are not valid UTF-8, and everything below them. None
 * of our calls can spell such names, but the runtime's recursive removal can: it opens each folder without
 * following links and works from there. It reaches the folder itself by path, though, and if a folder along
 * that path were swapped for a link, a whole tree outside would be lost. So the folder is first renamed to an
 * unpredictable name, and must be found under it.
 */
export function removeUnnamed(path: ConfinedPath): void {
  const aside = childOf(parentOf(path), tempName());
  about(path, () => {
    verifyParent(path);
    const info = Deno.lstatSync(path.absolute);
    if (!info.isDirectory) throw notFolder(path);
    Deno.renameSync(path.absolute, aside.absolute);
    try {
      if (!isProven(aside, () => isSame(aside, info), { rounds: CAREFUL })) throw moved(path);
      if (readFolderRaw(aside).length > 0) {
        throw new PaddockError("CONFLICT", `folder is not empty: ${quote(path.given)}`);
      }
      Deno.removeSync(aside.absolute, { recursive: true });
    } catch (error) {
      putBack(aside, path);
      throw error;
    }
  }, "directory");
  tellNames(path);
}

/** Renames what was set aside back, if it is still there and the name is free. */
function putBack(aside: ConfinedPath, path: ConfinedPath): void {
  try {
    if (stillReal(aside) && lstat(path) === undefined) Deno.renameSync(aside.absolute, path.absolute);
  } catch (error) {
    if (osCode(error) === undefined && !(error instanceof PaddockError)) throw error;
  }
}

/** Creates one folder, with the umask's mode unless given. True when it is new, false when it existed. */
export function makeFolder(path: ConfinedPath, options: { mode?: number } = {}): boolean {
  return about(path, () => {
    verifyParent(path);
    refuseNewGitFolder(path, { kind: "folder" });
    try {
      Deno.mkdirSync(path.absolute, options);
      return true;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      if (Deno.lstatSync(path.absolute).isDirectory) return false;
      throw new PaddockError("ALREADY_EXISTS", `path exists and is a file: ${quote(path.given)}`);
    }
  });
}

/** Makes sure that a file's name is on disk. Best effort where folders cannot be synced. */
export async function syncFolder(path: ConfinedPath): Promise<void> {
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    await folder.sync();
  } finally {
    folder.close();
  }
}

/**
 * Makes sure that what was written to a file is on disk. On macOS the runtime asks for more than that
 * (F_FULLFSYNC), which user-space and network file systems may not support: those write in their own time.
 */
export async function syncFile(file: Deno.FsFile): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    if (!CANNOT_SYNC.has(osCode(error) ?? "")) throw error;
  }
}

const CANNOT_SYNC = new Set(["ENOTSUP", "EOPNOTSUPP", "ENOTTY", "EINVAL", "ENOSYS"]);
