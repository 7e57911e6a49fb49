/**
 * Looks up many names in one folder. Looking up each by itself, and verifying the folder each time, would be
 * most of the time of a long listing; here the path to the folder is proven once for all of them.
 *
 * If the folder were swapped for a link for a moment, some of the names would be looked up outside. When
 * nothing along the path has been renamed lately, that cannot have happened (see proof.ts). Otherwise every
 * name is looked up again, in unpredictable order, and must be the same file as before; then come the
 * unpredictable checks of proof.ts. To slip something in, an attacker must hit the same names twice, and none
 * of the checks.
 */
import type { KernelFolder, KernelState } from "../base/kernel.ts";
import { about, ATTEMPTS, moved, restless } from "./checks.ts";
import { isSameFile } from "../base/identity.ts";
import { isNotFound } from "./os_errors.ts";
import { openProven } from "./open_folder.ts";
import { isProven, leftAlone, THOROUGH } from "./proof.ts";
import { childOf, type ConfinedPath, leadsElsewhere, stillReal } from "./resolve_path.ts";

type Found = Deno.FileInfo | undefined;

/** What each name stands for, without following links; undefined where there is nothing. */
export function lstatChildren(folder: ConfinedPath, names: readonly string[]): Found[] {
  return lookProven(folder, names, (open, name) => open.look(name)) ?? lookByPath(folder, names);
}

/** The same with fewer facts, in less time. */
export function statesOfChildren(
  folder: ConfinedPath,
  names: readonly string[],
): (KernelState | undefined)[] {
  return lookProven(folder, names, (open, name) => open.state(name)) ??
    lookByPath(folder, names).map((info) => info && stateOfInfo(info));
}

function lookByPath(folder: ConfinedPath, names: readonly string[]): Found[] {
  const paths = names.map((name) => childOf(folder, name).absolute);
  return about(folder, () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const since = Date.now();
      const found = paths.map(look);
      if (stillReal(folder) && leftAlone(folder, since)) return found;
      const isThere = (i: number) => isOne(found[i], look(paths[i] ?? ""));
      const byChance = () => paths.length === 0 || isThere(Math.floor(Math.random() * paths.length));
      if (shuffled(paths.length).every(isThere) && isProven(folder, byChance, { rounds: THOROUGH })) {
        return found;
      }
      Deno.lstatSync(folder.absolute); // throws if it is gone
      if (leadsElsewhere(folder)) throw moved(folder);
    }
    throw restless(folder);
  }, "directory");
}

/**
 * From the kernel, where available. If it finds none of the names, the other way is tried, which reports why.
 */
function lookProven<T>(
  folder: ConfinedPath,
  names: readonly string[],
  look: (open: KernelFolder, name: string) => T | undefined,
): (T | undefined)[] | undefined {
  using open = openProven(folder);
  if (open === undefined) return undefined;
  const found = names.map((name) => look(open, name));
  return found.every((info) => info === undefined) ? undefined : found;
}

function stateOfInfo(info: Deno.FileInfo): KernelState {
  const { isFile, isDirectory, isSymlink, dev, ino, size, mtime, ctime } = info;
  return {
    kind: isFile ? "file" : isDirectory ? "folder" : isSymlink ? "link" : "other",
    dev,
    ino: ino ?? 0,
    size,
    mtimeMs: mtime?.getTime() ?? 0,
    ctimeMs: ctime?.getTime() ?? 0,
  };
}

function look(path: string): Found {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isOne(a: Found, b: Found): boolean {
  return a === undefined || b === undefined ? a === b : isSameFile(a, b);
}

/** The numbers below `length`, in random order. */
function shuffled(length: number): number[] {
  const numbers = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const other = Math.floor(Math.random() * (i + 1));
    [numbers[i], numbers[other]] = [numbers[other] ?? 0, numbers[i] ?? 0];
  }
  return numbers;
}
