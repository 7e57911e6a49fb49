/** What a change needs of its workspace. */
import type { Conversions } from "../files/conversions.ts";
import type { Disk } from "../files/disk.ts";
import type { Modes } from "../files/modes.ts";
import type { GitFolder } from "../git/git_folder.ts";
import type { IndexFile } from "../index/index_file.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import type { ChangeNotes } from "./change_cache.ts";
import type { Journal } from "./journal.ts";
import type { WorkingTree } from "./working_tree.ts";

export interface ChangeStore {
  readonly git: GitFolder;
  readonly journal: Journal;
  readonly objects: ObjectStore;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly modes: Modes;
  readonly notes: ChangeNotes;
  readonly files: WorkingTree;
  treeOf(commit: string | undefined): string | undefined;
  /** What git would convert; `tree` is the last commit's. */
  conversions(tree: string | undefined): Conversions;
  /** Called at each step of the protocol. */
  reached(step: string): void;
}
