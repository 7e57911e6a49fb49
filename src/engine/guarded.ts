/**
 * What changes must not touch: the folder of another root and a protected `.git`, which no removal or move takes
 * along, and paths that name a folder, to which no file is written.
 */
import { PaddockError } from "../base/errors.ts";
import { readFolder } from "../confine/confined_fs.ts";
import { isGitFolder } from "../confine/git_folders.ts";
import { isGitName, namesFolder, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, nameOf, rootsBelow } from "../confine/resolve_path.ts";
import type { Pace } from "./yield.ts";

/** A root inside another is not removed or moved with it. */
export function refuseRoots(folder: ConfinedPath): void {
  if (folder.root.closed?.liesIn(folder.absolute)) {
    throw new PaddockError(
      "NOT_ALLOWED",
      `${quote(folder.given)} contains the undo store, which no tool can reach`,
    );
  }
  const [root] = rootsBelow(folder);
  if (root !== undefined) {
    throw new PaddockError(
      "NOT_ALLOWED",
      `${quote(folder.given)} contains the directory of root ${root.name}`,
    );
  }
}

/** Whether an entry of a folder is a `.git`, or a folder that git would take for one. */
export function isGits(path: ConfinedPath, { isDirectory }: Pick<Deno.DirEntry, "isDirectory">): boolean {
  return isGitName(nameOf(path)) || (isDirectory && isGitFolder(path.absolute));
}

/** The first `.git`, or folder that git would take for one, at or below a folder; links are not followed. */
export async function findGit(folder: ConfinedPath, pace: Pace): Promise<ConfinedPath | undefined> {
  return isGitFolder(folder.absolute) ? folder : await findGitBelow(folder, pace);
}

async function findGitBelow(folder: ConfinedPath, pace: Pace): Promise<ConfinedPath | undefined> {
  for (const entry of readFolder(folder)) {
    await pace.step();
    const path = childOf(folder, entry.name);
    if (isGits(path, entry)) return path;
    const below = entry.isDirectory ? await findGitBelow(path, pace) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}

/** `newdir/` names a folder, whether it exists or not: a file of that name is not what was meant. */
export function refuseFolderPath(path: ConfinedPath): void {
  if (path.relative === "") {
    throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
  }
  if (!namesFolder(path.given)) return;
  throw new PaddockError(
    "INVALID_INPUT",
    `path names a folder, not a file: ${quote(path.given)}; leave out the trailing slash`,
  );
}
