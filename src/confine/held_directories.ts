/**
 * The directories that the kernel fence has rules for. A rule belongs to the directory that was there, not to
 * its name: one that is removed and created again, or mounted over, is another directory and stays closed to
 * this thread.
 */
import { bornFor } from "../base/identity.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { osCode } from "./os_errors.ts";

interface Identity {
  readonly dev: number;
  readonly ino: number | null;
  readonly born: number | undefined;
}

export class HeldDirectories {
  readonly #held: Map<string, Identity | undefined>;

  constructor(paths: readonly string[]) {
    this.#held = new Map(paths.map((path) => [path, look(path)]));
  }

  /**
   * Whether one of them has been replaced by another directory. One that is gone, or has a link in its place,
   * does not count until it is back. Once back it does, even if it is the same: a search worker started in
   * the meantime has no rule for it.
   *
   * An inode number that became free may be given to another directory. As long as a kernel rule pins the
   * directory, its number stays taken and suffices by itself; there the birth time must not count, because on
   * an overlay file system the first change makes a directory younger.
   */
  areReplaced({ pinned }: { pinned: boolean }): boolean {
    let areReplaced = false;
    for (const [path, held] of this.#held) {
      if (pinned && isUntouched(path, held)) continue;
      const now = look(path);
      if (now === undefined) this.#held.set(path, undefined);
      else if (!isSame(held, now, pinned)) areReplaced = true;
    }
    return areReplaced;
  }
}

function isSame(held: Identity | undefined, now: Identity, pinned: boolean): boolean {
  return held?.dev === now.dev && held.ino === now.ino && (pinned || held.born === now.born);
}

/** With the kept calls: this check comes before every call of a tool. */
function isUntouched(path: string, held: Identity | undefined): boolean {
  const now = held === undefined ? undefined : kernelCalls()?.stateOf(path);
  return now?.kind === "folder" && now.dev === held?.dev && now.ino === held.ino;
}

function look(path: string): Identity | undefined {
  try {
    const info = Deno.lstatSync(path);
    if (!info.isDirectory) return undefined;
    return { dev: info.dev, ino: info.ino, born: bornFor(info) };
  } catch (error) {
    if (osCode(error) !== undefined) return undefined;
    throw error;
  }
}
