/** The roots of a server, by name, each knowing which others lie inside it. */
import { contains } from "./path_rules.ts";
import { type ConfinedRoot } from "./resolve_path.ts";

export interface RootOptions {
  readonly name: string;
  /** Absolute and real. */
  readonly path: string;
  readonly git: ConfinedRoot["git"];
}

export function createRoots(options: readonly RootOptions[]): ReadonlyMap<string, ConfinedRoot> {
  const all = options.map((root) => ({ ...root, nested: [] as ConfinedRoot[] }));
  for (const outer of all) {
    outer.nested.push(
      ...all.filter((inner) => inner.path !== outer.path && contains(outer.path, inner.path)),
    );
  }
  return new Map(all.map((root) => [root.name, root]));
}
