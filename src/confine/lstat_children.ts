/**
 * What lies under many names of one folder. To ask for each by itself, and to verify the folder each time, is
 * most of the time that a long listing takes; here the way to the folder is proven once for all of them.
 *
 * A folder that is swapped for a link for a moment would have some of the names looked up outside. When nothing
 * on the way to it has been renamed lately, that cannot have been (see proof.ts). Otherwise every name is looked
 * up again, in an order nobody can foresee, and must be the same file as before; then come the unforeseeable
 * checks of proof.ts. To slip something in, an attacker must hit the same names twice, and no check at all.
 */
import { type KernelFolder, type KernelState } from "../base/kernel.ts";
import { about, ATTEMPTS, moved, restless } from "./checks.ts";
import { isSameFile } from "../base/identity.ts";
import { isNotFound } from "./os_errors.ts";
import { openProven } from "./open_folder.ts";
import { isProven, leftAlone, THOROUGH } from "./proof.ts";
import { childOf, type ConfinedPath, leadsElsewhere, stillReal } from "./resolve_path.ts";

type Found = Deno.FileInfo | undefined;

/** What lies under each name, links not followed; undefined where nothing does. */
export function lstatChildren(folder: ConfinedPath, names: readonly string[]): Found[] {
  return lookProven(folder, names, (open, name) => open.look(name)) ?? lookByPath(folder, names);
}

/** The same, with less told of it, in less time. */
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
      Deno.lstatSync(folder.absolute); // when it is gone, that is the error
      if (leadsElsewhere(folder)) throw moved(folder);
    }
    throw restless(folder);
  }, "directory");
}

/** By the kernel's word, where that can be had. Where nothing can be told of any, the other way says why. */
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

/** The numbers below `length`, in any order. */
function shuffled(length: number): number[] {
  const numbers = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const other = Math.floor(Math.random() * (i + 1));
    [numbers[i], numbers[other]] = [numbers[other] ?? 0, numbers[i] ?? 0];
  }
  return numbers;
}
