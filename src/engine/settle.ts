/**
 * The last step of changing names: their folder is synced. By then the change has happened, and a call that
 * reported an error would be repeated. So whatever keeps a folder from being synced (a file system that cannot, a
 * folder that may not be read, one that was moved away) is no error; only a disk that says it lost something is.
 */
import { PaddockError } from "../base/errors.ts";
import { syncFolder } from "../confine/confined_fs.ts";
import { osCode } from "../confine/os_errors.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";

const LOST = new Set(["EIO", "ENOSPC", "EDQUOT"]);

/** Syncs a folder after `done` happened in it, worded as in: `"a.txt" was written`. */
export async function settle(folder: ConfinedPath, done: string): Promise<void> {
  try {
    await syncFolder(folder);
  } catch (error) {
    const cause = error instanceof PaddockError ? error.cause : error;
    const code = osCode(cause);
    if (code !== undefined && LOST.has(code)) {
      throw new PaddockError("INTERNAL", `${done}, but the disk reported an error (${code})`, { cause });
    }
    if (code === undefined && !(error instanceof PaddockError)) throw error;
  }
}

/** Syncs many folders, some at a time: each is open meanwhile. All are tried, even if one fails. */
export async function settleAll(folders: readonly ConfinedPath[], done: string): Promise<void> {
  const failures: unknown[] = [];
  for (let at = 0; at < folders.length; at += AT_ONCE) {
    const some = folders.slice(at, at + AT_ONCE).map((folder) => settle(folder, done));
    for (const result of await Promise.allSettled(some)) {
      if (result.status === "rejected") failures.push(result.reason);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const AT_ONCE = 64;
