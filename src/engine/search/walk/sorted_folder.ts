/**
 * What is in a folder, in the order in which a walk by full paths (code point by code point) comes across it: the
 * contents of a folder in it come where its name with a slash belongs.
 */
import type { FolderEntries } from "../../../confine/confined_fs.ts";
import { isGitName } from "../../../confine/path_rules.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { BEYOND_PLAIN, byCodePoint } from "../../../text/code_point_order.ts";
import { sortInSteps } from "../../sort_in_steps.ts";

export interface Item {
  readonly entry: Deno.DirEntry;
  /** Whether this stands for what is in a folder, not for the folder. */
  readonly enters: boolean;
}

export interface SortedFolder {
  readonly items: readonly Item[];
  /** How many entries were left out because their names are not valid UTF-8. */
  readonly unnamed: number;
}

/** In steps (see text/steps.ts): the order of a hundred thousand names takes a while to find. */
export function* sortFolder(
  folder: ConfinedPath,
  { entries, unnamed }: FolderEntries,
): Generator<void, SortedFolder> {
  const hidesGit = folder.owner.git === "hidden";
  const byName = new Map<string, Deno.DirEntry>();
  const keys: string[] = [];
  let isPlain = true;
  for (const entry of entries) {
    const { name } = entry;
    if (hidesGit && isGitName(name)) continue;
    isPlain &&= !BEYOND_PLAIN.test(name);
    byName.set(name, entry);
    keys.push(name);
    if (entry.isDirectory) keys.push(`${name}/`);
  }
  const sorted = yield* isPlain ? sortInSteps(keys) : sortInSteps(keys, byCodePoint);
  return { items: sorted.map((key) => itemOf(key, byName)), unnamed };
}

function itemOf(key: string, byName: ReadonlyMap<string, Deno.DirEntry>): Item {
  const entry = byName.get(key);
  if (entry !== undefined) return { entry, enters: false };
  const entered = byName.get(key.slice(0, -1));
  if (entered === undefined) throw new TypeError("a name that is not there");
  return { entry: entered, enters: true };
}
