/** The roots of a server, by name. Each knows which others it contains, and which contain it. */
import type { ClosedFolder } from "../base/config.ts";
import { ClosedFolders } from "./closed_folders.ts";
import { contains } from "./path_rules.ts";
import type { ConfinedRoot } from "./resolve_path.ts";

export interface RootOptions {
  readonly name: string;
  /** Absolute and real. */
  readonly path: string;
  readonly aliases?: ConfinedRoot["aliases"];
  readonly anyCase?: ConfinedRoot["anyCase"];
  readonly git: ConfinedRoot["git"];
  /** Folders that no tool may reach; those of one root are closed in all. */
  readonly closed?: readonly ClosedFolder[];
}

export function createRoots(options: readonly RootOptions[]): ReadonlyMap<string, ConfinedRoot> {
  const closed = new ClosedFolders(closedIn(options));
  const all = options.map((root) => ({
    ...root,
    closed,
    nested: [] as ConfinedRoot[],
    outer: [] as ConfinedRoot[],
  }));
  for (const outer of all) {
    for (const inner of all) {
      if (inner.path === outer.path || !contains(outer.path, inner.path)) continue;
      outer.nested.push(inner);
      inner.outer.push(outer);
    }
  }
  return new Map(all.map((root) => [root.name, root]));
}

function closedIn(options: readonly RootOptions[]): ClosedFolder[] {
  const byPath = new Map(options.flatMap((root) => root.closed ?? []).map((folder) => [folder.path, folder]));
  return [...byPath.values()];
}
