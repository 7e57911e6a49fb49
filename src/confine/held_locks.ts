/**
 * The files whose locks this process holds, each with the handle that holds it. On Windows, and on shares of it, a lock
 * binds: only through that handle can the file be read. And where a file cannot be replaced while it is open, as on FAT,
 * the handle has to be closed first.
 */
import { type ConfinedPath } from "./resolve_path.ts";

const held = new Map<string, LockedFile>();

/** A file that is open and locked, until this is ended or somebody lets go of it. */
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

  /** The lock is about to be given back. Gives the file, if it is open still. */
  end(): Deno.FsFile | undefined {
    if (held.get(this.#path) === this) held.delete(this.#path);
    return this.#isOpen ? this.file : undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }
}

/** The handle by which this process holds the lock of the file at a path, if it does. */
export function lockedHandle({ absolute }: ConfinedPath): Deno.FsFile | undefined {
  const locked = held.get(absolute);
  return locked?.isOpen ? locked.file : undefined;
}

/** Closes that handle. False when there is none. */
export function letGoOf({ absolute }: ConfinedPath): boolean {
  const locked = held.get(absolute);
  if (locked === undefined || !locked.isOpen) return false;
  locked.letGo();
  return true;
}
