/**
 * Keeps the databases of undo stores open, for the console. SQLite shares a memory file (`-shm`) among all
 * connections to a database, and within a process every connection uses it the way the first one opened it. A
 * worker with read permission only would open it read-only, and then nobody in this process could write. So
 * it is opened first here, where nothing is restricted; nothing is read or written through this connection.
 */
import type { DatabaseSync } from "node:sqlite";

interface Held {
  readonly db: DatabaseSync;
  readonly file: string;
}

/** A store that is just being created switches to WAL mode within a moment. */
const TRIES = 100;
const PAUSE_MS = 20;

export class HeldStores {
  readonly #held = new Map<string, Held>();

  /** Resolves when the current file is held, or cannot be: whoever opens the store finds out why. */
  async hold(store: string): Promise<void> {
    const path = `${store}${Deno.build.os === "windows" ? "\\" : "/"}undo.db`;
    const { DatabaseSync } = await import("node:sqlite");
    for (let i = 0; i < TRIES; i++) {
      const file = identityOf(path);
      const known = this.#held.get(store);
      if (file === undefined || known?.file === file) return;
      this.#held.delete(store);
      known?.db.close();
      const db = opened(() => new DatabaseSync(path));
      if (db !== undefined) {
        this.#held.set(store, { db, file });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  close(): void {
    for (const { db } of this.#held.values()) db.close();
    this.#held.clear();
  }
}

/**
 * Undefined while it cannot be read or is not in WAL mode yet: this connection would not be the first to
 * share memory.
 */
function opened(open: () => DatabaseSync): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = open();
    const mode = db.prepare("pragma journal_mode").get();
    if (mode?.journal_mode === "wal") {
      db.prepare("select count(*) from sqlite_schema").get(); // SQLite opens the file only now
      return db;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  db?.close();
  return undefined;
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino, isFile } = Deno.lstatSync(path);
    return isFile ? `${dev} ${ino}` : undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}
