/**
 * What lies under many names of one folder. To ask for each by itself, and to verify the folder each time, is
 * most of the time that a long listing takes; here the way to the folder is proven once for all of them.
 *
 * A folder that is swapped for a link for a moment would have some of the names looked up outside. When nothing
 * on the way to it has been renamed lately, that cannot have been (see proof.ts). Otherwise every name is looked
 * up again, in an order nobody can foresee, and must be the same file as before; then come the unforeseeable
 * checks of proof.ts. To slip something in, an attacker must hit the same names twice, and no check at all.
 */
import { about, ATTEMPTS, moved, restless } from "./checks.ts";
import { isSameFile } from "../base/identity.ts";
import { isNotFound } from "./os_errors.ts";
import { openProven } from "./open_folder.ts";
import { isProven, leftAlone, THOROUGH } from "./proof.ts";
import { childOf, type ConfinedPath, leadsElsewhere, stillReal } from "./resolve_path.ts";

type Found = Deno.FileInfo | undefined;

/** What lies under each name, links not followed; undefined where nothing does. */
export function lstatChildren(folder: ConfinedPath, names: readonly string[]): Found[] {
  const proven = lookProven(folder, names);
  if (proven !== undefined) return proven;
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
function lookProven(folder: ConfinedPath, names: readonly string[]): Found[] | undefined {
  using open = openProven(folder);
  if (open === undefined) return undefined;
  const found = names.map((name) => open.look(name));
  return found.every((info) => info === undefined) ? undefined : found;
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
