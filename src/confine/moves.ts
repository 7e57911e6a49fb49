/**
 * New names for what already has one, through ConfinedPath: renaming, a second name (hard link), and removal
 * by way of another name. If a folder is swapped for a link in the instant of such a step, the step happens
 * outside. So unpredictable checks establish beforehand which file or folder is meant; afterwards that same
 * one must be under its new name, in a real folder. If it is not, what was moved instead gets its old name
 * back, wherever that leads. With the kernel fence nothing outside can be hit, and the plain step suffices.
 */
import { about, moved, verifyParent } from "./checks.ts";
import { refuseNewGitFolder } from "./git_folders.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { tellNames } from "./name_changes.ts";
import { liesAt } from "./open_folder.ts";
import { isNotFound, osCode } from "./os_errors.ts";
import { isOneSpelling, tempName } from "./path_rules.ts";
import type { Identity } from "../base/identity.ts";
import { CAREFUL, isProven, isSame } from "./proof.ts";
import { renameOver } from "./replace.ts";
import { childOf, type ConfinedPath, nameOf, parentOf, stillReal } from "./resolve_path.ts";

/** How long to wait for a folder that was swapped to lead again to where something went astray. */
const STRAY_MS = 200;
/** How long to look whether an open file is losing its name. */
const LOSING_MS = 20;
const LOOKS = 1_000;
const SECOND_LOOKS = 20;

/** Renames within one file system, replacing an existing file. False when the two are on different ones. */
export function rename(from: ConfinedPath, to: ConfinedPath): boolean {
  const isDone = tryRename(from, to);
  if (isDone) tellNames(from, to);
  return isDone;
}

function tryRename(from: ConfinedPath, to: ConfinedPath): boolean {
  return about(to, () => {
    verifyParent(from);
    verifyParent(to);
    refuseNewGitFolder(to);
    const what = knownAt(from);
    try {
      const isLinked = what.isFile && kernelCalls() === undefined && !isRespelled(from, to) &&
        renameAsLink(from, to, what);
      if (isLinked) return true;
      renameOver(from, to);
      if (isRespelled(from, to)) respell(from, to);
    } catch (error) {
      if (osCode(error) === "EXDEV") return false;
      throw error;
    }
    if (isSettled(to, what)) return true;
    putBack(to, from, what);
    throw moved(from);
  });
}

/** Whether the file system may consider the two one name: a second name would then be the first. */
function isRespelled(from: ConfinedPath, to: ConfinedPath): boolean {
  return isOneSpelling(nameOf(from), nameOf(to)) && parentOf(from).absolute === parentOf(to).absolute;
}

/**
 * Linux does nothing when both names lead to one file, even if they are the same name to the file system:
 * then it takes two steps. If the process ends between them, the file keeps the intermediate name, which
 * nobody sweeps away.
 */
function respell(from: ConfinedPath, to: ConfinedPath): void {
  const isListed = (name: string) =>
    Deno.readDirSync(parentOf(to).absolute).some((entry) => entry.name === name);
  if (nameOf(from) === nameOf(to) || isListed(nameOf(to)) || !isThere(from)) return;
  const between = childOf(parentOf(to), `paddock-renaming-${crypto.randomUUID().slice(0, 8)}`);
  Deno.renameSync(from.absolute, between.absolute);
  try {
    Deno.renameSync(between.absolute, to.absolute);
  } catch (error) {
    Deno.renameSync(between.absolute, from.absolute);
    throw error;
  }
}

/**
 * The same for a file, which can have two names: so it leaves its place only once it is known to be the right
 * file, in the right folder. False where a file can have only one name.
 */
function renameAsLink(from: ConfinedPath, to: ConfinedPath, what: Identity): boolean {
  const wasFree = !isThere(to);
  const aside = childOf(parentOf(to), tempName());
  try {
    Deno.linkSync(from.absolute, aside.absolute);
  } catch (error) {
    if (NO_HARD_LINKS.has(osCode(error) ?? "")) return false;
    throw error;
  }
  try {
    if (!isSettled(aside, what)) throw moved(from);
    renameOver(aside, to);
  } catch (error) {
    for (let look = 0; look < LOOKS && !isRemoved(aside); look++); // nobody else uses that name
    throw error;
  }
  if (!isSettled(to, what)) throw moved(to);
  try {
    removeName(from, what);
  } catch (error) {
    if (wasFree && isSame(to, what) && isSame(from, what)) isRemoved(to); // the old name could not be removed
    throw error;
  }
  return true;
}

function isThere(path: ConfinedPath): boolean {
  try {
    Deno.lstatSync(path.absolute);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

/** Gives a file a second name that must be new. "elsewhere" when the two are on different file systems. */
export function linkNew(
  from: ConfinedPath,
  to: ConfinedPath,
  given?: Identity,
): "linked" | "taken" | "unsupported" | "elsewhere" {
  return about(to, () => {
    verifyParent(from);
    verifyParent(to);
    refuseNewGitFolder(to);
    const what = given ?? knownAt(from);
    try {
      Deno.linkSync(from.absolute, to.absolute);
    } catch (error) {
      const code = osCode(error);
      if (code === "EEXIST") return "taken";
      if (code === "EXDEV") return "elsewhere";
      if (code !== undefined && NO_HARD_LINKS.has(code)) return "unsupported";
      throw error;
    }
    if (isSettled(to, what)) {
      tellNames(to);
      return "linked";
    }
    removeStray(to, { from, what });
    throw moved(from);
  });
}

/** Removes the second name of a file, wherever that ended up, as soon as the folder leads there again. */
function removeStray(
  to: ConfinedPath,
  { from, what }: { from: ConfinedPath; what: Identity },
): void {
  for (const until = performance.now() + STRAY_MS; performance.now() < until;) {
    if (isStray(to, what) && isRemoved(to)) return;
    if (isSame(from, what) && namesOf(from) === 1) return; // somebody else has removed or replaced it
  }
}

function namesOf(path: ConfinedPath): number | undefined {
  try {
    return Deno.lstatSync(path.absolute).nlink ?? undefined;
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * The error codes of file systems without hard links; also of Linux, for a file that is not this user's.
 * Windows reports "invalid function", which the runtime turns into EISDIR.
 */
export const NO_HARD_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EISDIR",
]);

/** Removes a known file or link, by way of an unpredictable name. */
export function removeKnown(path: ConfinedPath, what: Identity): void {
  about(path, () => removeName(path, what));
  tellNames(path);
}

function removeName(path: ConfinedPath, what: Identity): void {
  verifyParent(path);
  if (kernelCalls() !== undefined) return Deno.removeSync(path.absolute); // the kernel guards the rest
  const aside = childOf(parentOf(path), tempName());
  Deno.renameSync(path.absolute, aside.absolute);
  if (!isSettled(aside, what)) {
    putBack(aside, path, what);
    throw moved(path);
  }
  Deno.removeSync(aside.absolute);
}

/** What is at a path inside; a link is not followed. */
export function knownAt(path: ConfinedPath): Deno.FileInfo {
  return about(path, () => {
    const what = Deno.lstatSync(path.absolute);
    if (!isAt(path, what)) throw moved(path);
    return what;
  });
}

/** Whether what was given this name is found under it, in a real folder. */
export function isPlacedAs(path: ConfinedPath, what: Identity): boolean {
  return about(path, () => isSettled(path, what));
}

/**
 * Whether an open file that was given a name ended up elsewhere, because the folder was swapped in that
 * instant. One that no longer has a name, or loses it in a moment, was in its place and has already been
 * replaced.
 */
export function hasStrayed(path: ConfinedPath, file: Deno.FsFile, what: Identity): boolean {
  if (kernelCalls() !== undefined || isPlacedAs(path, what)) return false;
  for (const until = performance.now() + LOSING_MS; performance.now() < until;) {
    if (file.statSync().nlink === 0) return false;
  }
  return true;
}

/**
 * Checks again if a folder was swapped for a link just during a check. Each check has to be careful: what has
 * gone astray gets as many chances.
 */
function isSettled(path: ConfinedPath, what: Identity): boolean {
  for (let look = 0; look < SECOND_LOOKS; look++) if (isAt(path, what)) return true;
  return false;
}

function isAt(path: ConfinedPath, what: Identity): boolean {
  return liesAt(path, what) || isProven(parentOf(path), () => isSame(path, what), { rounds: CAREFUL });
}

/**
 * Gives what is at a path its previous name back, if that is free: a foreign file goes back to where it came
 * from, as soon as the folder leads there again, and ours comes back.
 */
function putBack(path: ConfinedPath, name: ConfinedPath, what: Identity): void {
  let at = path;
  for (const until = performance.now() + STRAY_MS; performance.now() < until;) {
    try {
      const found = Deno.lstatSync(at.absolute);
      at = fromWithin(at, name, found);
      if (isSame(name, what)) continue; // a foreign file must not take its place
      if (found.isDirectory) return Deno.renameSync(at.absolute, name.absolute);
      Deno.linkSync(at.absolute, name.absolute);
      if (isSame(at, found)) Deno.removeSync(at.absolute);
      return;
    } catch (error) {
      if (osCode(error) === undefined) throw error; // gone for now, or the name is taken
    }
  }
}

/**
 * In the folder that is being swapped, a foreign file and its old name are never reachable together: so it is
 * first moved to the folder above.
 */
function fromWithin(at: ConfinedPath, name: ConfinedPath, found: Identity): ConfinedPath {
  const folder = parentOf(at);
  const isWithin = folder.absolute === parentOf(name).absolute && folder.relative !== "";
  if (!isWithin || !isSame(at, found) || !stillReal(folder)) return at;
  const above = childOf(parentOf(folder), tempName());
  Deno.renameSync(at.absolute, above.absolute);
  return above;
}

/**
 * Whether the new name belongs to our file, wherever it is, or, in the real folder, to a foreign file that
 * also has another name.
 */
function isStray(path: ConfinedPath, what: Identity): boolean {
  if (isSame(path, what)) return true;
  return (namesOf(path) ?? 1) > 1 && stillReal(parentOf(path));
}

function isRemoved(path: ConfinedPath): boolean {
  try {
    Deno.removeSync(path.absolute);
    return true;
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return false;
  }
}
