/**
 * Who is at work on a store. Every process that writes to one locks a file of its own in the store's folder `live`;
 * the lock ends with the process, however it ends. So an unfinished change whose writer's file can be locked, or is
 * gone, was interrupted.
 */
import { PaddockError } from "../../base/errors.ts";
import { createFile, lstat, makeFolder, openForLock, unlink } from "../../confine/confined_fs.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";

export class Liveness {
  readonly #folder: ConfinedPath;
  readonly name = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
  readonly #file: Deno.FsFile;

  constructor(store: ConfinedPath) {
    this.#folder = childOf(store, "live");
    makeFolder(this.#folder, { mode: 0o700 });
    this.#file = createFile(childOf(this.#folder, this.name));
    this.#file.tryLockSync(true);
  }

  /** Whether a writer is still running. Removes what a dead one left. */
  isAlive(writer: string): boolean {
    if (writer === this.name) return true;
    if (!/^[0-9a-f]{16}$/.test(writer)) return false;
    const path = childOf(this.#folder, writer);
    if (lstat(path) === undefined) return false;
    try {
      const file = openForLock(path);
      try {
        if (!file.tryLockSync(true)) return true;
        unlink(path);
        return false;
      } finally {
        file.close();
      }
    } catch (error) {
      if (error instanceof PaddockError) return error.code !== "NOT_FOUND";
      throw error;
    }
  }

  close(): void {
    try {
      unlink(childOf(this.#folder, this.name));
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error; // the store is gone
    } finally {
      this.#file.close();
    }
  }
}
