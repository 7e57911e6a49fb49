/** The history of workspaces: opens one, or creates a new one. */
import type { ConfinedRoot } from "../../confine/resolve_path.ts";
import { GitHistory } from "./git_history.ts";
import type { GitStoreOptions } from "./git_store.ts";
import type { History } from "./store.ts";

export { isKeeping } from "./change/message.ts";
export { ReplacedFiles } from "./git/replaced_files.ts";
export { type Operation, planOperations } from "./apply/mod.ts";
export { initHistory } from "./repository.ts";
export type * from "./store.ts";

/**
 * The history of the workspace in the folder `root`. Opens nothing yet: a missing repository, or one that
 * paddock does not work on, is an error of the first call.
 */
export function openHistory(root: ConfinedRoot, options: GitStoreOptions = {}): History {
  return new GitHistory(root, options);
}
