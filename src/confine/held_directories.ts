/**
 * The directories that the kernel's fence has rules for. A rule belongs to the directory that was there, not to its
 * name: one that is removed and made again, or mounted over, is another, and stays closed to this thread.
 */
import { bornFor } from "../base/identity.ts";
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
   * Whether one of them is another directory by now. One that is gone, or has a link in its place, and is not back
   * yet, is not. When it comes back it is, even if it is the same: a search worker that was started meanwhile has no
   * rule for it.
   *
   * The number of one that is gone is given to another one day. Where they are pinned, by a rule of the kernel's, it
   * is not, and the number alone counts: on an overlay file system the first change makes a directory younger.
   */
  areReplaced({ pinned }: { pinned: boolean }): boolean {
    let areReplaced = false;
    for (const [path, held] of this.#held) {
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
