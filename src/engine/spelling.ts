/**
 * Names in two spellings. NTFS, APFS and others take `A.txt` for `a.txt`, and an accented letter for the same in
 * two code points: both names lead to one file. Moving from one to the other renames it, and does not replace it.
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

/** If a file system distinguishes two names of one file (hard links), both are listed in its folder. */
function isListed(from: ConfinedPath, to: ConfinedPath): boolean {
  const info = lstat(from);
  if (info === undefined || info.isDirectory || (info.nlink ?? 1) < 2) return false;
  const names = new Set(readFolderRaw(parentOf(from)).map(({ name }) => name));
  return names.has(nameOf(from)) && names.has(nameOf(to));
}
