/**
 * Replaces a file that must not have been saved in the meantime. Between the last check and a rename there is
 * an instant in which somebody's save would be overwritten. Where the two files can be swapped in one step,
 * there is none: what comes out is checked, and goes back if it is not what was to be replaced.
 *
 * Watchers of the folder see two renames; in this order the replaced file goes and the new one comes. The
 * other way round, editors and build tools take every edit for a removal.
 */
import type { KernelCalls } from "../base/kernel.ts";
import { about, verifyParent } from "./checks.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { tellNames } from "./name_changes.ts";
import { letGoOf, lockedHandle } from "./held_locks.ts";
import { type Identity, isSameFile } from "../base/identity.ts";
import { openForLock } from "./locking.ts";
import { osCode } from "./os_errors.ts";
import type { ConfinedPath } from "./resolve_path.ts";

/** The file to be replaced. */
export interface Replaced {
  /** Whether it is unchanged. The last check before the rename. */
  isStill(): boolean;
  /** Whether `found` is that file; absent when it does not matter. */
  isIt?(found: Identity): boolean;
  /** Closes it, where it is open for reading. */
  letGo?(): void;
}

/**
 * Puts `from` in the place of `to` in the same folder. False if `to` was no longer unchanged; nothing has
 * changed then.
 */
export function replace(from: ConfinedPath, to: ConfinedPath, replaced: Replaced): boolean {
  const isDone = tryReplace(from, to, replaced);
  if (isDone) tellNames(to);
  return isDone;
}

function tryReplace(from: ConfinedPath, to: ConfinedPath, replaced: Replaced): boolean {
  const { isStill, isIt } = replaced;
  return about(to, () => {
    verifyParent(to);
    const calls = isIt === undefined ? undefined : kernelCalls();
    const ours = calls === undefined ? undefined : Deno.lstatSync(from.absolute);
    if (!isStill()) return false;
    if (calls === undefined || ours === undefined || !calls.exchange(to.absolute, from.absolute)) {
      return renameUnlessTaken(from, to, replaced);
    }
    const cameOut = Deno.lstatSync(from.absolute);
    if (isIt?.(cameOut)) {
      Deno.removeSync(from.absolute);
      return true;
    }
    putBack({ calls, from: from.absolute, to: to.absolute }, { ours, theirs: cameOut });
    return false;
  });
}

/** False also if another process has taken the lock of `to` since it was closed here: it is about to change the file. */
function renameUnlessTaken(from: ConfinedPath, to: ConfinedPath, replaced: Replaced): boolean {
  try {
    return renameOver(from, to, replaced);
  } catch (error) {
    if (KEPT_OPEN.has(osCode(error) ?? "") && lockedHandle(to) === undefined && isTaken(to)) return false;
    throw error;
  }
}

function isTaken(path: ConfinedPath): boolean {
  try {
    using file = openForLock(path);
    return !file.tryLockSync(true);
  } catch (error) {
    if (error instanceof Error) return false; // what is wrong with the file, the rename has said
    throw error;
  }
}

/**
 * Renames. FAT, and Windows shares, do not allow replacing a file that is open, even by ourselves: then it is
 * checked again and closed first. That releases its lock an instant before the rename; whoever acquires it in
 * that instant finds another file and starts over. False if it was no longer unchanged; nothing has changed then.
 */
export function renameOver(
  from: ConfinedPath,
  to: ConfinedPath,
  { isStill, letGo }: Replaced = { isStill: () => true },
): boolean {
  try {
    Deno.renameSync(from.absolute, to.absolute);
  } catch (error) {
    if (!KEPT_OPEN.has(osCode(error) ?? "")) throw error;
    if (!isStill()) return false;
    letGo?.();
    letGoOf(to);
    if (!isStill()) return false;
    Deno.renameSync(from.absolute, to.absolute);
  }
  return true;
}

/** The error codes for a file that cannot be replaced because it is open; they also have other causes. */
const KEPT_OPEN = new Set(["EBUSY", "EACCES", "EPERM"]);

interface Places {
  calls: KernelCalls;
  from: string;
  to: string;
}

/** Somebody may save again in the meantime, over what was put back: the newest of their saves stays. */
function putBack({ calls, from, to }: Places, { ours, theirs }: { ours: Identity; theirs: Identity }): void {
  let [put, aside] = [ours, theirs];
  while (calls.exchange(to, from)) {
    const cameOut = Deno.lstatSync(from);
    if (isSameFile(cameOut, put)) return;
    [put, aside] = [aside, cameOut];
  }
}
