/**
 * The directories that the kernel's fence has rules for. A rule belongs to the directory that was there, not to its
 * name: one that is removed and made again, or mounted over, is another, and stays closed to this thread.
 */
import { osCode } from "./os_errors.ts";

interface Identity {
  readonly dev: number;
  readonly ino: number | null;
  /** Numbers are given anew when a directory is gone. */
  readonly born: number | undefined;
}

export class HeldDirectories {
  readonly #held: readonly (readonly [path: string, identity: Identity | undefined])[];

  constructor(paths: readonly string[]) {
    this.#held = paths.map((path) => [path, look(path)]);
  }

  /** Whether one of them is another directory by now. One that is gone, and not back yet, is not. */
  areReplaced(): boolean {
    return this.#held.some(([path, held]) => {
      const now = look(path);
      return now !== undefined && !(held?.dev === now.dev && held.ino === now.ino && held.born === now.born);
    });
  }
}

function look(path: string): Identity | undefined {
  try {
    const { dev, ino, birthtime } = Deno.lstatSync(path);
    return { dev, ino, born: birthtime?.getTime() };
  } catch (error) {
    if (osCode(error) !== undefined) return undefined;
    throw error;
  }
}
