/**
 * What was moved away whole: a folder of the store in which everything has a random name. Things get there by a
 * rename or a second name (a hard link), which take no time whatever their size; if the store is on another file
 * system, large files are copied. Device numbers are never compared: bind mounts of one disk refuse renames, too.
 */
import { PaddockError } from "../../base/errors.ts";
import {
  type ConfinedFile,
  linkNew,
  lstat,
  makeFolder,
  readFolderRaw,
  rename,
  syncFolder,
  unlink,
} from "../../confine/confined_fs.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { atomicWrite } from "../atomic_write.ts";
import { contentOf } from "../content_of.ts";
import { TempSweeper } from "../temp_sweeper.ts";
import { removeWhole } from "./remove_whole.ts";

const FOLDER = "trash";
const PRIVATE = 0o700;

export class Trash {
  readonly #folder: ConfinedPath;
  #isThere = false;

  constructor(store: ConfinedPath) {
    this.#folder = childOf(store, FOLDER);
  }

  newName(): string {
    return crypto.randomUUID().replaceAll("-", "").slice(0, 20);
  }

  at(name: string): ConfinedPath {
    return childOf(this.#folder, name);
  }

  has(name: string): boolean {
    return lstat(this.#folder) !== undefined && lstat(this.at(name)) !== undefined;
  }

  names(): string[] {
    return lstat(this.#folder) === undefined ? [] : readFolderRaw(this.#folder).map(({ name }) => name);
  }

  /** Makes sure that there is a folder to move things to. */
  prepare(): void {
    if (this.#isThere && lstat(this.#folder) !== undefined) return;
    makeFolder(this.#folder, { mode: PRIVATE });
    this.#isThere = true;
  }

  /** Moves something here. False if it is on another file system, or may not be moved. */
  async take(path: ConfinedPath, name: string): Promise<boolean> {
    this.prepare();
    try {
      if (!rename(path, this.at(name))) return false;
    } catch (error) {
      if (error instanceof PaddockError && UNMOVABLE.has(error.code)) return false;
      throw error;
    }
    await syncFolder(this.#folder);
    return true;
  }

  /** Gives a file or a link a second name here. False if that is impossible. */
  async link(path: ConfinedPath, name: string): Promise<boolean> {
    this.prepare();
    try {
      if (linkNew(path, this.at(name)) !== "linked") return false;
    } catch (error) {
      if (error instanceof PaddockError && UNMOVABLE.has(error.code)) return false;
      throw error;
    }
    await syncFolder(this.#folder);
    return true;
  }

  /** Copies an open file here. */
  async copy(file: ConfinedFile, name: string): Promise<void> {
    this.prepare();
    const ownership = { mode: 0o600, uid: null, gid: null };
    using _written = await atomicWrite(this.at(name), contentOf(file, undefined), {
      ownership,
      sweeper: new TempSweeper(),
    });
  }

  /** Deletes something for good. */
  async drop(name: string): Promise<void> {
    const path = this.at(name);
    const info = lstat(this.#folder) === undefined ? undefined : lstat(path);
    if (info === undefined) return;
    if (info.isDirectory) await removeWhole(path);
    else unlink(path);
  }
}

const UNMOVABLE = new Set<PaddockError["code"]>(["PERMISSION_DENIED", "UNSUPPORTED", "CONFLICT"]);
