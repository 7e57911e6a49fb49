/**
 * Files that are opened before it is known whether they are the ones that were resolved, and the states by which
 * they are known again. The proof takes ten times as long as the opening, and a search tells of few of the files
 * that it opens.
 */
import { about, isRegular, loadNodeFs, type NodeFs } from "./checks.ts";
import { osCode } from "./os_errors.ts";
import { isOpenAt, isProven, isSame, THOROUGH } from "./proof.ts";
import { type ConfinedPath } from "./resolve_path.ts";

/** What tells one state of a file from another: no change leaves all of it as it was. */
export interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/**
 * A file that was opened by a path and not proven to be the one that was resolved, or even a regular file: nothing
 * that was read may be told before `isProven` has said yes.
 */
export class UnprovenFile {
  readonly #fs: NodeFs;
  readonly #fd: number;
  readonly #since: number;
  readonly path: ConfinedPath;

  private constructor(path: ConfinedPath, { fs, fd, since }: { fs: NodeFs; fd: number; since: number }) {
    this.#fs = fs;
    this.#fd = fd;
    this.#since = since;
    this.path = path;
  }

  static async open(path: ConfinedPath): Promise<UnprovenFile> {
    const fs = await loadNodeFs();
    const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
    const since = Date.now();
    return about(path, () => {
      return new UnprovenFile(path, { fs, fd: fs.openSync(path.absolute, O_RDONLY | O_NONBLOCK), since });
    });
  }

  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. */
  readAt(buffer: Uint8Array, position: number): number {
    return about(this.path, () => this.#fs.readSync(this.#fd, buffer, 0, buffer.length, position));
  }

  /** Of the open file, wherever it lies. */
  get size(): number {
    return about(this.path, () => this.#fs.fstatSync(this.#fd).size);
  }

  /** Of the open file, wherever it lies. */
  get state(): FileState {
    const { dev, ino, size, mtimeMs, ctimeMs } = about(this.path, () => this.#fs.fstatSync(this.#fd));
    return { dev, ino, size, mtimeMs, ctimeMs };
  }

  /** Whether it is what lies at its path, inside the root. It is not when it has been replaced meanwhile. */
  isProven(): boolean {
    return about(this.path, () => {
      const stat = this.#fs.fstatSync(this.#fd);
      const options = { since: this.#since, rounds: THOROUGH };
      return isRegular(stat, this.path) &&
        (isOpenAt(this.path, this.#fd) || isProven(this.path, () => isSame(this.path, stat), options));
    });
  }

  [Symbol.dispose](): void {
    this.#fs.closeSync(this.#fd);
  }
}

export function isSameState(one: FileState, other: FileState | undefined): boolean {
  return other !== undefined && one.ino === other.ino && one.dev === other.dev && one.size === other.size &&
    one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs;
}

/** The state of what lies at a path now; undefined when no file, or no folder, does. */
export function stateOf(path: ConfinedPath, kind: "file" | "folder" = "file"): FileState | undefined {
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
