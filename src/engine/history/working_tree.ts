/**
 * Changes of the working tree, each through the inner fence: the folder is verified right before the step. New
 * content is written in `.git/mcp` and renamed into place, so that nobody ever sees half of it.
 */
import { PaddockError } from "../../base/errors.ts";
import {
  createFile,
  discardTemp,
  lstat,
  makeFolder,
  readFolderRaw,
  removeEmptyFolder,
  rename,
  setOwnership,
  unlink,
} from "../../confine/confined_fs.ts";
import { quote, tempName } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../../confine/resolve_path.ts";
import { type Disk } from "./disk.ts";
import { type GitFolder } from "./git_folder.ts";
import { MODE_LINK } from "./objects.ts";
import { type Work, type Write } from "./work.ts";

/** New content, ready to be renamed. */
export interface Temp {
  readonly path: ConfinedPath;
  readonly file: Deno.FsFile;
  readonly info: Deno.FileInfo;
}

export class WorkingTree {
  readonly #git: GitFolder;
  readonly #disk: Disk;
  readonly #contentOf: (oid: string) => Uint8Array;

  constructor(git: GitFolder, disk: Disk, contentOf: (oid: string) => Uint8Array) {
    this.#git = git;
    this.#disk = disk;
    this.#contentOf = contentOf;
  }

  /** Does one piece of work. Gives the folders whose names changed. */
  async perform(work: Work, temp?: Temp): Promise<ConfinedPath[]> {
    if (work.kind === "write") return await this.#write(work, temp);
    if (work.kind === "move") return this.#move(work.from, work.to);
    if (work.kind === "folder") return this.#ensureFolder(this.#disk.at(work.path));
    return this.#remove(this.#disk.at(work.path), work.tidy ?? false);
  }

  /** Writes a file's new content where it is not seen yet. The caller syncs it. */
  async stage(work: Write, content: Uint8Array): Promise<Temp> {
    return await this.#fill(this.#git.at(`mcp/${tempName()}`), work, content);
  }

  discard({ path, file }: Temp): void {
    discardTemp(path, file);
    file.close();
  }

  async #fill(path: ConfinedPath, work: Write, content: Uint8Array): Promise<Temp> {
    const file = createFile(path);
    try {
      for (let at = 0; at < content.length;) at += file.writeSync(content.subarray(at));
      const before = this.#disk.stat(work.path);
      const { uid = null, gid = null } = before?.isFile ? before : {};
      if (!await setOwnership(path, { file, mode: work.permissions, uid, gid })) throw swapped(path);
      return { path, file, info: file.statSync() };
    } catch (error) {
      this.discard({ path, file, info: file.statSync() });
      throw error;
    }
  }

  async #write(work: Write, given: Temp | undefined): Promise<ConfinedPath[]> {
    if (work.mode === MODE_LINK) {
      throw new PaddockError("UNSUPPORTED", `a symbolic link cannot be created here: ${quote(work.path)}`);
    }
    const path = this.#disk.at(work.path);
    const folders = this.#ensureFolder(parentOf(path));
    const temp = given ?? await this.stage(work, this.#contentOf(work.oid));
    if (given === undefined) await temp.file.sync();
    if (rename(temp.path, path)) {
      temp.file.close();
      return [...folders, parentOf(path)];
    }
    // The folder is on another file system than .git.
    this.discard(temp);
    const near = await this.#fill(childOf(parentOf(path), tempName()), work, this.#contentOf(work.oid));
    try {
      await near.file.sync();
      if (!rename(near.path, path)) throw swapped(path);
      near.file.close();
    } catch (error) {
      this.discard(near);
      throw error;
    }
    return [...folders, parentOf(path)];
  }

  #move(from: string, to: string): ConfinedPath[] {
    const [source, target] = [this.#disk.at(from), this.#disk.at(to)];
    const folders = this.#ensureFolder(parentOf(target));
    if (lstat(target) !== undefined) {
      throw new PaddockError("CONFLICT", `${quote(to)} has appeared meanwhile; try again`);
    }
    if (!rename(source, target)) {
      throw new PaddockError(
        "UNSUPPORTED",
        `${quote(from)} and ${quote(to)} are on different file systems; a workspace moves within one only`,
      );
    }
    return [...folders, parentOf(source), parentOf(target)];
  }

  #remove(path: ConfinedPath, tidy: boolean): ConfinedPath[] {
    const info = lstat(path);
    if (info === undefined) return [];
    if (info.isDirectory) removeFolder(path);
    else unlink(path);
    let folder = parentOf(path);
    while (tidy && folder.relative !== "" && readFolderRaw(folder).length === 0) {
      removeEmptyFolder(folder);
      folder = parentOf(folder);
    }
    return [folder];
  }

  /** The folder and those above it; gives those in which one was made. */
  #ensureFolder(path: ConfinedPath): ConfinedPath[] {
    if (path.relative === "" || lstat(path)?.isDirectory === true) return [];
    const above = this.#ensureFolder(parentOf(path));
    return makeFolder(path) ? [...above, parentOf(path)] : above;
  }
}

function removeFolder(folder: ConfinedPath): void {
  for (const { name, isDirectory } of readFolderRaw(folder)) {
    if (isDirectory) removeFolder(childOf(folder, name));
    else unlink(childOf(folder, name));
  }
  removeEmptyFolder(folder);
}

/** Removes a folder and those in it as far as there is nothing in them. True when all of it is gone. */
export function removeIfEmpty(folder: ConfinedPath): boolean {
  if (lstat(folder)?.isDirectory !== true) return false;
  let isEmpty = true;
  for (const { name, isDirectory } of readFolderRaw(folder)) {
    isEmpty = isDirectory && removeIfEmpty(childOf(folder, name)) && isEmpty;
  }
  if (isEmpty) removeEmptyFolder(folder);
  return isEmpty;
}

function swapped(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "CONFLICT",
    `the folder of ${quote(path.given)} changed during the write; try again`,
  );
}
