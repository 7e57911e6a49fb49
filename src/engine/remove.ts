/**
 * Removing files, links and whole folders. Links are removed themselves and never followed. A folder goes
 * while the locks of its roots are held, so that two changes of structure, in whatever process, do not work on
 * one tree at once; each step verifies the folder it works in, and the first surprise ends the work. A single
 * file is one step, and needs no lock but its own.
 */
import { PaddockError } from "../base/errors.ts";
import { lstat, readFolderRaw, removeEmptyFolder, unlink } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { type Changing } from "./changing.ts";
import { findGit, refuseRoots } from "./guarded.ts";
import { settle } from "./settle.ts";
import { withFiles, withStructure } from "./with_locks.ts";
import { Pace } from "./yield.ts";

/** Removes a file or a link. */
export async function removeFile(path: ConfinedPath, changing: Changing): Promise<void> {
  const info = lstat(path);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${path.given}`);
  // A regular file's own lock is taken: an edit under way finishes first.
  await withFiles(info.isFile ? [path] : [], async () => {
    unlink(path);
    await settle(parentOf(path), `${quote(path.given)} was removed`);
  }, changing);
}

/** Removes a folder with all that is in it; returns how many entries went. */
export async function removeFolder(path: ConfinedPath, changing: Changing): Promise<number> {
  if (path.relative === "") throw new PaddockError("NOT_ALLOWED", "cannot remove root directory");
  return await withStructure([path], async () => {
    const info = lstat(path);
    if (info === undefined) throw new PaddockError("NOT_FOUND", `directory not found: ${path.given}`);
    if (!info.isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a file, not a directory: ${quote(path.given)}`);
    }
    refuseRoots(path);
    const pace = new Pace(changing.signal);
    await refuseGit(path, pace);
    const removing = { pace, removed: 0, onEntry: changing.onEntry };
    await removeTree(path, removing);
    await settle(parentOf(path), `${quote(path.given)} was removed`);
    return removing.removed;
  }, changing);
}

interface Removing extends Pick<Changing, "onEntry"> {
  readonly pace: Pace;
  removed: number;
}

async function removeTree(folder: ConfinedPath, removing: Removing): Promise<void> {
  for (const entry of readFolderRaw(folder)) {
    await removing.pace.step();
    const path = childOf(folder, entry.name);
    if (entry.isDirectory) {
      await removeTree(path, removing);
    } else {
      unlink(path);
      count(removing);
    }
  }
  removeEmptyFolder(folder);
  count(removing);
}

function count(removing: Removing): void {
  removing.removed++;
  removing.onEntry?.(removing.removed);
}

/** A protected `.git` anywhere below stops a removal before it begins. */
async function refuseGit(folder: ConfinedPath, pace: Pace): Promise<void> {
  const git = folder.owner.git === "open" ? undefined : await findGit(folder, pace);
  if (git === undefined) return;
  throw new PaddockError(
    "NOT_ALLOWED",
    `${quote(folder.given)} holds ${quote(git.relative)}, which can be read but not changed ` +
      `(the operator can set protect_git: false for root ${folder.owner.name}); nothing was removed`,
  );
}
