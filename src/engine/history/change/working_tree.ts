/**
 * Changes to the working tree, each through the inner fence: the folder is verified right before the step. New
 * content is written beside the file and renamed into place, so that nobody ever sees half of it, and so that a
 * folder swapped for a link takes the new content along with it. A file that is replaced, moved or removed is
 * locked meanwhile, as the tools of other surfaces lock it: a change in progress there finishes first.
 */
import { PaddockError } from "../../../base/errors.ts";
import { type Identity, isSameFile } from "../../../base/identity.ts";
import {
  discardTemp,
  hasStrayed,
  isCurrent,
  knownAt,
  linkNew,
  lstat,
  makeFolder,
  openForLock,
  readFolderCounted,
  readFolderRaw,
  removeEmptyFolder,
  removeKnown,
  rename,
  replace,
  syncFile,
  unlink,
} from "../../../confine/confined_fs.ts";
import { quote, tempName } from "../../../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../../../confine/resolve_path.ts";
import { type KeptFile, type LockOptions, Locks } from "../../locks.ts";
import { isRespelling } from "../../spelling.ts";
import { isOne } from "../../stamps.ts";
import { Pace } from "../../yield.ts";
import type { Disk } from "../files/disk.ts";
import type { GitFolder } from "../git/git_folder.ts";
import type { LateSave, LateSaves } from "./late_saves.ts";
import { MODE_LINK } from "../objects/objects.ts";
import { discard, NewContents, swapped, type Temp } from "./new_contents.ts";
import type { Seen } from "./seen.ts";
import type { Work, Write } from "./work.ts";

/** What the caller knows about the work. */
export interface Circumstances {
  readonly temp?: Temp | undefined;
  /** The state of the files when they were recorded; without it they are replaced and removed as they are. */
  readonly seen?: Seen | undefined;
  /** How many names are left in folders that are being emptied, so that not every step lists them again. */
  readonly left?: Map<string, number> | undefined;
  /** Gets the replaced files, to be checked again. */
  readonly lateSaves?: LateSaves | undefined;
  /** Until when to wait for a lock, by Date.now(). */
  readonly deadline: number;
}

export class WorkingTree {
  readonly #git: GitFolder;
  readonly #disk: Disk;
  readonly #contentOf: (oid: string) => Uint8Array;
  readonly #contents = new NewContents();
  readonly #locks = new Locks();
  /** For what is held from one step to the next: a step that locks the same path must not queue behind it. */
  readonly #holds = new Locks();
  #held: Deno.FsFile | undefined;

  constructor(git: GitFolder, disk: Disk, contentOf: (oid: string) => Uint8Array) {
    this.#git = git;
    this.#disk = disk;
    this.#contentOf = contentOf;
  }

  /**
   * Does one piece of work. Returns the folders whose names changed; undefined if the file has changed since it was
   * seen, and was left alone.
   */
  async perform(work: Work, circumstances: Circumstances): Promise<ConfinedPath[] | undefined> {
    if (work.kind === "write") return await this.#write(work, circumstances);
    if (work.kind === "move") return await this.#move(work.from, work.to, circumstances);
    if (work.kind === "folder") return this.#ensureFolder(this.#disk.at(work.path)).map(parentOf);
    const path = this.#disk.at(work.path);
    if (work.kind === "prune") return removeIfEmpty(path) ? [parentOf(path)] : [];
    const folder = await this.#remove(path, circumstances);
    if (folder === undefined) return undefined;
    return [work.tidy === true ? this.#tidy(folder, circumstances.left ?? new Map()) : folder];
  }

  /** Runs `body` while holding the lock of a file that others keep changing. */
  async holding<T>(path: ConfinedPath, body: () => Promise<T>, deadline: number): Promise<T> {
    if (lstat(path)?.isFile !== true) return await body();
    return await this.#holds.withFile(path, async ({ file }) => {
      this.#held = file;
      try {
        return await body();
      } finally {
        this.#held = undefined;
      }
    }, lockOptions(deadline));
  }

  /** Runs `body` while holding the lock of the file at a path, if there is one. `kept` gets the open file. */
  async #locked<T>(
    path: ConfinedPath,
    body: (file: Deno.FsFile | undefined) => T | Promise<T>,
    { deadline, kept }: Pick<Circumstances, "deadline"> & { readonly kept?: KeptFile },
  ): Promise<T> {
    if (lstat(path)?.isFile !== true) return await body(undefined);
    const held = this.#held;
    if (held !== undefined && isCurrent(held, path)) { // under this name or another
      if (kept !== undefined) kept.file = openForLock(path, { orRead: true });
      return await body(held);
    }
    const options = { ...lockOptions(deadline), kept };
    return await this.#locks.withFile(path, async ({ file }) => await body(file), options);
  }

  /**
   * Writes a file's new content beside it, to replace `replaced`, and creates missing folders. The caller syncs it.
   */
  async stage(work: Write, content: Uint8Array, replaced: Deno.FileInfo | undefined): Promise<Temp> {
    if (work.mode === MODE_LINK) {
      throw new PaddockError("UNSUPPORTED", `a symbolic link cannot be created here: ${quote(work.path)}`);
    }
    const folder = parentOf(this.#disk.at(work.path));
    const made = replaced === undefined ? this.#ensureFolder(folder) : [];
    try {
      const temp = await this.#contents.fill(childOf(folder, tempName()), work, { content, replaced });
      return { ...temp, made };
    } catch (error) {
      removeMade(made);
      throw error;
    }
  }

  /** Removes what was staged and will not be put in place. */
  unstage(temps: readonly Temp[]): void {
    for (const temp of temps) discard(temp);
    removeMade(temps.flatMap(({ made }) => made));
  }

  /** Restores what was saved into a file after it was replaced, unless something else is there by now. */
  async putBack({ path, written, bytes }: LateSave, deadline: number): Promise<void> {
    await this.#locked(path, async () => {
      const there = lstat(path);
      if (there === undefined || !isOne(there, written)) return;
      const at = childOf(parentOf(path), tempName());
      const permissions = (there.mode ?? 0o600) & 0o7777;
      const temp = await this.#contents.fill(at, { path: path.relative, permissions }, {
        content: bytes,
        replaced: there,
      });
      try {
        await syncFile(temp.file);
        if (isOne(lstat(path), written) && rename(at, path)) return temp.file.close();
      } catch (error) {
        discard(temp);
        throw error;
      }
      discard(temp);
    }, { deadline });
  }

  async #write(work: Write, circumstances: Circumstances): Promise<ConfinedPath[] | undefined> {
    const path = this.#disk.at(work.path);
    let { temp } = circumstances;
    if (temp === undefined) {
      temp = await this.stage(work, this.#contentOf(work.oid), this.#disk.stat(work.path));
    }
    let isPlaced = false;
    try {
      if (circumstances.temp === undefined) await syncFile(temp.file);
      isPlaced = await this.#place(path, temp, circumstances);
      if (!isPlaced) return undefined;
      temp.file.close();
      return [...temp.made, path].map(parentOf);
    } finally {
      if (!isPlaced) this.unstage([temp]);
    }
  }

  /** False if the file has changed since it was seen, and was left alone. */
  async #place(path: ConfinedPath, temp: Temp, circumstances: Circumstances): Promise<boolean> {
    const { seen, lateSaves, deadline } = circumstances;
    const kept: KeptFile = { file: undefined };
    try {
      const isPlaced = await this.#locked(path, (file) => {
        if (seen?.isSame(path, file) === false) return false;
        const isNew = file === undefined && lstat(path) === undefined;
        if (!(isNew ? placeNew(path, temp) : this.#replace(path, temp, file))) return false;
        if (!isNew && hasStrayed(path, temp.file, temp.info)) throw swapped(path);
        return true;
      }, { deadline, kept });
      const content = seen?.contentOf(path);
      if (isPlaced && kept.file !== undefined && content !== undefined) {
        const isOurs = lateSaves?.add({ path, file: kept.file, content, written: temp.info });
        if (isOurs === true) kept.file = undefined;
      }
      return isPlaced;
    } finally {
      kept.file?.close();
    }
  }

  /** False if somebody has put another file there at that very moment. */
  #replace(path: ConfinedPath, temp: Temp, file: Deno.FsFile | undefined): boolean {
    const [{ replacer }, bytes] = [this.#git, temp.replacedSize];
    const seen = file?.statSync();
    const isIt = (found: Identity) => seen !== undefined && isSameFile(found, seen);
    const replaceIt = () =>
      replace(temp.path, path, { isStill: () => true, ...(seen === undefined ? {} : { isIt }) });
    if (replacer === undefined || bytes === undefined) return replaceIt();
    return replacer.replace(replaceIt, { path: path.absolute, bytes, isOurs: false });
  }

  async #move(from: string, to: string, circumstances: Circumstances): Promise<ConfinedPath[]> {
    const [source, target] = [this.#disk.at(from), this.#disk.at(to)];
    const folders = this.#ensureFolder(parentOf(target)).map(parentOf);
    const outcome = await this.#locked(source, (file) => {
      if (isRespelling(source, target)) return renamed(source, target);
      if (lstat(target) !== undefined) return "taken";
      return file === undefined ? renamed(source, target) : moveFile(source, target);
    }, circumstances);
    if (outcome === "taken") {
      throw new PaddockError("CONFLICT", `${quote(to)} has appeared in the meantime; try again`);
    }
    if (outcome === "elsewhere") {
      throw new PaddockError(
        "UNSUPPORTED",
        `${quote(from)} and ${
          quote(to)
        } are on different file systems; a workspace can only move files within one`,
      );
    }
    return [...folders, parentOf(source), parentOf(target)];
  }

  /** Returns the folder it was in; undefined if it was not removed. */
  async #remove(path: ConfinedPath, circumstances: Circumstances): Promise<ConfinedPath | undefined> {
    const isGone = lstat(path)?.isDirectory
      ? (await this.#removeFolder(path, { ...circumstances, pace: new Pace(undefined) }), true)
      : await this.#removeFile(path, circumstances, { isAlone: true });
    return isGone ? parentOf(path) : undefined;
  }

  /**
   * False if it has changed since it was seen, or is gone. One of many is removed by name only, which is faster.
   */
  async #removeFile(
    path: ConfinedPath,
    { seen, deadline }: Circumstances,
    { isAlone = false } = {},
  ): Promise<boolean> {
    return await this.#locked(path, (file) => {
      if (lstat(path) === undefined) return false;
      const what = isAlone ? knownAt(path) : undefined;
      if (seen?.isSame(path, file) === false) return false;
      if (what === undefined) unlink(path);
      else removeKnown(path, what);
      return true;
    }, { deadline });
  }

  /** What has changed or appeared since stays, with its folders. True if everything is gone. */
  async #removeFolder(
    folder: ConfinedPath,
    context: Circumstances & { readonly pace: Pace },
  ): Promise<boolean> {
    const { seen, pace } = context;
    let isEmpty = true;
    for (const { name, isDirectory } of readFolderRaw(folder)) {
      const path = childOf(folder, name);
      await pace.step();
      if (isDirectory) isEmpty = await this.#removeFolder(path, context) && isEmpty;
      else if (seen !== undefined && seen.isSame(path) === undefined) isEmpty = false; // it appeared since
      else isEmpty = await this.#removeFile(path, context) && isEmpty;
    }
    return isEmpty && tryRemoveFolder(folder);
  }

  /**
   * Removes a folder in which a name was removed, and those above it, if they are empty. Returns the first that is
   * not.
   */
  #tidy(folder: ConfinedPath, left: Map<string, number>): ConfinedPath {
    if (folder.relative === "") return folder;
    const known = left.get(folder.relative);
    if (known !== undefined && known > 1) {
      left.set(folder.relative, known - 1);
      return folder;
    }
    const { entries, unnamed } = readFolderCounted(folder);
    left.set(folder.relative, entries.length + unnamed);
    if (entries.length + unnamed > 0 || !tryRemoveFolder(folder)) return folder;
    return this.#tidy(parentOf(folder), left);
  }

  /** Creates the folder and those above it; returns those that were created. */
  #ensureFolder(path: ConfinedPath): ConfinedPath[] {
    if (path.relative === "" || lstat(path)?.isDirectory === true) return [];
    const above = this.#ensureFolder(parentOf(path));
    return makeFolder(path) ? [...above, path] : above;
  }
}

function lockOptions(deadline: number): LockOptions {
  return { waitMs: Math.max(0, deadline - Date.now()), forRemoval: true };
}

/** False if somebody has created a file at the same moment: it is not replaced. */
function placeNew(path: ConfinedPath, temp: Temp): boolean {
  const outcome = linkNew(temp.path, path, temp.info);
  if (outcome === "unsupported") return rename(temp.path, path);
  if (outcome === "linked") discardTemp(temp.path, temp.file);
  return outcome === "linked";
}

/** Removes folders that were created and are empty. */
function removeMade(made: readonly ConfinedPath[]): void {
  for (const folder of made.toReversed()) {
    try {
      removeEmptyFolder(folder);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error; // somebody has put something there, or removed it
    }
  }
}

/** Links the file under its new name, which must be free: rename(2) would replace what has appeared there. */
function moveFile(source: ConfinedPath, target: ConfinedPath): "moved" | "taken" | "elsewhere" {
  const outcome = linkNew(source, target);
  if (outcome === "unsupported") return renamed(source, target);
  if (outcome !== "linked") return outcome;
  try {
    dropOldName(source, target);
  } catch (error) {
    unlink(target);
    throw error;
  }
  return "moved";
}

/** Removes the first of a file's two names, unless somebody has put another file there since. */
export function dropOldName(source: ConfinedPath, target: ConfinedPath): void {
  if (isOne(lstat(source), lstat(target))) unlink(source);
}

function renamed(source: ConfinedPath, target: ConfinedPath): "moved" | "elsewhere" {
  return rename(source, target) ? "moved" : "elsewhere";
}

/** False if something has appeared in it. */
function tryRemoveFolder(folder: ConfinedPath): boolean {
  try {
    removeEmptyFolder(folder);
    return true;
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code !== "CONFLICT") throw error;
    return false;
  }
}

/** Removes a folder and those in it, as far as they are empty. True if all of it is gone. */
export function removeIfEmpty(folder: ConfinedPath): boolean {
  if (lstat(folder)?.isDirectory !== true) return false;
  let isEmpty = true;
  for (const { name, isDirectory } of readFolderRaw(folder)) {
    isEmpty = isDirectory && removeIfEmpty(childOf(folder, name)) && isEmpty;
  }
  if (isEmpty) removeEmptyFolder(folder);
  return isEmpty;
}
