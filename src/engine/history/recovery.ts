/**
 * Completes what a process left half done when it died. The journal says what was to be done, and the objects hold
 * all of it, so the work goes forward, never back. A file that is neither as it was nor as it was to be has been
 * changed by somebody else since, and is left alone: git shows it as modified.
 */
import { PaddockError } from "../../base/errors.ts";
import { lstat, unlink } from "../../confine/confined_fs.ts";
import { isTempName } from "../../confine/path_rules.ts";
import { fromBytes, toBytes } from "./byte_names.ts";
import { type Disk } from "./disk.ts";
import { type GitFolder } from "./git_folder.ts";
import { updateIndex } from "./index_changes.ts";
import { type IndexFile } from "./index_file.ts";
import { clearJournal, type Journal, readJournal } from "./journal.ts";
import { MODE_FOLDER } from "./objects.ts";
import { type ObjectStore } from "./object_store.ts";
import { BRANCH, type Head, readHead, RefLock, removeStaleRefLock } from "./refs.ts";
import { settleGit } from "./settle_git.ts";
import { entryAt, filesBelow, isSameEntry } from "./tree_edits.ts";
import { type Work } from "./work.ts";
import { removeIfEmpty, type WorkingTree } from "./working_tree.ts";

export interface RecoveryContext {
  readonly git: GitFolder;
  readonly store: ObjectStore;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly files: WorkingTree;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** Only while the locks of the workspace are held. */
export async function recover(context: RecoveryContext): Promise<void> {
  const { git } = context;
  const names = git.list("mcp");
  for (const name of names) {
    if (isTempName(name) || name.endsWith(".tmp")) git.remove(`mcp/${name}`);
  }
  const journal = readJournal(git);
  if (!names.includes(BRANCH) && journal === undefined) return;
  const head = readHead(git);
  removeStaleRefLock(git, head.ref);
  // Somebody who has moved the branch or left it since has decided how things stand.
  if (journal?.ref === head.ref) {
    if (head.commit === (journal.old ?? undefined)) await goForward(journal, head, context);
    else if (head.commit === journal.new) await completeIndex(journal, context);
  }
  if (journal !== undefined) clearJournal(git);
}

async function goForward(journal: Journal, { ref }: Head, context: RecoveryContext): Promise<void> {
  const { git, store } = context;
  if (journal.new !== null && !store.has(journal.new)) return; // nothing was touched before it was there
  for (const work of journal.work) await redo(work, journal, context);
  if (journal.new !== null && journal.new !== journal.old) {
    const file = RefLock.prepare(git, journal.new);
    try {
      await file.sync();
    } finally {
      file.close();
    }
    (await RefLock.take(git, ref, context)).commit();
    await settleGit(git, [ref.slice(0, ref.lastIndexOf("/"))]);
  }
  await completeIndex(journal, context);
}

function treeOf(store: ObjectStore, commit: string | null): string | undefined {
  return commit === null ? undefined : store.commit(commit).tree;
}

async function redo(work: Work, journal: Journal, context: RecoveryContext): Promise<void> {
  const { store, disk, files } = context;
  const base = treeOf(store, journal.base);
  try {
    if (work.kind === "move") {
      const isLeft = disk.stat(work.from) !== undefined && disk.stat(work.to) === undefined;
      if (isLeft) await files.perform(work);
    } else if (work.kind === "remove") {
      for (
        const { name } of [...filesBelow(store, entryAt(store, base, toBytes(work.path)), toBytes(work.path))]
      ) {
        const path = disk.at(fromBytes(name));
        const now = await disk.look(path, { readAlways: true });
        if (now === undefined || !isSameEntry(now.entry, entryAt(store, base, name))) continue;
        if (name === toBytes(work.path)) await files.perform(work);
        else unlink(path);
      }
      removeIfEmpty(disk.at(work.path));
    } else if (work.kind === "folder") {
      await files.perform(work);
    } else {
      const path = disk.at(work.path);
      if (lstat(path)?.isDirectory) return;
      const now = await disk.look(path, { readAlways: true });
      const before = entryAt(store, base, toBytes(work.path));
      const wasFile = before?.mode === MODE_FOLDER ? undefined : before; // a folder was removed to make room
      if (isSameEntry(now?.entry, wasFile)) await files.perform(work);
    }
  } catch (error) {
    // Things have changed so much that the work cannot be done: the file shows as modified or missing.
    if (!(error instanceof PaddockError) || error.code === "INTERNAL") throw error;
  }
}

/** What is healed is not vouched for: git reads those files when it next looks. */
async function completeIndex(journal: Journal, { store, index, disk }: RecoveryContext): Promise<void> {
  const tree = treeOf(store, journal.new);
  index.load(() => filesBelow(store, entryAt(store, tree, ""), ""));
  await updateIndex(index, { store, tree, touched: journal.touched, stats: new Map(), moved: [] });
  await index.save((name, entry) => disk.prove(fromBytes(name), entry));
}
