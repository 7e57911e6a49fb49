/**
 * Looking up names, through ConfinedPath. What was read is verified afterwards: a folder can be swapped for a
 * link between the two (a race a local attacker can win), and no name or number read through such a link may
 * be returned.
 */
import type { KernelFolder } from "../base/kernel.ts";
import { about, ATTEMPTS, moved, restless, verifyParent } from "./checks.ts";
import { isNotFound, osCode } from "./os_errors.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { lookAt, openProven } from "./open_folder.ts";
import { contains, isTempName } from "./path_rules.ts";
import { isOpenAt, isProven, isSame, THOROUGH } from "./proof.ts";
import {
  childOf,
  type ConfinedPath,
  leadsElsewhere,
  parentOf,
  refuseClosed,
  stillReal,
} from "./resolve_path.ts";

/**
 * What is at the path itself; a link is not followed. Undefined when nothing is there. The folder is verified
 * only once, because every change calls this: without the kernel's help, an attacker who wins a race may
 * learn the type, size, times, owner and mode of an entry of the same name outside. Listings use
 * lstatChildren.
 */
export function lstat(path: ConfinedPath): Deno.FileInfo | undefined {
  return lookAt(path) ?? about(path, () => {
    let info: Deno.FileInfo;
    try {
      info = Deno.lstatSync(path.absolute);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (path.absolute !== path.root.path && leadsElsewhere(parentOf(path))) throw moved(path);
      return undefined;
    }
    verifyParent(path);
    // The kernel did not answer, because the folder may not be read, or is being swapped right now.
    const folder = path.absolute === path.root.path ? path : parentOf(path);
    const isSure = kernelCalls() === undefined ||
      isProven(folder, () => isSame(path, info), { rounds: THOROUGH });
    if (!isSure) throw moved(path);
    return info;
  });
}

/** A link's target text; it may contain a host path, so it is for decisions, not for clients. */
export function readLink(path: ConfinedPath): string {
  return about(path, () => {
    const text = Deno.readLinkSync(path.absolute);
    verifyParent(path);
    return text;
  });
}

export interface FolderEntries {
  entries: Deno.DirEntry[];
  /**
   * How many were left out because their names are not valid UTF-8, so nothing can be done with them by name.
   */
  unnamed: number;
  /** How many of those are folders. */
  unnamedFolders: number;
}

/** The entries of a folder, unsorted, without our own temporary files. */
export function readFolder(path: ConfinedPath): Deno.DirEntry[] {
  return readFolderCounted(path).entries;
}

export function readFolderCounted(path: ConfinedPath): FolderEntries {
  refuseClosed(path);
  return readProven(path) ?? about(path, () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const since = Date.now();
      const rounds = THOROUGH;
      const options = Deno.lstatSync(path.absolute).isDirectory ? { since, rounds } : { rounds };
      const entries: Deno.DirEntry[] = [];
      const names: string[] = [];
      for (const entry of Deno.readDirSync(path.absolute)) {
        if (isTempName(entry.name)) continue;
        entries.push(entry);
        if (!entry.name.includes("\ufffd")) names.push(entry.name);
      }
      if (isProven(path, () => holdsTwo(path, names), options)) return onlyNamed(path, entries);
      if (leadsElsewhere(path)) throw moved(path);
    }
    throw restless(path);
  }, "directory");
}

/** From the kernel, where available. */
function readProven(path: ConfinedPath): FolderEntries | undefined {
  using folder = openProven(path);
  return folder && entriesOf(path, folder);
}

/** The entries of an open folder. Undefined where the kernel does not confirm that it is at the path. */
export function readOpenFolder(
  path: ConfinedPath,
  folder: KernelFolder | undefined,
): FolderEntries | undefined {
  if (folder === undefined || !isOpenAt(path, folder.descriptor)) return undefined;
  refuseClosed(path, () => folder.look("."));
  return entriesOf(path, folder);
}

function entriesOf(path: ConfinedPath, folder: KernelFolder): FolderEntries | undefined {
  const entries = folder.entries()?.filter(({ name }) => !isTempName(name));
  return entries && onlyNamed(path, entries, (name) => folder.look(name));
}

/**
 * The same with only one check whether the folder was swapped for a link, for callers that prove what they do
 * with the names: those they report, or the files they open by them. The proof takes longer than the reading.
 */
export function readFolderUnproven(path: ConfinedPath): FolderEntries {
  refuseClosed(path);
  return readProven(path) ?? about(path, () => {
    const entries: Deno.DirEntry[] = [];
    for (const entry of Deno.readDirSync(path.absolute)) if (!isTempName(entry.name)) entries.push(entry);
    if (!Deno.lstatSync(path.absolute).isDirectory) throw moved(path);
    return onlyNamed(path, entries);
  }, "directory");
}

/**
 * Whether two of the names, picked at random, are in the folder now. A name that is not valid UTF-8 contains
 * U+FFFD and cannot be looked up. If names may be listed but not looked up, that is an error, as repeating
 * the check would not help.
 */
function holdsTwo(folder: ConfinedPath, names: readonly string[]): boolean {
  const first = Math.floor(Math.random() * names.length);
  try {
    for (const name of [names[first], names[(first + 1) % names.length]]) {
      if (name !== undefined) Deno.lstatSync(childOf(folder, name).absolute);
    }
    return true;
  } catch (error) {
    if (osCode(error) === undefined || isForbidden(error, folder)) throw error;
    return false;
  }
}

/** Whether it is the folder itself that forbids looking up names, and not one that was swapped in for it. */
function isForbidden(error: unknown, folder: ConfinedPath): boolean {
  return osCode(error) === "EACCES" && !(error instanceof Deno.errors.NotCapable) && stillReal(folder);
}

/**
 * The entries of a folder, including our own temporary files: for sweeping and removing, which verify each
 * one again, and not for clients.
 */
export function readFolderRaw(path: ConfinedPath): Deno.DirEntry[] {
  return readFolderRawCounted(path).entries;
}

export function readFolderRawCounted(path: ConfinedPath): FolderEntries {
  refuseClosed(path);
  return about(path, () => {
    const entries = Array.from(Deno.readDirSync(path.absolute));
    if (!stillReal(path)) throw moved(path);
    return onlyNamed(path, entries);
  }, "directory");
}

/**
 * Leaves out what cannot be found by its name. U+FFFD stands for bytes that are not UTF-8, but may also be a
 * real character; then this reports what really has that name, not another entry that only looks like it.
 */
function onlyNamed(
  folder: ConfinedPath,
  all: Deno.DirEntry[],
  look: (name: string) => Deno.FileInfo | undefined = lookIn(folder),
): FolderEntries {
  const found = withoutClosed(folder, all);
  const isDoubtful = ({ name }: Deno.DirEntry) => name.includes("\ufffd");
  if (!found.some(isDoubtful)) return { entries: found, unnamed: 0, unnamedFolders: 0 };
  const doubtful = new Set(found.filter(isDoubtful).map(({ name }) => name));
  const entries = found.filter(({ name }) => !doubtful.has(name));
  for (const name of doubtful) {
    const seen = look(name);
    if (seen === undefined) continue;
    const { isFile, isDirectory, isSymlink } = seen;
    entries.push({ name, isFile, isDirectory, isSymlink });
  }
  const unnamedFolders = foldersIn(found) - foldersIn(entries);
  return { entries, unnamed: found.length - entries.length, unnamedFolders };
}

function lookIn(folder: ConfinedPath): (name: string) => Deno.FileInfo | undefined {
  return (name) => {
    try {
      return Deno.lstatSync(childOf(folder, name).absolute);
    } catch (error) {
      if (osCode(error) === undefined) throw error;
      return undefined;
    }
  };
}

/** Hides what no tool may reach. */
function withoutClosed(folder: ConfinedPath, entries: Deno.DirEntry[]): Deno.DirEntry[] {
  const { closed } = folder.root;
  if (closed === undefined || !closed.liesIn(folder.absolute)) return entries;
  return entries.filter(({ name }) => !closed.paths.includes(childOf(folder, name).absolute));
}

function foldersIn(entries: readonly Deno.DirEntry[]): number {
  return entries.filter(({ isDirectory }) => isDirectory).length;
}

export type LinkTarget = { place: "inside"; info: Deno.FileInfo } | { place: "outside" | "nowhere" };

/** Where a link at the path leads. Reveals nothing about a target outside. */
export function linkTarget(path: ConfinedPath): LinkTarget {
  return about(path, () => {
    verifyParent(path);
    try {
      const absolute = Deno.realPathSync(path.absolute);
      if (!contains(path.root.path, absolute)) return { place: "outside" };
      return { place: "inside", info: Deno.lstatSync(absolute) };
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) return { place: "outside" };
      if (error instanceof Deno.errors.InvalidData) return { place: "outside" }; // not UTF-8: place unknown
      if (isNotFound(error) || error instanceof Deno.errors.FilesystemLoop) return { place: "nowhere" };
      throw error;
    }
  });
}
