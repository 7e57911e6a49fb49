/** The roots of a server, by name, each knowing which others lie inside it, and inside which it lies. */
import { contains } from "./path_rules.ts";
import { type ConfinedRoot } from "./resolve_path.ts";

export interface RootOptions {
  readonly name: string;
  /** Absolute and real. */
  readonly path: string;
  readonly git: ConfinedRoot["git"];
}

export function createRoots(options: readonly RootOptions[]): ReadonlyMap<string, ConfinedRoot> {
  const all = options.map((root) => ({
    ...root,
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
