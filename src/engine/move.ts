/**
 * Moves files, links and whole folders. Within one file system that is one rename, while the locks of all roots
 * involved are held, and those of the files themselves: an edit in progress finishes first. A link is moved itself,
 * and never followed. Between file systems, see move_across.ts.
 */
import { PaddockError } from "../base/errors.ts";
import {
  isSurelyOne,
  linkTarget,
  lstat,
  readLink,
  rename,
  unlink,
  whyFixed,
} from "../confine/confined_fs.ts";
import { contains, quote } from "../confine/path_rules.ts";
import { type ConfinedPath, nameOf, parentOf } from "../confine/resolve_path.ts";
import { climbsOut, refuseAtBorder } from "./border.ts";
import type { Changing } from "./changing.ts";
import { ensureFolder } from "./folders.ts";
import { refuseFolderPath, refuseRoots } from "./guarded.ts";
import { reworded } from "./in_part.ts";
import { moveAcross } from "./move_across.ts";
import { settle } from "./settle.ts";
import { isRespelling } from "./spelling.ts";
import { isOne } from "./stamps.ts";
import { systemCode, whileInUse } from "./transient.ts";
import { withFiles, withStructure } from "./with_locks.ts";
import { Pace } from "./yield.ts";

/** Moves a file, link or folder to exactly `to`; a file there is replaced. */
export async function moveEntry(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  if (from.relative === "") throw new PaddockError("NOT_ALLOWED", "cannot move root directory");
  await withStructure([from, to], (locked) => moveLocked(from, to, locked), changing);
}

/** Moves to a new name, in a folder that must exist. */
export async function moveToNew(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  if (from.relative === "") throw new PaddockError("NOT_ALLOWED", "cannot move root directory");
  await withStructure([from, to], async (locked) => {
    if (lstat(from) === undefined) throw notThere(from);
    if (lstat(to) !== undefined) throw taken(to);
    if (lstat(parentOf(to)) === undefined) {
      throw new PaddockError("NOT_FOUND", `folder not found for ${quote(to.given)}`);
    }
    await moveLocked(from, to, locked);
  }, changing);
}

function taken(to: ConfinedPath): PaddockError {
  return new PaddockError("ALREADY_EXISTS", `destination exists: ${quote(to.given)}`);
}

async function moveLocked(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  const info = lstat(from);
  if (info === undefined) throw notThere(from);
  if (from.absolute === to.absolute) return;
  const respelled = isRespelling(from, to);
  const there = respelled ? undefined : lstat(to);
  await refuseMove(from, to, { info, there, changing });
  await ensureFolder(parentOf(to), changing);
  const same = info.isFile && isSurelyOne(info, there);
  if (same && isSameEntry(from, to)) return;
  const pace = new Pace(changing.signal);
  const recorded = await changing.recording?.move(from, to, pace);
  const step = async () => {
    if (same) unlink(from); // rename(2) does nothing if both names belong to one file
    else if (!await renameNamed(from, to)) return false;
    await recorded?.made();
    const done = `${quote(from.given)} was moved to ${quote(to.given)}`;
    await settle(parentOf(to), done);
    if (parentOf(from).absolute !== parentOf(to).absolute) await settle(parentOf(from), done);
    return true;
  };
  const source = info.isFile ? [from] : [];
  const files = there?.isFile && !same ? [...source, to] : source;
  if (await withFiles(files, step, changing)) return;
  await withFiles(source, () => moveAcross(from, to, { ...changing, recording: undefined }), changing);
  await recorded?.made();
}

/** Renames. The system does not say which of the two names it refused, but the error must. */
async function renameNamed(from: ConfinedPath, to: ConfinedPath): Promise<boolean> {
  try {
    return await whileInUse(() => rename(from, to));
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    if (error.code === "NOT_FOUND" && lstat(from) === undefined) throw notThere(from);
    if (error.code !== "PERMISSION_DENIED" && systemCode(error) !== "EBUSY") throw error;
    const moved = lstat(from)?.isDirectory ? [from] : []; // its own entry for the parent folder changes, too
    for (const folder of [parentOf(from), parentOf(to), ...moved]) {
      const why = await whyFixed(folder);
      if (why !== undefined) throw why;
    }
    throw reworded(error, (reason) => `${reason}, or ${quote(from.given)}`);
  }
}

function notThere(from: ConfinedPath): PaddockError {
  return new PaddockError("NOT_FOUND", `source file not found: ${from.given}`);
}

/** Whether two paths are one: a folder that is mounted twice can be reached by both. */
function isSameEntry(from: ConfinedPath, to: ConfinedPath): boolean {
  return nameOf(from) === nameOf(to) && isOne(lstat(parentOf(from)), lstat(parentOf(to)));
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
  else if (there === undefined) refuseFolderPath(to);
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
  if (info.isSymlink) refuseLink(from, to);
  if (from.owner === to.owner || info.isFile) return;
  if (info.isDirectory) return await refuseAtBorder(from, to, new Pace(changing.signal));
  throw new PaddockError(
    "UNSUPPORTED",
    `only files and folders can be moved to another root: ${quote(from.given)}; you can remove it here`,
  );
}

/** A link that leads outside stays where it is, and none is moved to where it would lead outside. */
export function refuseLink(from: ConfinedPath, to: ConfinedPath): void {
  const { place } = linkTarget(from);
  const wouldLeave = place === "inside" && leavesFrom(parentOf(to), readLink(from));
  if (!wouldLeave && place !== "outside") return;
  throw new PaddockError(
    "OUT_OF_BOUNDS",
    `cannot move a link that leads outside the root${wouldLeave ? " from there" : ""}: ${quote(from.given)}`,
  );
}

/**
 * Whether a link with this text leads out of the root from a folder. An absolute one leads to the same place from
 * anywhere.
 */
function leavesFrom(folder: ConfinedPath, text: string): boolean {
  return !text.startsWith("/") && climbsOut(text, folder.relative);
}
