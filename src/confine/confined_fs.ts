/**
 * All file I/O of the program. Every function takes a ConfinedPath, and checks after the fact that what it
 * touched is what was resolved: a folder can be swapped for a link between the two (a race a local attacker
 * can win), and no byte, name or number read through such a link may be returned.
 *
 * Files are opened without blocking and must be regular: a FIFO or a device must not hang a call.
 */
import { PaddockError } from "../base/errors.ts";
import { fromOsError, isNotFound, osCode } from "./os_errors.ts";
import { contains, isTempName, outside, quote } from "./path_rules.ts";
import { CAREFUL, isProven, isSame, THOROUGH } from "./proof.ts";
import { childOf, type ConfinedPath, leadsElsewhere, nameOf, parentOf, stillReal } from "./resolve_path.ts";

type NodeFs = typeof import("node:fs");

/** Loading node's module takes longer than a small read, so it waits for the first one. */
let nodeFs: Promise<NodeFs> | undefined;
const loadNodeFs = (): Promise<NodeFs> => nodeFs ??= import("node:fs");

/** A regular file, open for reading, proven to be the one that was resolved. */
export class ConfinedFile {
  readonly #fs: NodeFs;
  readonly #fd: number;
  readonly path: ConfinedPath;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;

  private constructor(path: ConfinedPath, { fs, fd, stat }: OpenFile) {
    this.#fs = fs;
    this.#fd = fd;
    this.path = path;
    this.size = stat.size;
    this.mtimeMs = stat.mtimeMs;
    this.mode = stat.mode & 0o7777;
  }

  static async open(path: ConfinedPath): Promise<ConfinedFile> {
    const fs = await loadNodeFs();
    const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
    return about(path, () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const since = Date.now();
        const fd = fs.openSync(path.absolute, O_RDONLY | O_NONBLOCK);
        let keep = false;
        try {
          const stat = fs.fstatSync(fd);
          keep = isProven(path, () => isSame(path, stat), { since, rounds: THOROUGH }) &&
            isRegular(stat, path);
          if (keep) return new ConfinedFile(path, { fs, fd, stat });
        } finally {
          if (!keep) fs.closeSync(fd);
        }
        if (leadsElsewhere(path)) throw moved(path);
      }
      throw restless(path); // replaced again and again, by somebody who writes faster than we look
    });
  }

  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. */
  readAt(buffer: Uint8Array, position: number): number {
    return about(this.path, () => this.#fs.readSync(this.#fd, buffer, 0, buffer.length, position));
  }

  [Symbol.dispose](): void {
    this.#fs.closeSync(this.#fd);
  }
}

interface OpenFile {
  fs: NodeFs;
  fd: number;
  stat: import("node:fs").Stats;
}

/** How often something that is replaced while it is looked at is looked at again. */
const ATTEMPTS = 50;

/**
 * What lies at the path itself; a link is not followed. Undefined when nothing is there. Listings ask this of
 * every entry, so the folder is verified once only: whoever wins a race may learn the type, size, times, owner
 * and mode of an entry of the same name outside.
 */
export function lstat(path: ConfinedPath): Deno.FileInfo | undefined {
  return about(path, () => {
    let info: Deno.FileInfo;
    try {
      info = Deno.lstatSync(path.absolute);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (path.absolute !== path.root.path && leadsElsewhere(parentOf(path))) throw moved(path);
      return undefined;
    }
    verifyParent(path);
    return info;
  });
}

/** The text of a link; it may name a host path, so it is for decisions, not for clients. */
export function readLink(path: ConfinedPath): string {
  return about(path, () => {
    const text = Deno.readLinkSync(path.absolute);
    verifyParent(path);
    return text;
  });
}

export interface FolderEntries {
  entries: Deno.DirEntry[];
  /** How many were left out because their names are not valid UTF-8: nothing can be done with them by name. */
  unnamed: number;
}

/** The entries of a folder, unsorted, without our own temporary files. */
export function readFolder(path: ConfinedPath): Deno.DirEntry[] {
  return readFolderCounted(path).entries;
}

export function readFolderCounted(path: ConfinedPath): FolderEntries {
  return about(path, () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const since = Date.now();
      const rounds = THOROUGH;
      const options = Deno.lstatSync(path.absolute).isDirectory ? { since, rounds } : { rounds };
      const entries = Array.from(Deno.readDirSync(path.absolute)).filter(({ name }) => !isTempName(name));
      const names = entries.map(({ name }) => name).filter((name) => !name.includes("\ufffd"));
      if (isProven(path, () => holdsTwo(path, names), options)) return onlyNamed(path, entries);
      if (leadsElsewhere(path)) throw moved(path);
    }
    throw restless(path);
  }, "directory");
}

/**
 * Whether two of the names, taken by chance, are in the folder now. A name that is not valid UTF-8 comes with
 * U+FFFD in it and cannot be asked for.
 */
function holdsTwo(folder: ConfinedPath, names: readonly string[]): boolean {
  const first = Math.floor(Math.random() * names.length);
  try {
    for (const name of [names[first], names[(first + 1) % names.length]]) {
      if (name !== undefined) Deno.lstatSync(childOf(folder, name).absolute);
    }
    return true;
  } catch (error) {
    if (osCode(error) !== undefined) return false;
    throw error;
  }
}

/**
 * The entries of a folder, our own temporary files included: for sweeping and removing, which verify each one
 * again, and not for clients.
 */
export function readFolderRaw(path: ConfinedPath): Deno.DirEntry[] {
  return about(path, () => {
    const entries = Array.from(Deno.readDirSync(path.absolute));
    if (!stillReal(path)) throw moved(path);
    return onlyNamed(path, entries).entries;
  }, "directory");
}

/**
 * Leaves out what cannot be found by its name. U+FFFD stands for what is not UTF-8, but may also be meant; then
 * it is told here what goes by that name, and not by another one that only looks like it.
 */
function onlyNamed(folder: ConfinedPath, found: Deno.DirEntry[]): FolderEntries {
  const isDoubtful = ({ name }: Deno.DirEntry) => name.includes("\ufffd");
  if (!found.some(isDoubtful)) return { entries: found, unnamed: 0 };
  const doubtful = new Set(found.filter(isDoubtful).map(({ name }) => name));
  const entries = found.filter(({ name }) => !doubtful.has(name));
  for (const name of doubtful) {
    try {
      const { isFile, isDirectory, isSymlink } = Deno.lstatSync(childOf(folder, name).absolute);
      entries.push({ name, isFile, isDirectory, isSymlink });
    } catch (error) {
      if (osCode(error) === undefined) throw error;
    }
  }
  return { entries, unnamed: found.length - entries.length };
}

/**
 * Opens an existing file for locking. Read and write does not block on a FIFO, and respects a read-only mode;
 * `orRead` for a file that is not going to be written to, which may then be read-only.
 */
export function openForLock(path: ConfinedPath, { orRead = false } = {}): Deno.FsFile {
  return about(path, () => {
    const info = Deno.lstatSync(path.absolute);
    if (info.isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
    }
    if (!info.isFile) throw notRegular(path);
    verifyParent(path);
    try {
      return Deno.openSync(path.absolute, { read: true, write: true });
    } catch (error) {
      const code = osCode(error) ?? "";
      if (code !== "ETXTBSY" && !(orRead && NOT_WRITABLE.has(code))) throw error;
      return Deno.openSync(path.absolute, { read: true }); // a running program may be replaced, not written
    }
  });
}

const NOT_WRITABLE = new Set(["EACCES", "EPERM", "EROFS"]);

/** Opens a folder for locking or syncing. Undefined on systems that cannot. */
export function openFolder(path: ConfinedPath): Deno.FsFile | undefined {
  if (Deno.build.os === "windows") return undefined;
  return about(path, () => {
    if (!Deno.lstatSync(path.absolute).isDirectory) {
      throw notFolder(path); // opening a FIFO would wait for a writer
    }
    const folder = Deno.openSync(path.absolute, { read: true });
    if (!stillReal(path)) {
      folder.close();
      throw moved(path);
    }
    return folder;
  }, "directory");
}

/**
 * Whether the open file is the one the path names now. False when another is there or none; a link on the way
 * is an error. `careful` for a file whose content or removal depends on the answer.
 */
export function isCurrent(file: Deno.FsFile, path: ConfinedPath, { careful = false } = {}): boolean {
  return about(path, () => {
    let open: Deno.FileInfo;
    try {
      open = file.statSync();
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw moved(path); // the outer fence: opened through a link
      throw error;
    }
    if (open.nlink === 0) return false;
    if (isProven(path, () => isSame(path, open), { rounds: careful ? CAREFUL : 0 })) return true;
    if (leadsElsewhere(path)) throw moved(path);
    return false;
  });
}

/** Creates a new, empty, private file that must not exist. */
export function createFile(path: ConfinedPath): Deno.FsFile {
  return about(path, () => {
    verifyParent(path);
    return Deno.openSync(path.absolute, { read: true, write: true, createNew: true, mode: 0o600 });
  });
}

export interface Ownership {
  mode: number;
  uid: number | null;
  gid: number | null;
}

/**
 * Gives an open file its final owner and mode; false when the path no longer names it. By handle, never by
 * path: chmod and chown follow a link that takes the file's name, to wherever it leads. The owner is kept as
 * far as the system lets us; a set-id bit goes where it is not, or a program would run as somebody else.
 */
export async function setOwnership(
  path: ConfinedPath,
  { file, mode, uid, gid }: Ownership & { file: Deno.FsFile },
): Promise<boolean> {
  if (Deno.build.os === "windows") return true;
  const fs = await loadNodeFs();
  return about(path, () => {
    if (!isCurrent(file, path)) return false;
    const fd = fs.openSync(path.absolute, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const now = fs.fstatSync(fd);
      const open = file.statSync();
      if (now.ino !== open.ino || now.dev !== open.dev) return false;
      const grouped = chownIfAllowed(fs, fd, { uid: now.uid, gid: gid ?? now.gid });
      const owned = chownIfAllowed(fs, fd, { uid: uid ?? now.uid, gid: fs.fstatSync(fd).gid });
      const kept = mode & ~(owned ? 0 : 0o4000) & ~(grouped ? 0 : 0o2000);
      fs.fchmodSync(fd, kept);
      return true;
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** Only root may give files away, and others only to a group of their own. */
function chownIfAllowed(fs: NodeFs, fd: number, { uid, gid }: { uid: number; gid: number }): boolean {
  const now = fs.fstatSync(fd);
  if (now.uid === uid && now.gid === gid) return true;
  try {
    fs.fchownSync(fd, uid, gid);
    return true;
  } catch (error) {
    if (osCode(error) !== "EPERM") throw error;
    return false;
  }
}

/** Renames within one file system, replacing a file that is there. False when the two lie on different ones. */
export function rename(from: ConfinedPath, to: ConfinedPath): boolean {
  return about(to, () => {
    verifyParent(from);
    verifyParent(to);
    try {
      Deno.renameSync(from.absolute, to.absolute);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === "EXDEV") return false;
      throw error;
    }
  });
}

/** Gives a file a second name that must be new. */
export function linkNew(from: ConfinedPath, to: ConfinedPath): "linked" | "taken" | "unsupported" {
  return about(to, () => {
    verifyParent(from);
    verifyParent(to);
    try {
      Deno.linkSync(from.absolute, to.absolute);
      return "linked";
    } catch (error) {
      const code = osCode(error);
      if (code === "EEXIST") return "taken";
      if (code !== undefined && NO_HARD_LINKS.has(code)) return "unsupported";
      throw error;
    }
  });
}

/** How file systems without hard links say so. */
const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Removes a file or a link, never what a link points to. */
export function unlink(path: ConfinedPath): void {
  about(path, () => {
    verifyParent(path);
    if (Deno.lstatSync(path.absolute).isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
    }
    Deno.removeSync(path.absolute);
  });
}

/**
 * Removes an open temporary file of ours, wherever its folder leads at the moment: the name is random, so there
 * is no other file it could hit. True when it is gone. If the folder was swapped for a link just when the file
 * was created, the file lies outside, and can be removed only while the link is in place.
 */
export function discardTemp(path: ConfinedPath, file: Deno.FsFile): boolean {
  if (!isTempName(nameOf(path))) throw new TypeError("not a temporary file");
  try {
    Deno.removeSync(path.absolute);
    return true;
  } catch (error) {
    if (osCode(error) === undefined) throw error;
  }
  try {
    return file.statSync().nlink === 0;
  } catch (error) {
    if (osCode(error) === undefined) throw error; // the outer fence: it lies outside
    return false;
  }
}

const NO_ENTRIES: FolderEntries = { entries: [], unnamed: 0 };

/** Removes an empty folder. */
export function removeEmptyFolder(path: ConfinedPath): void {
  about(path, () => {
    verifyParent(path);
    if (!Deno.lstatSync(path.absolute).isDirectory) {
      throw notFolder(path);
    }
    try {
      Deno.removeSync(path.absolute);
    } catch (error) {
      const { entries, unnamed } = osCode(error) === "ENOTEMPTY" ? readFolderCounted(path) : NO_ENTRIES;
      if (unnamed === 0 || entries.length > 0) throw error;
      throw new PaddockError(
        "UNSUPPORTED",
        `${quote(path.given)} cannot be removed: ${unnamed} of the names in it are not valid UTF-8`,
        { cause: error },
      );
    }
  }, "directory");
}

/** Creates one folder. True when it is new, false when it was there. */
export function makeFolder(path: ConfinedPath): boolean {
  return about(path, () => {
    verifyParent(path);
    try {
      Deno.mkdirSync(path.absolute);
      return true;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      if (Deno.lstatSync(path.absolute).isDirectory) return false;
      throw new PaddockError("ALREADY_EXISTS", `path exists and is a file: ${quote(path.given)}`);
    }
  });
}

/** Makes sure that a file's name is on the disk. Best effort where folders cannot be synced. */
export async function syncFolder(path: ConfinedPath): Promise<void> {
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    await folder.sync();
  } finally {
    folder.close();
  }
}

export type LinkTarget = { place: "inside"; info: Deno.FileInfo } | { place: "outside" | "nowhere" };

/** Where a link at the path leads. Nothing is told of a target outside. */
export function linkTarget(path: ConfinedPath): LinkTarget {
  return about(path, () => {
    verifyParent(path);
    try {
      const absolute = Deno.realPathSync(path.absolute);
      if (!contains(path.root.path, absolute)) return { place: "outside" };
      return { place: "inside", info: Deno.lstatSync(absolute) };
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) return { place: "outside" };
      if (error instanceof Deno.errors.InvalidData) return { place: "outside" }; // not UTF-8: wherever it is
      if (isNotFound(error) || error instanceof Deno.errors.FilesystemLoop) return { place: "nowhere" };
      throw error;
    }
  });
}

function verifyParent(path: ConfinedPath): void {
  if (path.absolute !== path.root.path && !stillReal(parentOf(path))) {
    const parent = parentOf(path);
    if (folderIsMissing(parent)) {
      throw new PaddockError("NOT_FOUND", `folder not found for ${quote(path.given)}`);
    }
    throw moved(path);
  }
}

function folderIsMissing(path: ConfinedPath): boolean {
  try {
    Deno.lstatSync(path.absolute);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}

function moved(path: ConfinedPath): PaddockError {
  const error = outside(path.given, "it changed while it was being opened; try again");
  return new PaddockError("OUT_OF_BOUNDS", error.message, {
    audit: { ...error.audit, root: path.root.name },
  });
}

/** A busy place, not an attack. */
function restless(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "CONFLICT",
    `${quote(path.given)} kept changing while it was being read; try again`,
  );
}

function notFolder(path: ConfinedPath): PaddockError {
  if (leadsElsewhere(path)) return moved(path);
  return new PaddockError("CONFLICT", `not a directory any more: ${quote(path.given)}`);
}

function isRegular(stat: import("node:fs").Stats, path: ConfinedPath): true {
  if (stat.isDirectory()) {
    throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
  }
  if (!stat.isFile()) throw notRegular(path);
  return true;
}

function notRegular(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `not a regular file (a device, pipe or socket): ${quote(path.given)}`,
  );
}

function about<T>(path: ConfinedPath, action: () => T, noun = "file"): T {
  try {
    return action();
  } catch (error) {
    throw fromOsError(error, { given: path.given, noun });
  }
}
