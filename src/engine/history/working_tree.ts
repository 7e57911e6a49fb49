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
  readFolderCounted,
  readFolderRaw,
  removeEmptyFolder,
  rename,
  setOwnership,
  unlink,
} from "../../confine/confined_fs.ts";
import { fromOsError } from "../../confine/os_errors.ts";
import { quote, tempName } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../../confine/resolve_path.ts";
import { Pace } from "../yield.ts";
import { type Disk } from "./disk.ts";
import { type GitFolder } from "./git_folder.ts";
import { MODE_LINK } from "./objects.ts";
import { type Seen } from "./seen.ts";
import { type Work, type Write } from "./work.ts";

/** New content, ready to be renamed. */
export interface Temp {
  readonly path: ConfinedPath;
  readonly file: Deno.FsFile;
  readonly info: Deno.FileInfo;
  /** How large the file in its place was, if there was one, and so a folder. */
  readonly replacedSize: number | undefined;
}

/** What is known to the one who has the work done. */
export interface Circumstances {
  readonly temp?: Temp | undefined;
  /** How the files stood when they were kept; without it they are replaced and removed as they are. */
  readonly seen?: Seen | undefined;
  /** How many names are left in folders that are being emptied, so that not each step lists them again. */
  readonly left?: Map<string, number> | undefined;
}

interface Filling {
  readonly content: Uint8Array;
  /** Whose owner it gets. */
  readonly replaced: Deno.FileInfo | undefined;
}

export class WorkingTree {
  readonly #git: GitFolder;
  readonly #disk: Disk;
  readonly #contentOf: (oid: string) => Uint8Array;
  /** Whose the files are that this process makes, once it has made one. */
  #own: Pick<Deno.FileInfo, "uid" | "gid"> | undefined;

  constructor(git: GitFolder, disk: Disk, contentOf: (oid: string) => Uint8Array) {
    this.#git = git;
    this.#disk = disk;
    this.#contentOf = contentOf;
  }

  /**
   * Does one piece of work. Gives the folders whose names changed; undefined when the file is not any more as it was
   * seen, and was left alone.
   */
  async perform(work: Work, { temp, seen, left }: Circumstances = {}): Promise<ConfinedPath[] | undefined> {
    if (work.kind === "write") return await this.#write(work, temp, seen);
    if (work.kind === "move") return this.#move(work.from, work.to);
    if (work.kind === "folder") return this.#ensureFolder(this.#disk.at(work.path));
    const path = this.#disk.at(work.path);
    const folder = await this.#remove(path, seen);
    if (folder === undefined) return undefined;
    return [work.tidy === true ? this.#tidy(folder, left ?? new Map()) : folder];
  }

  /** Writes a file's new content where it is not seen yet, in place of `replaced`. The caller syncs it. */
  async stage(work: Write, content: Uint8Array, replaced: Deno.FileInfo | undefined): Promise<Temp> {
    return await this.#fill(this.#git.at(`mcp/${tempName()}`), work, { content, replaced });
  }

  discard({ path, file }: Pick<Temp, "path" | "file">): void {
    discardTemp(path, file);
    file.close();
  }

  /**
   * Nobody may read it who may not read the file in the end: it is private until it has its owner, unless that is
   * whoever makes it.
   */
  async #fill(
    path: ConfinedPath,
    { permissions, path: given }: Write,
    { content, replaced }: Filling,
  ): Promise<Temp> {
    const { uid, gid } = replaced?.isFile ? replaced : this.#own ?? { uid: null, gid: null };
    const isOwn = this.#own !== undefined && uid === this.#own.uid && gid === this.#own.gid;
    const file = createFile(path, isOwn ? { mode: permissions & 0o777 } : {});
    try {
      for (let at = 0; at < content.length;) at += file.writeSync(content.subarray(at));
      const info = file.statSync();
      this.#own ??= { uid: info.uid, gid: info.gid };
      const isRight = info.mode !== null && (info.mode & 0o7777) === permissions && info.uid === uid &&
        info.gid === gid;
      const replacedSize = replaced?.size;
      if (isRight) return { path, file, info, replacedSize };
      if (!await setOwnership(path, { file, mode: permissions, uid, gid })) throw swapped(path);
      return { path, file, info: file.statSync(), replacedSize };
    } catch (error) {
      this.discard({ path, file });
      throw fromOsError(error, { given });
    }
  }

  async #write(work: Write, given: Temp | undefined, seen?: Seen): Promise<ConfinedPath[] | undefined> {
    if (work.mode === MODE_LINK) {
      throw new PaddockError("UNSUPPORTED", `a symbolic link cannot be created here: ${quote(work.path)}`);
    }
    const path = this.#disk.at(work.path);
    const folder = parentOf(path);
    let temp = given;
    try {
      const hasFolder = temp?.replacedSize !== undefined;
      const changed = [...(hasFolder ? [] : this.#ensureFolder(folder)), folder];
      // Where the folder is on another file system than .git, the content is written right beside.
      for (const place of [this.#git.itself(), folder]) {
        if (temp === undefined) {
          const replaced = this.#disk.stat(work.path);
          const name = tempName();
          const at = place === folder ? childOf(folder, name) : this.#git.at(`mcp/${name}`);
          temp = await this.#fill(at, work, { content: this.#contentOf(work.oid), replaced });
          await temp.file.sync();
        }
        const isLeft = seen?.isSame(path) === false;
        if (!isLeft && this.#replace(path, temp)) {
          temp.file.close();
          return changed;
        }
        this.discard(temp);
        temp = undefined;
        if (isLeft) return undefined;
      }
      throw swapped(path);
    } catch (error) {
      if (temp !== undefined) this.discard(temp);
      throw error;
    }
  }

  /** False when the two lie on different file systems. */
  #replace(path: ConfinedPath, temp: Temp): boolean {
    const [{ replacer }, bytes] = [this.#git, temp.replacedSize];
    if (replacer === undefined || bytes === undefined) return rename(temp.path, path);
    return replacer.replace(() => rename(temp.path, path), { path: path.absolute, bytes, isOurs: false });
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

  /** Gives the folder it was in; undefined when it was not removed. */
  async #remove(path: ConfinedPath, seen: Seen | undefined): Promise<ConfinedPath | undefined> {
    const info = lstat(path);
    if (info?.isDirectory) await removeFolder(path, { seen, pace: new Pace(undefined) });
    else if (info === undefined || seen?.isSame(path) === false) return undefined;
    else unlink(path);
    return parentOf(path);
  }

  /** Removes a folder in which a name has gone, and those above it, if they are empty. Gives the first that is not. */
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

  /** The folder and those above it; gives those in which one was made. */
  #ensureFolder(path: ConfinedPath): ConfinedPath[] {
    if (path.relative === "" || lstat(path)?.isDirectory === true) return [];
    const above = this.#ensureFolder(parentOf(path));
    return makeFolder(path) ? [...above, parentOf(path)] : above;
  }
}

/** What has changed since it was seen, or come after that, stays with the folders it is in. True when all is gone. */
async function removeFolder(
  folder: ConfinedPath,
  context: { readonly seen: Seen | undefined; readonly pace: Pace },
): Promise<boolean> {
  const { seen, pace } = context;
  let isEmpty = true;
  for (const { name, isDirectory } of readFolderRaw(folder)) {
    const path = childOf(folder, name);
    await pace.step();
    if (isDirectory) isEmpty = await removeFolder(path, context) && isEmpty;
    else if (seen === undefined || seen.isSame(path) === true) unlink(path);
    else isEmpty = false;
  }
  return isEmpty && tryRemoveFolder(folder);
}

/** False when something has come into it meanwhile. */
function tryRemoveFolder(folder: ConfinedPath): boolean {
  try {
    removeEmptyFolder(folder);
    return true;
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code !== "CONFLICT") throw error;
    return false;
  }
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
