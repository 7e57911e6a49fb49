/**
 * Checks a folder before it is removed, so that what cannot be removed is found while everything is still there:
 * what may not be read or removed, another file system mounted in it, and a protected `.git`.
 */
import { PaddockError } from "../base/errors.ts";
import { lstat, readFolderRawCounted, whyFixed } from "../confine/confined_fs.ts";
import { isGitName, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { isGits } from "./guarded.ts";
import type { Pace } from "./yield.ts";

/** How many entries would be removed, including the folder itself. Throws if one of them cannot be. */
export async function countRemovable(folder: ConfinedPath, pace: Pace): Promise<number> {
  await refuseFixed(parentOf(folder));
  return await countBelow(folder, { top: folder, pace, device: lstat(parentOf(folder))?.dev });
}

interface Looking {
  readonly top: ConfinedPath;
  readonly pace: Pace;
  /** Of the folder above the top: a different one below it is a mount, which could be emptied but not removed. */
  readonly device: number | undefined;
}

async function countBelow(folder: ConfinedPath, looking: Looking): Promise<number> {
  const { top, pace, device } = looking;
  if (lstat(folder)?.dev !== device) throw mounted(folder);
  const { entries, unnamed, unnamedFolders } = readFolderRawCounted(folder);
  if (unnamedFolders > 0 && folder.owner.git !== "open") throw unseen(top, folder);
  if (entries.length + unnamed > 0) await refuseFixed(folder);
  let count = 1 + unnamed;
  for (const { name, isDirectory } of entries) {
    if (pace.isDue) await pace.step();
    if (isDirectory || isGitName(name)) refuseGit(top, childOf(folder, name), { isDirectory });
    count += isDirectory ? await countBelow(childOf(folder, name), looking) : 1;
  }
  return count;
}

/** A protected `.git`, under any name, is never removed with a folder. */
export function refuseGit(
  top: ConfinedPath,
  path: ConfinedPath,
  entry: Pick<Deno.DirEntry, "isDirectory">,
): void {
  if (path.owner.git === "open" || !isGits(path, entry)) return;
  throw new PaddockError(
    "NOT_ALLOWED",
    `${quote(top.given)} contains ${quote(path.relative)}, which can be read but not changed ` +
      `(the operator can set protect_git: false for root ${path.owner.name})`,
  );
}

/** Throws for a folder in which the system does not let us change names. */
export async function refuseFixed(folder: ConfinedPath): Promise<void> {
  const why = await whyFixed(folder);
  if (why !== undefined) throw why;
}

function mounted(folder: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `${quote(folder.given)} is a mount point of another file system, and cannot be removed`,
  );
}

function unseen(top: ConfinedPath, folder: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `${quote(top.given)} cannot be removed here: ${
      quote(folder.given)
    } contains a folder whose name is not valid ` +
      "UTF-8, and whether there is a .git in it cannot be seen; rename it by other means",
  );
}
