/** The history of workspaces: opening that of one, and beginning a new one. */
import { type ConfinedRoot } from "../../confine/resolve_path.ts";
import { GitHistory } from "./git_history.ts";
import { type GitStoreOptions } from "./git_store.ts";
import { type History } from "./store.ts";

export { isKeeping } from "./change/message.ts";
export { ReplacedFiles } from "./git/replaced_files.ts";
export { type Operation, planOperations } from "./apply/mod.ts";
export { initHistory } from "./repository.ts";
export type * from "./store.ts";

/**
 * The history of the workspace whose folder `root` is. Nothing is opened yet: a folder without a repository, or
 * with one of a kind that paddock does not work on, is an error of the first call.
 */
export function openHistory(root: ConfinedRoot, options: GitStoreOptions = {}): History {
  return new GitHistory(root, options);
}
