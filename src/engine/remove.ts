/**
 * Removes files, links and whole folders. Links are removed themselves and never followed. A folder is removed
 * while the locks of its roots are held, so that two structural changes, in any process, never work on one tree at
 * once. It is checked before anything is removed; then each step verifies the folder it works in, and the first
 * surprise ends the removal, with a report of how far it got. A single file is one step, and needs no lock but its
 * own.
 */
import { PaddockError } from "../base/errors.ts";
import {
  knownAt,
  lstat,
  readFolderRawCounted,
  removeEmptyFolder,
  removeKnown,
  removeUnnamed,
  unlink,
} from "../confine/confined_fs.ts";
import { isTempName, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, nameOf, parentOf } from "../confine/resolve_path.ts";
import { beginChange, type Changing } from "./changing.ts";
import { refuseRoots } from "./guarded.ts";
import { beforehand, reworded } from "./in_part.ts";
import { countRemovable, refuseGit } from "./removable.ts";
import { settle } from "./settle.ts";
import { stampOf, type Stamps } from "./stamps.ts";
import { whileInUse } from "./transient.ts";
import { withFiles, withStructure } from "./with_locks.ts";
import { Pace } from "./yield.ts";

export async function removeFile(path: ConfinedPath, changing: Changing): Promise<void> {
  const info = lstat(path);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${path.given}`);
  if (info.isDirectory) throw isFolder(path);
  // A regular file's own lock is taken: an edit in progress finishes first.
  await withFiles(info.isFile ? [path] : [], async () => {
    const known = knownAt(path);
    if (known.isDirectory) throw isFolder(path); // by now
    if (!await changing.recording?.remove(path)) await whileInUse(() => removeKnown(path, known));
    await settle(parentOf(path), `${quote(path.given)} was removed`);
  }, changing);
}

function isFolder(path: ConfinedPath): PaddockError {
  return new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
}

/** Removes a folder with everything in it; returns how many entries were removed. */
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
    const found = await beforehand("nothing was removed", () => countRemovable(path, pace));
    const removing: Removing = { top: path, pace, removed: 0, stamps: undefined, onEntry: changing.onEntry };
    try {
      beginChange(changing);
      const kept = await changing.recording?.removeTree(path, { entries: found, pace });
      if (kept === "gone") count(removing, found);
      else {
        removing.stamps = kept;
        await removeTree(path, removing);
      }
    } catch (error) {
      throw reworded(error, (reason) => stopped(path, { found, removed: removing.removed, reason }));
    }
    await settle(parentOf(path), `${quote(path.given)} was removed`);
    return removing.removed;
  }, changing);
}

interface Removing extends Pick<Changing, "onEntry"> {
  readonly top: ConfinedPath;
  readonly pace: Pace;
  /** The stamps of everything kept for undo: nothing else is removed. */
  stamps: Stamps | undefined;
  removed: number;
}

async function removeTree(folder: ConfinedPath, removing: Removing): Promise<void> {
  const { entries, unnamed } = readFolderRawCounted(folder);
  for (const { name, isDirectory } of entries) {
    await removing.pace.step();
    const path = childOf(folder, name);
    refuseGit(removing.top, path, { isDirectory }); // one that appeared since the check
    if (isDirectory) {
      await removeTree(path, removing);
    } else {
      refuseChanged(path, removing.stamps);
      unlink(path);
      count(removing, 1);
    }
  }
  if (unnamed === 0) removeEmptyFolder(folder);
  else removeUnnamed(folder);
  count(removing, unnamed + 1);
}

function refuseChanged(path: ConfinedPath, stamps: Stamps | undefined): void {
  if (stamps === undefined || isTempName(nameOf(path))) return;
  const info = lstat(path);
  if (info === undefined || stampOf(info) === stamps.get(path.absolute)) return;
  throw new PaddockError("CONFLICT", `${quote(path.given)} was changed or added in the meantime`);
}

function count(removing: Removing, entries: number): void {
  removing.removed += entries;
  removing.onEntry?.(removing.removed);
}

interface Stop {
  found: number;
  removed: number;
  reason: string;
}

function stopped(path: ConfinedPath, { found, removed, reason }: Stop): string {
  if (removed === 0) return `${reason}; nothing was removed`;
  return `${quote(path.given)} was removed only in part (${removed} of ${found} entries); ` +
    `the rest is unchanged: ${reason}`;
}
