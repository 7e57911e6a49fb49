/** What is in a folder, in the order in which a walk by full paths (code point by code point) comes across it. */
import { type FolderEntries } from "../../../confine/confined_fs.ts";
import { isGitName } from "../../../confine/path_rules.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";
import { BEYOND_PLAIN, byCodePoint } from "../../../text/code_point_order.ts";
import { sortInSteps } from "../../sort_in_steps.ts";

export interface Item {
  /** What it is sorted by: a folder's contents come where its name with a slash belongs. */
  readonly key: string;
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
  const items: Item[] = [];
  let isPlain = true;
  for (const entry of entries) {
    if (folder.owner.git === "hidden" && isGitName(entry.name)) continue;
    isPlain &&= !BEYOND_PLAIN.test(entry.name);
    items.push({ key: entry.name, entry, enters: false });
    if (entry.isDirectory) items.push({ key: `${entry.name}/`, entry, enters: true });
  }
  const compare = isPlain
    ? (a: Item, b: Item) => (a.key < b.key ? -1 : 1)
    : (a: Item, b: Item) => byCodePoint(a.key, b.key);
  return { items: yield* sortInSteps(items, compare), unnamed };
}
