/** Removes a folder of the store's own with everything in it; links are removed themselves and never followed. */
import {
  openFolder,
  readFolderRawCounted,
  removeEmptyFolder,
  removeUnnamed,
  setOwnership,
  unlink,
} from "../../confine/confined_fs.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { Pace } from "../yield.ts";

export async function removeWhole(folder: ConfinedPath, pace: Pace = new Pace(undefined)): Promise<void> {
  await open(folder);
  const { entries, unnamed } = readFolderRawCounted(folder);
  for (const { name, isDirectory } of entries) {
    await pace.step();
    if (isDirectory) await removeWhole(childOf(folder, name), pace);
    else unlink(childOf(folder, name));
  }
  if (unnamed === 0) removeEmptyFolder(folder);
  else removeUnnamed(folder);
}

/** Makes a folder writable: one that its owner may not change cannot be emptied. */
async function open(path: ConfinedPath): Promise<void> {
  try {
    const folder = openFolder(path);
    if (folder === undefined) return;
    try {
      await setOwnership(path, { file: folder, mode: 0o700, uid: null, gid: null });
    } finally {
      folder.close();
    }
  } catch {
    // One that cannot even be read: the removal will fail with the reason.
  }
}
