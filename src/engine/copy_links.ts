/**
 * What links mean to a copy. None can be created, so a link in the source becomes what it leads to, or is left out:
 * it is followed if it stays inside the root and leads into no other root, whose allowlist was not checked. Roots
 * inside the source itself are the caller's to check. A link at the destination is written through, as by any
 * write, if it stays inside; otherwise the copy ends.
 */
import { PaddockError } from "../base/errors.ts";
import { linkTarget, lstat } from "../confine/confined_fs.ts";
import { contains, quote } from "../confine/path_rules.ts";
import { type ConfinedPath, parentOf, resolvePath } from "../confine/resolve_path.ts";

/** What an entry of a copied folder stands for; undefined if it is left out. */
export function sourceOf(
  path: ConfinedPath,
  { isLink, top }: { isLink: boolean; top: ConfinedPath },
): ConfinedPath | undefined {
  if (!isLink) {
    const gated = path.owner === parentOf(path).owner || contains(top.absolute, path.absolute);
    return gated ? path : undefined;
  }
  if (linkTarget(path).place !== "inside") return undefined;
  try {
    const target = resolvePath(path.root, path.relative);
    return target.owner === path.owner ? target : undefined;
  } catch (error) {
    if (error instanceof PaddockError) return undefined; // a hidden .git, a name of ours, or gone by now
    throw error;
  }
}

/** Where an entry is written to; `above` are the folders being copied, which a copy must not go into. */
export function destinationOf(path: ConfinedPath, above: readonly string[]): ConfinedPath {
  if (!lstat(path)?.isSymlink) return path;
  const target = resolvePath(path.root, path.relative, { change: true });
  if (target.owner !== path.owner) {
    throw new PaddockError(
      "NOT_ALLOWED",
      `${quote(path.given)} is a link into root ${target.owner.name}: to copy there, name that root`,
    );
  }
  if (above.some((folder) => contains(folder, target.absolute))) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot copy a folder into itself: ${quote(path.given)} is a link into what is being copied`,
    );
  }
  return target;
}
