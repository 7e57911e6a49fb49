/**
 * Files that lose their last name to a rename. Freeing their blocks takes the file system longer than the
 * rename itself, but it waits while the file is open. So they are opened before the rename, and closed when
 * nobody is waiting for an answer.
 */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { osCode } from "../../../confine/os_errors.ts";
import { Pace } from "../../yield.ts";

/**
 * Limits for all workspaces together: how many files are held, how large one may be, and how many bytes in all.
 */
const MOST_FILES = 128;
const LARGEST = 4 * 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** How long others may have to wait while files are closed. */
const TURN_MS = 2;

export class ReplacedFiles {
  readonly #open: { readonly file: number; readonly bytes: number }[] = [];
  #bytes = 0;

  /**
   * Call it before the file is replaced. Returns the open file, from which nothing is read; undefined if it is
   * not held.
   */
  hold(path: string, bytes: number): number | undefined {
    const isEnough = this.#open.length >= MOST_FILES || this.#bytes + bytes > MOST_BYTES;
    if (isEnough || bytes > LARGEST) return undefined;
    try {
      const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      this.#open.push({ file, bytes });
      this.#bytes += bytes;
      return file;
    } catch (error) {
      if (osCode(error) === undefined) throw error;
      return undefined; // missing or unreadable: its blocks are freed at once
    }
  }

  /** Closes all of them at once. False if there were none. */
  letGo(): boolean {
    const isSome = this.#closeOne();
    while (this.#closeOne());
    return isSome;
  }

  /** Closes all of them, letting others run in between. */
  async letGoByTurns(): Promise<void> {
    const pace = new Pace(undefined, TURN_MS);
    while (this.#closeOne()) await pace.step();
  }

  #closeOne(): boolean {
    const next = this.#open.pop();
    if (next === undefined) return false;
    this.#bytes -= next.bytes;
    closeSync(next.file);
    return true;
  }
}

/**
 * Replaces files in one workspace. Some file systems keep a name while the file is open: they refuse to replace
 * it, or rename it to something people would find beside their files. So this is tried in `.git` first.
 */
export class Replacer {
  readonly #replaced: ReplacedFiles;
  #holds: boolean | undefined = Deno.build.os === "windows" ? false : undefined;

  constructor(replaced: ReplacedFiles) {
    this.#replaced = replaced;
  }

  /** `rename` replaces the file at `path`, which has `bytes` bytes; `isOurs` if it is in `.git`. */
  replace<T>(
    rename: () => T,
    { path, bytes, isOurs }: { path: string; bytes: number; isOurs: boolean },
  ): T {
    const file = this.#holds ?? isOurs ? this.#replaced.hold(path, bytes) : undefined;
    if (file === undefined || this.#holds === true) return rename();
    let result: T;
    try {
      result = rename();
    } catch (error) {
      if (osCode(error) === undefined) throw error;
      this.#holds = false;
      this.#replaced.letGo();
      return rename();
    }
    this.#holds = fstatSync(file).nlink === 0;
    if (!this.#holds) this.#replaced.letGo();
    return result;
  }

  letGo(): boolean {
    return this.#replaced.letGo();
  }

  async letGoByTurns(): Promise<void> {
    await this.#replaced.letGoByTurns();
  }
}
