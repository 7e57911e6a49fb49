/**
 * Moving files, links and whole folders. Within one file system that is one rename, while the locks of all the
 * roots concerned are held, and those of the files themselves: an edit under way finishes first. A link is moved
 * itself, and never followed. Between file systems, see move_across.ts.
 */
import { PaddockError } from "../base/errors.ts";
import { linkTarget, lstat, rename, unlink } from "../confine/confined_fs.ts";
import { contains, quote } from "../confine/path_rules.ts";
import { type ConfinedPath, nameOf, parentOf } from "../confine/resolve_path.ts";
import { type Changing } from "./changing.ts";
import { ensureFolder } from "./folders.ts";
import { findGit, refuseRoots } from "./guarded.ts";
import { moveAcross } from "./move_across.ts";
import { settle } from "./settle.ts";
import { isOne } from "./stamps.ts";
import { withFiles, withStructure } from "./with_locks.ts";
import { Pace } from "./yield.ts";

/** Moves a file, link or folder to exactly `to`; a file there is replaced. */
export async function moveEntry(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  if (from.relative === "") throw new PaddockError("NOT_ALLOWED", "cannot move root directory");
  await withStructure([from, to], (locked) => moveLocked(from, to, locked), changing);
}

async function moveLocked(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  const info = lstat(from);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `source file not found: ${from.given}`);
  const there = lstat(to);
  if (from.absolute === to.absolute) return;
  await refuseMove(from, to, { info, there, changing });
  await ensureFolder(parentOf(to), changing);
  const same = info.isFile && isOne(info, there);
  if (same && isSameEntry(from, to)) return;
  const step = async () => {
    if (same && isOtherName(from, to)) unlink(from); // rename(2) leaves two names of one file as they are
    else if (!rename(from, to)) return false;
    const done = `${quote(from.given)} was moved to ${quote(to.given)}`;
    await settle(parentOf(to), done);
    if (parentOf(from).absolute !== parentOf(to).absolute) await settle(parentOf(from), done);
    return true;
  };
  const source = info.isFile ? [from] : [];
  const files = there?.isFile && !same ? [...source, to] : source;
  if (await withFiles(files, step, changing)) return;
  await withFiles(source, () => moveAcross(from, to, changing), changing);
}

/** Whether two paths are one: a folder that is mounted twice can be reached by both. */
function isSameEntry(from: ConfinedPath, to: ConfinedPath): boolean {
  return nameOf(from) === nameOf(to) && isOne(lstat(parentOf(from)), lstat(parentOf(to)));
}

/** Whether two paths of one file are two names, and not one name in two spellings. */
function isOtherName(from: ConfinedPath, to: ConfinedPath): boolean {
  return from.absolute.normalize().toLowerCase() !== to.absolute.normalize().toLowerCase();
}

interface Move {
  info: Deno.FileInfo;
  there: Deno.FileInfo | undefined;
  changing: Changing;
}

async function refuseMove(
  from: ConfinedPath,
  to: ConfinedPath,
  { info, there, changing }: Move,
): Promise<void> {
  if (info.isDirectory) refuseRoots(from);
  if (info.isDirectory && contains(from.absolute, to.absolute)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot move ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
  if (there?.isDirectory) {
    throw new PaddockError("ALREADY_EXISTS", `destination exists and is a directory: ${quote(to.given)}`);
  }
  if (there !== undefined && info.isDirectory) {
    throw new PaddockError("ALREADY_EXISTS", `destination exists and is a file: ${quote(to.given)}`);
  }
  if (info.isSymlink && linkTarget(from).place === "outside") {
    throw new PaddockError(
      "OUT_OF_BOUNDS",
      `a link that leads outside the root is not moved: ${quote(from.given)}`,
    );
  }
  if (!info.isDirectory || from.owner === to.owner) return;
  // Moved to where it is open, changed, and moved back, a hook would run at the user's next commit.
  const git = from.owner.git === "open" && to.owner.git === "open"
    ? undefined
    : await findGit(from, new Pace(changing.signal));
  if (git !== undefined) {
    throw new PaddockError(
      "NOT_ALLOWED",
      `${quote(from.given)} holds ${quote(git.relative)}, which does not leave or enter a root that ` +
        "protects it; nothing was moved",
    );
  }
}
