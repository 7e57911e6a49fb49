/**
 * Holds the databases of undo stores open, for the console. SQLite shares a small file of memory among all who have a
 * database open, and within a process everybody uses it as whoever came first has opened it. Who may only read would
 * open it for reading, and then nobody in this process could write. So it is opened here before, where nothing is
 * restricted; nothing is read or written through it.
 */
import type { DatabaseSync } from "node:sqlite";

interface Held {
  readonly db: DatabaseSync;
  readonly file: string;
}

export class HeldStores {
  readonly #held = new Map<string, Held>();

  /** Settles when it is held as it is now, or cannot be: who opens it finds out why. */
  async hold(store: string): Promise<void> {
    const path = `${store}${Deno.build.os === "windows" ? "\\" : "/"}undo.db`;
    const { DatabaseSync } = await import("node:sqlite");
    try {
      const file = identityOf(path);
      const known = this.#held.get(store);
      if (file === undefined || known?.file === file) return;
      this.#held.delete(store);
      known?.db.close();
      const db = new DatabaseSync(path);
      this.#held.set(store, { db, file });
      db.prepare("select count(*) from sqlite_schema").get(); // only now is it opened
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#held.get(store)?.db.close(); // the next time it may be whole
      this.#held.delete(store);
    }
  }
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
