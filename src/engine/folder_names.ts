/** The names in a folder and their kinds, as the folder itself lists them: no entry is read. */
import { readFolderCounted } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { byCodePoint } from "../text/code_point_order.ts";

export interface NamedEntry {
  readonly name: string;
  /** A link to a folder counts as a link. */
  readonly isDirectory: boolean;
  readonly isLink: boolean;
}

export interface Names {
  readonly entries: readonly NamedEntry[];
  /** How many more there are, with names that are not valid UTF-8. */
  readonly unnamed: number;
}

/** Sorted by code point. */
export function namesIn(folder: ConfinedPath): Names {
  const { entries, unnamed } = readFolderCounted(folder);
  const sorted = entries.toSorted((a, b) => byCodePoint(a.name, b.name));
  return {
    entries: sorted.map(({ name, isDirectory, isSymlink }) => ({ name, isDirectory, isLink: isSymlink })),
    unnamed,
  };
}
