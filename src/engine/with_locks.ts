/**
 * Takes several locks at once, always in the order of their paths, so that no two calls wait for each other: first
 * those of roots, which stand for the structure below them, then those of single files.
 *
 * Roots may be nested, and another process may know only the inner one. So a structural change locks every root
 * that contains its path, and every one inside its path, whichever root it was reached through.
 */
import { lstat } from "../confine/confined_fs.ts";
import { type ConfinedPath, rootFolders } from "../confine/resolve_path.ts";
import { type Changing, lockOptions } from "./changing.ts";
import { isOne } from "./stamps.ts";

/**
 * Runs `body` while holding the locks of the roots around and below the paths, unless the call holds them already.
 */
export async function withStructure<T>(
  paths: readonly ConfinedPath[],
  body: (changing: Changing) => Promise<T>,
  changing: Changing,
): Promise<T> {
  if (changing.structureLocked) return await body(changing);
  const lock = (path: ConfinedPath, next: () => Promise<T>) =>
    changing.locks.withFolder(path, next, lockOptions(changing));
  return await inOrder(paths.flatMap(rootFolders), lock, () => body({ ...changing, structureLocked: true }));
}

/** Runs `body` while holding the locks of files that are to be removed, moved or replaced by a rename. */
export async function withFiles<T>(
  paths: readonly ConfinedPath[],
  body: () => Promise<T>,
  changing: Changing,
): Promise<T> {
  const options = { ...lockOptions(changing), forRemoval: true };
  const lock = (path: ConfinedPath, next: () => Promise<T>) => changing.locks.withFile(path, next, options);
  return await inOrder(paths, lock, body);
}

async function inOrder<T>(
  paths: readonly ConfinedPath[],
  lock: (path: ConfinedPath, next: () => Promise<T>) => Promise<T>,
  body: () => Promise<T>,
): Promise<T> {
  const [first, ...rest] = paths.toSorted((a, b) => a.absolute < b.absolute ? -1 : 1);
  if (first === undefined) return await body();
  const others = rest.filter((path) => !isSamePlace(path, first));
  return await lock(first, () => inOrder(others, lock, body));
}

/** One folder can be mounted in two places; its lock can be taken only once. */
function isSamePlace(a: ConfinedPath, b: ConfinedPath): boolean {
  return a.absolute === b.absolute || isOne(lstat(a), lstat(b));
}
