/**
 * Putting a new file in the place of another that must not have been saved meanwhile. Between the last look and a
 * rename there is an instant in which somebody's save would be overwritten. Where the two files can change places in
 * one step, there is none: what comes out is looked at, and goes back if it is not what was to be replaced.
 *
 * Who watches the folder is told of two renames, and in this order the file that was replaced goes and the new one
 * comes. The other way round, editors and build tools take every edit for a removal.
 */
import { type KernelCalls } from "../base/kernel.ts";
import { about, verifyParent } from "./checks.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { tellNames } from "./name_changes.ts";
import { letGoOf } from "./held_locks.ts";
import { type Identity, isSameFile } from "../base/identity.ts";
import { osCode } from "./os_errors.ts";
import { type ConfinedPath } from "./resolve_path.ts";

/** The file that is to be replaced. */
export interface Replaced {
  /** Whether it is what it was. Asked last of all before the rename. */
  isStill(): boolean;
  /** Whether this is it; left out when it does not matter. */
  isIt?(found: Identity): boolean;
  /** Closes it, where it is open for reading. */
  letGo?(): void;
}

/** Takes the place of a file in the same folder. False when that was not any more what it was; nothing has changed then. */
export function replace(from: ConfinedPath, to: ConfinedPath, replaced: Replaced): boolean {
  const isDone = tryReplace(from, to, replaced);
  if (isDone) tellNames(to);
  return isDone;
}

function tryReplace(from: ConfinedPath, to: ConfinedPath, { isStill, isIt, letGo }: Replaced): boolean {
  return about(to, () => {
    verifyParent(to);
    const calls = isIt === undefined ? undefined : kernelCalls();
    const ours = calls === undefined ? undefined : Deno.lstatSync(from.absolute);
    if (!isStill()) return false;
    if (calls === undefined || ours === undefined || !calls.exchange(to.absolute, from.absolute)) {
      renameOver(from, to, letGo);
      return true;
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

/**
 * Renames. FAT, and shares of Windows, do not let a file be replaced that is open, be it by ourselves: then it is closed
 * first. That gives its lock back, an instant before the rename; one who takes it in that instant finds another file, and
 * begins anew.
 */
export function renameOver(from: ConfinedPath, to: ConfinedPath, letGo = () => {}): void {
  try {
    Deno.renameSync(from.absolute, to.absolute);
  } catch (error) {
    if (!KEPT_OPEN.has(osCode(error) ?? "")) throw error;
    letGo();
    letGoOf(to);
    Deno.renameSync(from.absolute, to.absolute);
  }
}

/** How systems say that a file cannot be replaced because it is open; they say so of others, too. */
const KEPT_OPEN = new Set(["EBUSY", "EACCES", "EPERM"]);

interface Places {
  calls: KernelCalls;
  from: string;
  to: string;
}

/** Somebody may save again meanwhile, over what was put there: the newest of theirs is what stays. */
function putBack({ calls, from, to }: Places, { ours, theirs }: { ours: Identity; theirs: Identity }): void {
  let [put, aside] = [ours, theirs];
  while (calls.exchange(to, from)) {
    const cameOut = Deno.lstatSync(from);
    if (isSameFile(cameOut, put)) return;
    [put, aside] = [aside, cameOut];
  }
}
