/**
 * Names in two spellings. NTFS, APFS and others take `A.txt` for `a.txt`, and an accent for the same in two code points:
 * what lies under the one lies under the other. To move from one to the other is to rename it, and not to replace it.
 */
import { lstat, readFolderRaw } from "../confine/confined_fs.ts";
import { isOneSpelling } from "../confine/path_rules.ts";
import { type ConfinedPath, nameOf, parentOf } from "../confine/resolve_path.ts";
import { isOne } from "./stamps.ts";

/** Whether two paths are one entry of a folder, under one name in two spellings. */
export function isRespelling(from: ConfinedPath, to: ConfinedPath): boolean {
  if (from.relative === "" || to.relative === "" || nameOf(from) === nameOf(to)) return false;
  if (!isOneSpelling(nameOf(from), nameOf(to))) return false;
  const [above, other] = [parentOf(from), parentOf(to)];
  return (above.absolute === other.absolute || isOne(lstat(above), lstat(other))) &&
    isOne(lstat(from), lstat(to)) && !isListed(from, to);
}

/** Two names of one file (hard links) that a file system tells apart are both in its folder. */
function isListed(from: ConfinedPath, to: ConfinedPath): boolean {
  const info = lstat(from);
  if (info === undefined || info.isDirectory || (info.nlink ?? 1) < 2) return false;
  const names = new Set(readFolderRaw(parentOf(from)).map(({ name }) => name));
  return names.has(nameOf(from)) && names.has(nameOf(to));
}
