/** Everything in a folder, in the order of removal: what is in a folder before the folder itself. */
import { lstat, readFolderRawCounted } from "../../confine/confined_fs.ts";
import { isTempName } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import type { Pace } from "../yield.ts";

export interface Listed {
  readonly path: ConfinedPath;
  readonly info: Deno.FileInfo;
}

export interface TreeListing {
  readonly entries: readonly Listed[];
  /** The total size of all files. */
  readonly bytes: number;
  /** How many entries have names that are not valid UTF-8, and so are not listed. */
  readonly unnamed: number;
}

export async function listTree(top: ConfinedPath, pace: Pace): Promise<TreeListing> {
  const entries: Listed[] = [];
  let [bytes, unnamedInAll] = [0, 0];
  const add = async (path: ConfinedPath, info: Deno.FileInfo) => {
    if (info.isDirectory) {
      const { entries: below, unnamed } = readFolderRawCounted(path);
      unnamedInAll += unnamed;
      for (const { name } of below) {
        await pace.step();
        if (isTempName(name)) continue;
        const child = childOf(path, name);
        const found = lstat(child);
        if (found !== undefined) await add(child, found);
      }
    } else if (info.isFile) bytes += info.size;
    entries.push({ path, info });
  };
  const info = lstat(top);
  if (info !== undefined) await add(top, info);
  return { entries, bytes, unnamed: unnamedInAll };
}
