/**
 * Removes the temporary files that crashed writers left behind. A writer holds a flock on its temporary file, so
 * one that can be locked belongs to nobody. Checking costs a listing of the folder; in large folders that is done
 * from time to time instead of at every write.
 */
import { PaddockError } from "../base/errors.ts";
import { isCurrent, openForLock, readFolderRaw, unlink } from "../confine/confined_fs.ts";
import { isTempName } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../confine/resolve_path.ts";

const LARGE_FOLDER = 500;
const REST_MS = 10_000;
const REMEMBERED = 1_000;

export class TempSweeper {
  /** When a large folder was last checked. */
  readonly #swept = new Map<string, number>();

  sweep(folder: ConfinedPath): void {
    const last = this.#swept.get(folder.absolute);
    if (last !== undefined && performance.now() - last < REST_MS) return;
    this.#swept.delete(folder.absolute);
    const entries = readFolderRaw(folder);
    for (const entry of entries) {
      if (entry.isFile && isTempName(entry.name)) sweepTemp(childOf(folder, entry.name));
    }
    if (entries.length < LARGE_FOLDER) return;
    const oldest = this.#swept.size < REMEMBERED ? undefined : this.#swept.keys().next().value;
    if (oldest !== undefined) this.#swept.delete(oldest);
    this.#swept.set(folder.absolute, performance.now());
  }
}

/** Removes one temporary file, if nobody is writing to it. */
export function sweepTemp(path: ConfinedPath): void {
  try {
    const file = openForLock(path);
    try {
      if (file.tryLockSync(true) && isCurrent(file, path, { careful: true })) unlink(path);
    } finally {
      file.close();
    }
  } catch (error) {
    // Gone by now, or not ours to remove: neither may fail somebody else's write.
    if (!(error instanceof PaddockError)) throw error;
  }
}
