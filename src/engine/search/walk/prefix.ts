/** Prefixes: paths of folders below the one that is searched; empty, or ending in `/`. */
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";

/** The folder with a prefix; every name on the way is checked to be one. */
export function folderBelow(folder: ConfinedPath, prefix: string): ConfinedPath {
  return prefix === "" ? folder : prefix.split("/").slice(0, -1).reduce(childOf, folder);
}

/** How deep the files of a folder lie: 1 for those of the searched folder itself. */
export function depthOf(prefix: string): number {
  let depth = 1;
  for (let at = prefix.indexOf("/"); at >= 0; at = prefix.indexOf("/", at + 1)) depth++;
  return depth;
}
