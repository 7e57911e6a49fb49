/**
 * Files that a rename takes the last name of. To give back their room takes the file system longer than the rename
 * itself, but it waits with that for as long as somebody has them open. So they are opened before, and closed when
 * nobody waits for an answer.
 */
import { closeSync, constants, openSync } from "node:fs";
import { osCode } from "../../confine/os_errors.ts";

/** So many are held, and so much room is not given back, in all workspaces together. */
const MOST_FILES = 128;
const MOST_BYTES = 64 * 1024 * 1024;

export class ReplacedFiles {
  #open: number[] = [];
  #bytes = 0;

  /** Before it is replaced. Nothing is read, so it does no harm if another has taken its place, or none is there. */
  hold(path: string, bytes: number): void {
    if (Deno.build.os === "windows") return; // an open file cannot be replaced there
    if (this.#open.length >= MOST_FILES || this.#bytes + bytes > MOST_BYTES) return;
    try {
      this.#open.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      this.#bytes += bytes;
    } catch (error) {
      if (osCode(error) === undefined) throw error;
    }
  }

  letGo(): void {
    const open = this.#open;
    this.#open = [];
    this.#bytes = 0;
    for (const file of open) closeSync(file);
  }
}
