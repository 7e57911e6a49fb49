/**
 * Files that a rename takes the last name of. To give back their room takes the file system longer than the rename
 * itself, but it waits with that for as long as somebody has them open. So they are opened before, and closed when
 * nobody waits for an answer.
 */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { osCode } from "../../../confine/os_errors.ts";
import { Pace } from "../../yield.ts";

/** So many are held, none larger than that, and so much room is not given back, in all workspaces together. */
const MOST_FILES = 128;
const LARGEST = 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** How long others wait while files are closed. */
const TURN_MS = 2;

export class ReplacedFiles {
  readonly #open: { readonly file: number; readonly bytes: number }[] = [];
  #bytes = 0;

  /** Before it is replaced. Gives the open file; undefined when it is not held. Nothing is read from it. */
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
      return undefined; // there is none, or none that may be read: it goes at once
    }
  }

  /** All of them, at once. False when there were none. */
  letGo(): boolean {
    const isSome = this.#closeOne();
    while (this.#closeOne());
    return isSome;
  }

  /** All of them, with others in between. */
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
 * Replaces files in one workspace. Some file systems do not let go of a name as long as the file is open: they refuse
 * to replace it, or give it another name, which people would find beside theirs. So it is tried in `.git` first.
 */
export class Replacer {
  readonly #replaced: ReplacedFiles;
  #holds: boolean | undefined = Deno.build.os === "windows" ? false : undefined;

  constructor(replaced: ReplacedFiles) {
    this.#replaced = replaced;
  }

  /** `rename` replaces the file at `path`, of so many bytes. `isOurs` when it is one in `.git`. */
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
