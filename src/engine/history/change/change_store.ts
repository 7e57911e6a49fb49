/** What a change needs of the workspace that it is made in. */
import { type Conversions } from "../files/conversions.ts";
import { type Disk } from "../files/disk.ts";
import { type Modes } from "../files/modes.ts";
import { type GitFolder } from "../git/git_folder.ts";
import { type IndexFile } from "../index/index_file.ts";
import { type ObjectStore } from "../objects/object_store.ts";
import { type ChangeNotes } from "./change_cache.ts";
import { type Journal } from "./journal.ts";
import { type WorkingTree } from "./working_tree.ts";

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
  /** What git would convert; `tree` is that of the last commit. */
  conversions(tree: string | undefined): Conversions;
  /** Told of each step of the protocol as it is reached. */
  reached(step: string): void;
}
