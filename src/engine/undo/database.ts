/**
 * The SQLite database of a store: opens it, and runs transactions that wait for other processes without blocking
 * the thread. SQLite keeps using the file it opened; if somebody removed it, SQLite would continue with a file that
 * nobody finds again, so the file is checked before every transaction.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { lstat } from "../../confine/confined_fs.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { isOne } from "../stamps.ts";
import { delay } from "../yield.ts";
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import { StoreTrouble, troubleOf } from "./trouble.ts";

export const DATABASE_NAME = "undo.db";

export interface Waiting {
  /** By Date.now(); a database that is busy until then is an error. */
  readonly deadline: number;
}

export interface WriteOptions extends Waiting {
  /** Whether it must be synced afterwards (the default), or survives only a crash of the process. */
  readonly durable?: boolean;
}

export type Row = Record<string, string | number | bigint | Uint8Array | null>;
type Value = string | number | Uint8Array | null;

export class Database {
  readonly #db: DatabaseSync;
  readonly #path: ConfinedPath;
  readonly #file: Deno.FileInfo | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #isDurable = true;

  private constructor(db: DatabaseSync, path: ConfinedPath) {
    this.#db = db;
    this.#path = path;
    this.#file = lstat(path);
  }

  /** Opens the database in an existing folder, and creates its tables if it is new. */
  static async open(folder: ConfinedPath, waiting: Waiting): Promise<Database> {
    const path = childOf(folder, DATABASE_NAME);
    return await patiently(waiting, () => {
      const db = new DatabaseSync(path.absolute);
      let opened: Database | undefined;
      try {
        db.exec("pragma auto_vacuum = incremental; pragma journal_mode = wal");
        db.exec("pragma synchronous = full; pragma journal_size_limit = 1048576");
        refuseUnknown(db);
        opened = new Database(db, path);
        opened.#create();
        return opened;
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  /**
   * Opens it read-only, which creates and changes nothing; undefined if there is none yet. The two files by which
   * programs share it must exist: a process that may not write cannot create them (StoreTrouble "unshared").
   */
  static openToRead(folder: ConfinedPath): Database | undefined {
    const path = childOf(folder, DATABASE_NAME);
    if (lstat(path)?.isFile !== true) return undefined;
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(path.absolute, { readOnly: true });
      refuseUnknown(db);
      const opened = new Database(db, path);
      if (opened.#version() > 0) return opened;
      db.close();
      return undefined;
    } catch (error) {
      if (db?.isOpen) db.close();
      if (error instanceof Error && /readonly database|unable to open/.test(error.message)) {
        throw new StoreTrouble("unshared", "the undo store cannot be opened for reading", error);
      }
      throw troubleOf(error);
    }
  }

  /** Differs whenever another connection, in any process, has changed anything. */
  get dataVersion(): number {
    this.lookForFile();
    return Number(this.get("pragma data_version")?.data_version);
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values) as Row[]);
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** Returns how many rows were affected. */
  run(sql: string, ...values: Value[]): number {
    return this.#guarded(() => Number(this.#statement(sql).run(...values).changes));
  }

  /** Runs `body` as one transaction, all or nothing; it may be run more than once. */
  async write<T>(body: () => T, { durable = true, deadline }: WriteOptions): Promise<T> {
    return await patiently({ deadline }, () => {
      this.lookForFile();
      this.#setDurable(durable);
      this.run("begin immediate");
      try {
        const result = body();
        this.run("commit");
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  /** Runs `body` on one state of the database. */
  read<T>(body: () => T): T {
    this.lookForFile();
    this.run("begin");
    try {
      return body();
    } finally {
      this.#rollBack();
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #create(): void {
    if (this.#version() === SCHEMA_VERSION) return;
    this.run("begin immediate");
    try {
      if (this.#version() === 0) this.#db.exec(SCHEMA);
      this.run("commit");
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #version(): number {
    return Number(this.#db.prepare("pragma user_version").get()?.user_version);
  }

  #setDurable(durable: boolean): void {
    if (durable === this.#isDurable) return;
    this.#db.exec(durable ? "pragma synchronous = full" : "pragma synchronous = normal");
    this.#isDurable = durable;
  }

  /** Throws if the database file is gone, or was replaced. */
  lookForFile(): void {
    if (isOne(lstat(this.#path), this.#file)) return;
    throw new StoreTrouble("gone", "the undo store was removed or replaced");
  }

  #rollBack(): void {
    if (this.#db.isTransaction) this.#db.exec("rollback");
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, statement = this.#db.prepare(sql));
    return statement;
  }

  #guarded<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw troubleOf(error);
    }
  }
}

/** A database of a later version may use the same names for other things. */
function refuseUnknown(db: DatabaseSync): void {
  const version = Number(db.prepare("pragma user_version").get()?.user_version);
  const application = Number(db.prepare("pragma application_id").get()?.application_id);
  if (version > SCHEMA_VERSION) {
    throw new StoreTrouble(
      "newer",
      `the undo store is of a newer version (${version}) than this program supports (${SCHEMA_VERSION})`,
    );
  }
  if (version > 0 && application !== APPLICATION_ID) {
    throw new StoreTrouble(
      "unusable",
      "the database where the undo store should be belongs to another program",
    );
  }
}

/** Tries until it is no longer busy, or the time is up. */
async function patiently<T>({ deadline }: Waiting, attempt: () => T): Promise<T> {
  for (let attempts = 0;; attempts++) {
    try {
      return attempt();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.kind !== "busy" || Date.now() >= deadline) throw trouble;
    }
    await delay(1 + Math.random() * Math.min(2 ** attempts, 20));
  }
}
