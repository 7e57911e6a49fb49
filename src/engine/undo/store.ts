/** One root's open store: the database with its records and contents, the trash, and who else is at work on it. */
import type { RootUndo } from "../../base/config.ts";
import { lstat, makeFolder, rename } from "../../confine/confined_fs.ts";
import {
  childOf,
  type ConfinedPath,
  type ConfinedRoot,
  resolvePath,
  rootPathOf,
} from "../../confine/resolve_path.ts";
import { createRoots } from "../../confine/roots.ts";
import { Contents } from "./contents.ts";
import { Database, DATABASE_NAME, type Waiting } from "./database.ts";
import { Liveness } from "./liveness.ts";
import { Records } from "./records.ts";
import { Trash } from "./trash.ts";
import { StoreTrouble, troubleOf } from "./trouble.ts";

const PRIVATE = 0o700;
/** How the names of folders with damaged stores begin. */
export const DAMAGED = "damaged-";

export type StoreSettings = Extract<RootUndo, { store: string }>;

export class UndoStore {
  readonly folder: ConfinedPath;
  /** The root whose changes it records. */
  readonly root: ConfinedRoot;
  readonly settings: StoreSettings;
  readonly db: Database;
  readonly records: Records;
  readonly contents: Contents;
  readonly trash: Trash;
  readonly #live: Liveness | undefined;

  private constructor({ folder, root, settings, db, live }: OpenParts) {
    this.folder = folder;
    this.root = root;
    this.settings = settings;
    this.db = db;
    this.records = new Records(db);
    this.contents = new Contents(db);
    this.trash = new Trash(folder);
    this.#live = live;
  }

  get live(): Liveness {
    if (this.#live === undefined) throw new TypeError("the undo store was opened read-only");
    return this.#live;
  }

  /** Throws StoreTrouble. */
  static async open(parts: StoreParts, waiting: Waiting): Promise<UndoStore> {
    try {
      const folder = folderOf(parts.settings);
      makeFolder(folder, { mode: PRIVATE });
      const db = await Database.open(folder, waiting);
      try {
        return new UndoStore({ ...parts, folder, db, live: new Liveness(folder) });
      } catch (error) {
        db.close();
        throw error;
      }
    } catch (error) {
      throw troubleOf(error);
    }
  }

  /** The same, read-only; undefined if nothing has been recorded yet. */
  static openToRead(parts: StoreParts): UndoStore | undefined {
    try {
      const folder = folderOf(parts.settings);
      const db = Database.openToRead(folder);
      return db && new UndoStore({ ...parts, folder, db, live: undefined });
    } catch (error) {
      throw troubleOf(error);
    }
  }

  /** The confined path of something in the root. */
  at(relative: string): ConfinedPath {
    return resolvePath(this.root, relative === "" ? "." : relative, { change: true, follow: false });
  }

  close(): void {
    this.db.close();
    this.#live?.close();
  }
}

interface OpenParts extends StoreParts {
  readonly folder: ConfinedPath;
  readonly db: Database;
  readonly live: Liveness | undefined;
}

export interface StoreParts {
  readonly root: ConfinedRoot;
  readonly settings: StoreSettings;
}

/** The store's folder as a root of its own, in which nothing counts as git's. */
function folderOf({ store }: StoreSettings): ConfinedPath {
  const root = createRoots([{ name: "undo store", path: store, git: "open" }]).get("undo store");
  if (root === undefined) throw new StoreTrouble("unusable", "the undo store has no folder");
  return rootPathOf(root);
}

export function hasDatabase(settings: StoreSettings): boolean {
  const folder = folderOf(settings);
  return lstat(folder)?.isDirectory === true && lstat(childOf(folder, DATABASE_NAME)) !== undefined;
}

/** Moves what is left of a damaged store aside, in case somebody can recover it. */
export function putAside(settings: StoreSettings): void {
  const folder = folderOf(settings);
  const aside = childOf(folder, `${DAMAGED}${Date.now()}`);
  makeFolder(aside, { mode: PRIVATE });
  for (const name of [DATABASE_NAME, `${DATABASE_NAME}-wal`, `${DATABASE_NAME}-shm`, "trash"]) {
    const path = childOf(folder, name);
    if (lstat(path) !== undefined) rename(path, childOf(aside, name));
  }
}
