/**
 * Finds a path that does not exist as spelled, but in another spelling of the same characters: `é` as one code
 * point or as two. Some systems store names in one form whatever they are given, and clients then ask for the
 * other.
 */
import { PaddockError } from "../base/errors.ts";
import { lstat, readFolder } from "../confine/confined_fs.ts";
import { type ConfinedPath, parentOf } from "../confine/resolve_path.ts";

/**
 * The path from the root with the first missing name as it is spelled there; undefined if it does not exist at all.
 */
export function otherSpelling(path: ConfinedPath): string | undefined {
  if (!/[^\0-\x7f]/.test(path.relative) || lstat(path) !== undefined) return undefined;
  const names = path.relative.split("/");
  let folder = path;
  let depth = names.length;
  do {
    folder = parentOf(folder);
    depth--;
  } while (depth > 0 && lstat(folder) === undefined);
  if (lstat(folder)?.isDirectory !== true) return undefined;
  const missing = names[depth] ?? "";
  const alike = readFolder(folder).map(({ name }) => name)
    .filter((name) => name !== missing && name.normalize() === missing.normalize());
  const [found] = alike;
  if (found === undefined) return undefined;
  if (alike.length > 1) {
    throw new PaddockError("INVALID_INPUT", `Ambiguous Unicode path component: ${missing}`);
  }
  return names.with(depth, found).join("/");
}
