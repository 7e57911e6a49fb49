/** The console's roots, behind the inner fence. */
import type { ConsoleSources } from "../base/config.ts";
import { type ConfinedRoot, createRoots } from "../engine/fence.ts";

export function confinedRoots({ roots, closed = [] }: ConsoleSources): ReadonlyMap<string, ConfinedRoot> {
  const stores = roots.flatMap(({ undo }) =>
    undo !== undefined && "store" in undo ? [{ path: undo.store }] : []
  );
  return createRoots(roots.map(({ name, path, protectGit }) => ({
    name,
    path,
    git: protectGit ? "read-only" as const : "open" as const,
    closed: [...stores, ...closed],
  })));
}
