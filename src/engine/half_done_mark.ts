/** Where the mark of a change in progress is (undo/half_done.ts), and whether it exists. */
import { lstat } from "../confine/confined_fs.ts";
import { childOf, type ConfinedPath, rootPathOf } from "../confine/resolve_path.ts";
import { createRoots } from "../confine/roots.ts";

const NAME = "half-done";

export function markOf(store: ConfinedPath): ConfinedPath {
  return childOf(store, NAME);
}

/** Checks a store's folder; cheap enough for every call. */
export function halfDoneLook(store: string): () => boolean {
  const root = createRoots([{ name: "undo store", path: store, git: "open" }]).get("undo store");
  if (root === undefined) return () => false;
  const mark = markOf(rootPathOf(root));
  return () => {
    try {
      return lstat(mark) !== undefined;
    } catch {
      return false; // there is no store, or none that can be read
    }
  };
}
