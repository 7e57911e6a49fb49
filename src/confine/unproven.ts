/**
 * Files opened before they are proven to be the ones that were resolved, and the states by which they are
 * recognised. The proof takes ten times as long as the opening, and a search reports few of the files it
 * opens.
 */
import type { KernelFile, KernelFolder, KernelState } from "../base/kernel.ts";
import { PaddockError } from "../base/errors.ts";
import { about, isRegular, kindOf, loadedNodeFs, loadNodeFs, type NodeFs } from "./checks.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { osCode } from "./os_errors.ts";
import { quote } from "./path_rules.ts";
import { isOpenAt, isProven, isSame, THOROUGH } from "./proof.ts";
import { type FolderEntries, readFolderUnproven, readOpenFolder } from "./reading.ts";
import { childOf, type ConfinedPath } from "./resolve_path.ts";

/** What distinguishes one state of a file from another: every change alters some of it. */
export type FileState = Omit<KernelState, "kind" | "birthtime">;

/**
 * A file that was opened by path and not proven to be the one that was resolved, or even a regular file:
 * nothing read from it may be revealed before `isProven` has returned true.
 */
export class UnprovenFile implements Disposable {
  readonly #file: KernelFile;
  readonly #since: number;
  readonly #place: Place;
  #path: ConfinedPath | undefined;

  constructor(place: Place, file: KernelFile, since: number) {
    this.#place = place;
    this.#file = file;
    this.#since = since;
  }

  static async open(path: ConfinedPath): Promise<UnprovenFile> {
    return openByNode(path, await loadNodeFs());
  }

  get path(): ConfinedPath {
    return this.#path ??= "name" in this.#place
      ? childOf(this.#place.folder, this.#place.name)
      : this.#place.path;
  }

  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. */
  readAt(buffer: Uint8Array<ArrayBuffer>, position: number): number {
    const read = this.#file.readAt(buffer, position);
    if (read === undefined) throw unreadable(this.path);
    return read;
  }

  /** Of the open file, wherever it lies. */
  get size(): number {
    return this.#state().size;
  }

  /** Of the open file, wherever it lies. */
  get state(): FileState {
    const { dev, ino, size, mtimeMs, ctimeMs } = this.#state();
    return { dev, ino, size, mtimeMs, ctimeMs };
  }

  #state(): KernelState {
    const state = this.#file.state();
    if (state === undefined) throw unreadable(this.path);
    return state;
  }

  /** Whether it is the file at its path, inside the root. False when it has been replaced in the meantime. */
  isProven(): boolean {
    const { path } = this;
    return about(path, () => {
      const state = this.#state();
      const options = { since: this.#since, rounds: THOROUGH };
      return isRegular(state.kind, path) &&
        (isOpenAt(path, this.#file.descriptor) || isProven(path, () => isSame(path, state), options));
    });
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}

/** Where a file was opened. Only few of the files in a folder need a path of their own. */
type Place = { readonly path: ConfinedPath } | { readonly folder: ConfinedPath; readonly name: string };

/**
 * A folder whose files are read one after another. It is not proven to be the one that was resolved either.
 * Where the thread has kept system calls the folder is open, and its files are opened from there.
 */
export class UnprovenFolder implements Disposable {
  readonly #open: KernelFolder | undefined;
  readonly path: ConfinedPath;

  constructor(path: ConfinedPath) {
    this.path = path;
    this.#open = kernelCalls()?.openFolder(path.absolute);
  }

  /** Undefined when `UnprovenFile.open` is needed to open the file, or to report why it cannot be opened. */
  openNow(name: string): UnprovenFile | undefined {
    if (this.#open === undefined) {
      const fs = loadedNodeFs();
      return fs && openByNode(childOf(this.path, name), fs);
    }
    const since = Date.now();
    const file = name.includes("/") ? undefined : this.#open.open(name);
    return file && new UnprovenFile({ folder: this.path, name }, file, since);
  }

  /**
   * Its entries, unsorted, without our own temporary files. Where the thread has kept kernel calls, the open folder
   * is read, and is known to be the one at its path.
   */
  list(): FolderEntries {
    return readOpenFolder(this.path, this.#open) ?? readFolderUnproven(this.path);
  }

  /** The state of a file; undefined when no file has that name now. */
  state(name: string): FileState | undefined {
    if (this.#open === undefined) return stateOf(childOf(this.path, name));
    const state = name.includes("/") ? undefined : this.#open.state(name);
    return state?.kind === "file" ? state : undefined;
  }

  [Symbol.dispose](): void {
    this.#open?.[Symbol.dispose]();
  }
}

function openByNode(path: ConfinedPath, fs: NodeFs): UnprovenFile {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const since = Date.now();
  const descriptor = about(path, () => fs.openSync(path.absolute, O_RDONLY | O_NONBLOCK));
  return new UnprovenFile({ path }, new NodeFile(path, { fs, descriptor }), since);
}

class NodeFile implements KernelFile {
  readonly #path: ConfinedPath;
  readonly #fs: NodeFs;
  readonly descriptor: number;

  constructor(path: ConfinedPath, { fs, descriptor }: { fs: NodeFs; descriptor: number }) {
    this.#path = path;
    this.#fs = fs;
    this.descriptor = descriptor;
  }

  readAt(buffer: Uint8Array<ArrayBuffer>, position: number): number {
    return about(this.#path, () => this.#fs.readSync(this.descriptor, buffer, 0, buffer.length, position));
  }

  state(): KernelState {
    const stat = about(this.#path, () => this.#fs.fstatSync(this.descriptor));
    const { dev, ino, size, mtimeMs, ctimeMs, birthtime } = stat;
    return { kind: kindOf(stat), dev, ino, size, mtimeMs, ctimeMs, birthtime };
  }

  [Symbol.dispose](): void {
    this.#fs.closeSync(this.descriptor);
  }
}

function unreadable(path: ConfinedPath): PaddockError {
  return new PaddockError("UNSUPPORTED", `${quote(path.given)} cannot be read`);
}

export function isSameState(one: FileState, other: FileState | undefined): boolean {
  return other !== undefined && one.ino === other.ino && one.dev === other.dev && one.size === other.size &&
    one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs;
}

/** The state of what is at a path now; undefined when it is not a file, or folder. */
export function stateOf(path: ConfinedPath, kind: "file" | "folder" = "file"): FileState | undefined {
  const state = kernelCalls()?.stateOf(path.absolute); // a third of the time that `lstat` takes
  if (state !== undefined) return state.kind === kind ? state : undefined;
  try {
    const { isFile, isDirectory, dev, ino, size, mtime, ctime } = Deno.lstatSync(path.absolute);
    if (!(kind === "file" ? isFile : isDirectory)) return undefined;
    if (ino === null || mtime === null || ctime === null) return undefined;
    return { dev, ino, size, mtimeMs: mtime.getTime(), ctimeMs: ctime.getTime() };
  } catch (error) {
    if (osCode(error) !== undefined) return undefined;
    throw error;
  }
}
