/**
 * The files this process has locked, each with the handle that holds the lock. On Windows, and on its shares,
 * locks are mandatory: the file can be read only through that handle. And where a file cannot be replaced
 * while open, as on FAT, the handle must be closed first.
 */
import type { ConfinedPath } from "./resolve_path.ts";

const held = new Map<string, LockedFile>();

/** A file that is open and locked, until `end` or `letGo`. */
export class LockedFile {
  readonly file: Deno.FsFile;
  readonly #path: string;
  #isOpen = true;

  constructor(path: ConfinedPath, file: Deno.FsFile) {
    this.file = file;
    this.#path = path.absolute;
    held.set(this.#path, this);
  }

  /** Closes it, for a change that cannot be made while it is open. */
  letGo(): void {
    if (this.#isOpen) this.file.close();
    this.#isOpen = false;
  }

  /** Call this when the lock is about to be released. Returns the file if it is still open. */
  end(): Deno.FsFile | undefined {
    if (held.get(this.#path) === this) held.delete(this.#path);
    return this.#isOpen ? this.file : undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }
}

/** The handle that holds this process's lock on the file at a path, if there is one. */
export function lockedHandle({ absolute }: ConfinedPath): Deno.FsFile | undefined {
  const locked = held.get(absolute);
  return locked?.isOpen ? locked.file : undefined;
}

/** Closes that handle; false when there is none. */
export function letGoOf({ absolute }: ConfinedPath): boolean {
  const locked = held.get(absolute);
  if (locked === undefined || !locked.isOpen) return false;
  locked.letGo();
  return true;
}
