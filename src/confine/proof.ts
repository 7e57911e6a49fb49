/**
 * Proof that what was found by a path was found inside the root, although every system call looks the path up
 * again. Between two calls a local attacker can swap a folder for a link and back: open (swapped), compare
 * the inode (still swapped), ask for the real path (swapped back), and a file outside has passed both checks.
 * We tried it: with one check of each kind, a process that swaps as fast as it can got an outside file into 2
 * to 7 of 100 reads. Two things stop that:
 *
 * - A swap changes the time stamp of the folder it happens in, and no program can set that one (ctime) back.
 *   When every folder along the path has been left alone since well before the file was opened, one check is
 *   proof.
 * - Otherwise the two checks, of which a swapped path passes only one and a real path only the other, are
 *   made many times in unpredictable order: each round catches an attacker half the time.
 *
 * Where the thread has kept system calls (see kernel_calls.ts), open files need none of this: the kernel
 * reports the path of an open file, and no swap changes the answer.
 */
import { type Identity, isSameFile } from "../base/identity.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { osCode } from "./os_errors.ts";
import { type ConfinedPath, parentOf, stillReal } from "./resolve_path.ts";

/** For what a client gets to see: an attacker's chance is 1 in 4 billion (2^32) each time. */
export const THOROUGH = 32;
/** For steps that are followed by others: 1 in 65,536. */
export const CAREFUL = 16;

/**
 * For what is written and then checked again under its name: 1 in 16, of the few attempts that get so far.
 */
export const BRIEF = 4;

export interface ProofOptions {
  /** From Date.now(), before anything was looked up. Without it time stamps are not used. */
  since?: number;
  /** How many unpredictable checks, at most 32; with 0 each kind is made once. */
  rounds: number;
}

/**
 * Whether the path has led, without a link, to where something was found. `seen` reports whether it is found
 * by the path right now; false means that it is not, or that a link was in the path.
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
 * Whether the kernel reports exactly this path for an open file. If it does not, or cannot, `isProven` is
 * needed: a case-insensitive file system may spell names differently there.
 */
export function isOpenAt(path: ConfinedPath, descriptor: number | undefined): boolean {
  return descriptor !== undefined && kernelCalls()?.pathOf(descriptor) === path.absolute;
}

/** Whether the path itself, without following a link, is this file or folder now. */
export function isSame(path: ConfinedPath, found: Identity): boolean {
  try {
    return isSameFile(Deno.lstatSync(path.absolute), found);
  } catch (error) {
    if (osCode(error) !== undefined) return false;
    throw error;
  }
}

/** ctime has whole seconds, from a clock that may be a few milliseconds behind. */
const QUIET_MS = 2_000;

/**
 * Whether nothing has been renamed in any folder along the path since then. From the innermost folder to the
 * root: each one confirms that the previous answer came from the right folder. Not on Windows, where any
 * program that may write to a folder can set its change time too (SetFileInformationByHandle).
 */
export function leftAlone(path: ConfinedPath, since: number, os = Deno.build.os): boolean {
  if (os === "windows") return false;
  try {
    let at = path;
    do {
      if (at.absolute !== at.root.path) at = parentOf(at); // renaming the root changes its own ctime
      const { isDirectory, ctime } = Deno.lstatSync(at.absolute);
      if (!isDirectory || ctime === null || ctime.getTime() > since - QUIET_MS) return false;
    } while (at.absolute !== at.root.path);
    return true;
  } catch (error) {
    if (osCode(error) !== undefined) return false;
    throw error;
  }
}
