/**
 * Moves between file systems, where there is no rename: copy, then remove. Nothing may be left out of the copy, and
 * nothing is removed except what was copied, unchanged since: each file is locked and compared with what was found
 * when it was copied. What was edited or added meanwhile stays, and the move ends there. What can be seen in
 * advance is refused while everything is unchanged.
 */
import { PaddockError } from "../base/errors.ts";
import { lstat, readFolderRaw, removeEmptyFolder, unlink } from "../confine/confined_fs.ts";
import { isTempName, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import type { Changing } from "./changing.ts";
import { copyEntry } from "./copy.ts";
import type { CopyPlan } from "./copy_look.ts";
import { beforehand, reworded } from "./in_part.ts";
import { countRemovable, refuseFixed } from "./removable.ts";
import { settle } from "./settle.ts";
import { stampOf, type Stamps } from "./stamps.ts";
import { sweepTemp } from "./temp_sweeper.ts";
import { withFiles } from "./with_locks.ts";
import { Pace } from "./yield.ts";

/** Moves by copying; the caller holds the locks of the roots and, for a file, that of `from`. */
export async function moveAcross(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  const info = lstat(from);
  if (info?.isSymlink) throw noLinks(`a link cannot be moved to another file system`, from);
  if (lstat(to)?.isSymlink) {
    throw noLinks(`a link cannot be replaced by a move from another file system; remove it first`, to);
  }
  await beforehand("nothing was moved", () => lookBefore(from, { isFolder: info?.isDirectory, changing }));
  const stamps: Stamps = new Map();
  const copied = await copyEntry(from, to, { ...changing, stamps, accept: refuseLeftOut });
  if (copied.skipped > 0) {
    throw new PaddockError(
      "CONFLICT",
      `${quote(from.given)} was copied to ${quote(to.given)} but not removed: ${copied.skipped} entries ` +
        `(${LEFT_OUT}) cannot be moved to another file system`,
    );
  }
  const removal: Removal = { stamps, changing, pace: new Pace(changing.signal), removed: 0 };
  try {
    if (copied.isDirectory) await removeCopied(from, removal);
    else removeUnchanged(from, removal);
  } catch (error) {
    throw reworded(error, (reason) => inPart({ from, to, removal, reason }));
  }
  await settle(parentOf(from), `${quote(from.given)} was moved to ${quote(to.given)}`);
}

const LEFT_OUT = "links, pipes, sockets or devices, a .git or names that are not UTF-8";

/** What could not be removed afterwards is not copied. */
async function lookBefore(
  from: ConfinedPath,
  { isFolder = false, changing }: { isFolder: boolean | undefined; changing: Changing },
): Promise<void> {
  if (isFolder) await countRemovable(from, new Pace(changing.signal));
  else await refuseFixed(parentOf(from));
}

function refuseLeftOut({ first, entries }: CopyPlan["leftOut"]): void {
  if (first === undefined) return;
  const others = entries > 1 ? ` (and ${entries - 1} more)` : "";
  throw new PaddockError(
    "UNSUPPORTED",
    `${quote(first.given)}${others} cannot be moved to another file system, because ${LEFT_OUT} cannot`,
  );
}

interface Removal {
  readonly stamps: Stamps;
  readonly changing: Changing;
  readonly pace: Pace;
  removed: number;
}

async function removeCopied(folder: ConfinedPath, removal: Removal): Promise<void> {
  if (!removal.stamps.has(folder.absolute)) throw changed(folder);
  for (const entry of readFolderRaw(folder)) {
    await removal.pace.step();
    const path = childOf(folder, entry.name);
    if (entry.isDirectory) {
      await removeCopied(path, removal);
    } else if (isTempName(entry.name)) {
      sweepTemp(path); // one that is being written stays, and so does the folder
    } else {
      const remove = () => Promise.resolve(removeUnchanged(path, removal));
      await withFiles(entry.isFile ? [path] : [], remove, removal.changing);
    }
  }
  removeEmptyFolder(folder);
  removal.removed++;
}

function removeUnchanged(path: ConfinedPath, removal: Removal): void {
  const now = lstat(path);
  if (now === undefined) return;
  if (stampOf(now) !== removal.stamps.get(path.absolute)) throw changed(path);
  unlink(path);
  removal.removed++;
}

function changed(path: ConfinedPath): PaddockError {
  return new PaddockError("CONFLICT", `${quote(path.given)} was changed or added after it was copied`);
}

interface Part {
  from: ConfinedPath;
  to: ConfinedPath;
  removal: Removal;
  reason: string;
}

/** Says how far it got: everything is at the destination, as it was copied, and some of it still at the source. */
function inPart({ from, to, removal: { removed, stamps }, reason }: Part): string {
  const names = [quote(from.given), quote(to.given)] as const;
  if (removed === 0) return `${names[0]} was copied to ${names[1]} but not removed: ${reason}`;
  return `${names[0]} was moved to ${
    names[1]
  } only in part (${removed} of ${stamps.size} entries); what is left at ` +
    `the source is unchanged: ${reason}`;
}

function noLinks(why: string, path: ConfinedPath): PaddockError {
  return new PaddockError("UNSUPPORTED", `${why}: ${quote(path.given)}`);
}
