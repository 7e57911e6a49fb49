/**
 * Proof that what was found by a path was found inside the root, although the path was looked up again for
 * every system call. Between two calls a local attacker can swap a folder for a link and back again: open
 * (swapped), compare the inode (still swapped), ask for the real path (swapped back), and a file outside has
 * passed both checks. Tried: with one check of each kind, a process that swaps as fast as it can got an outside
 * file into 2 to 7 of 100 reads. Two things stop that:
 *
 * - A swap changes the time stamp of the folder it happens in, and no program can set that one (ctime) back.
 *   When every folder on the way has been left alone since well before the file was opened, one look is proof.
 * - Otherwise the two checks, of which a swapped path passes only the one and a real path only the other, are
 *   made many times in an order nobody can foresee: each round catches an attacker half the time.
 *
 * Where the thread has kept calls of the kernel's (see kernel_calls.ts), none of this is needed for what is open:
 * the kernel says by which path it is to be found, and no swap changes the answer.
 */
import { type Identity, isSameFile } from "../base/identity.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { osCode } from "./os_errors.ts";
import { type ConfinedPath, parentOf, stillReal } from "./resolve_path.ts";

/** For what a client gets to see: one chance in four thousand million, each time. */
export const THOROUGH = 32;
/** For steps that others follow: one in sixty-five thousand. */
export const CAREFUL = 16;

/** For what is written to and looked at again under its name: one in sixteen, of the few that get so far. */
export const BRIEF = 4;

export interface ProofOptions {
  /** By Date.now(), before anything was looked up. Without it the time stamps are not asked. */
  since?: number;
  /** How many unforeseeable checks, at most 32; with 0 each kind is made once. */
  rounds: number;
}

/**
 * Whether the path has led, without a link, to where something was found. `seen` tells whether it is to be
 * found by the path right now; false means that it is not, or that a link was on the way.
 */
export function isProven(
  path: ConfinedPath,
  seen: () => boolean,
  { since, rounds }: ProofOptions,
): boolean {
  if (!seen()) return false;
  if (since !== undefined && leftAlone(path, since)) return true;
  let coins = rounds === 0 ? 0 : crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  for (let round = 0; round < rounds; round++) {
    if (!(coins & 1 ? seen() : stillReal(path))) return false;
    coins >>>= 1;
  }
  return stillReal(path);
}

/**
 * Whether what is open lies just where the path says, by the kernel's own books. Where it does not, or they cannot
 * be read, it takes `isProven`: a file system that knows no capitals has names spelled otherwise in them.
 */
export function isOpenAt(path: ConfinedPath, descriptor: number | undefined): boolean {
  return descriptor !== undefined && kernelCalls()?.pathOf(descriptor) === path.absolute;
}

/** Whether the path itself, not followed, is this file or folder now. */
export function isSame(path: ConfinedPath, found: Identity): boolean {
  try {
    return isSameFile(Deno.lstatSync(path.absolute), found);
  } catch (error) {
    if (osCode(error) !== undefined) return false;
    throw error;
  }
}

/** Time stamps come in whole seconds, from a clock that may be a few milliseconds behind. */
const QUIET_MS = 2_000;

/**
 * Whether nothing has been renamed in any folder on the way since then. From the innermost folder to the root:
 * each says that what was asked before it was asked of the right folder. Not for Windows, where any program that may
 * write to a folder can set its change time, too (SetFileInformationByHandle).
 */
export function leftAlone(path: ConfinedPath, since: number): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    let at = path;
    do {
      if (at.absolute !== at.root.path) at = parentOf(at); // the root stands for itself: a swap is a change of it, too
      const { isDirectory, ctime } = Deno.lstatSync(at.absolute);
      if (!isDirectory || ctime === null || ctime.getTime() > since - QUIET_MS) return false;
    } while (at.absolute !== at.root.path);
    return true;
  } catch (error) {
    if (osCode(error) !== undefined) return false;
    throw error;
  }
}
