/**
 * Completes what a process left half done when it died. The journal says what was to be done, and the objects hold
 * all of it, so the work goes forward, never back. A file that is neither as it was nor as it was to be has been
 * changed by somebody else since, and is left alone: git shows it as modified.
 */
import { PaddockError } from "../../base/errors.ts";
import { lstat, unlink } from "../../confine/confined_fs.ts";
import { isTempName } from "../../confine/path_rules.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { settleAll } from "../settle.ts";
import { fromBytes, toBytes } from "./byte_names.ts";
import { type Disk } from "./disk.ts";
import { type GitFolder } from "./git_folder.ts";
import { updateIndex } from "./index_changes.ts";
import { type IndexFile } from "./index_file.ts";
import { type ChangeRecord, foldersOf, type Journal, type Recorded } from "./journal.ts";
import { MODE_FOLDER } from "./objects.ts";
import { type ObjectStore } from "./object_store.ts";
import { PACK_FILE } from "./pack_format.ts";
import { BRANCH, type Head, readHead, readMoving, RefLock, removeStaleRefLock } from "./refs.ts";
import { isStaged, isWholePack, placePack } from "./staged_packs.ts";
import { entryAt, filesBelow, isSameEntry } from "./tree_edits.ts";
import { type Work } from "./work.ts";
import { removeIfEmpty, type WorkingTree } from "./working_tree.ts";

/** Where commits are found that a power cut took off the branch. */
const KEPT_ASIDE = "refs/paddock/kept";

export interface RecoveryContext {
  readonly git: GitFolder;
  readonly journal: Journal;
  readonly store: ObjectStore;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly files: WorkingTree;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Whether all recorded changes were made, and nothing of them is on its way. While a process is at work there is; who
 * wants to know more needs the locks.
 */
export function isWhole(journal: Journal, git: GitFolder): boolean {
  return journal.read().every(({ isDone }) => isDone) && !git.list("mcp").some(isOnItsWay);
}

/** Only while the locks of the workspace are held. After it, all changes that are recorded have been made. */
export async function recover(context: RecoveryContext): Promise<void> {
  const { git, journal } = context;
  const records = journal.read();
  const names = git.list("mcp");
  if (names.some(isOnItsWay) || records.some(({ isDone }) => !isDone)) {
    const head = readHead(git);
    const moving = readMoving(git);
    removeStaleRefLock(git, head.ref);
    await completeAll(records, head, { ...context, moving });
  }
  for (const name of names) if (isLeftOver(name)) git.remove(`mcp/${name}`);
}

/** What is there from before the branch moves, and gone after it. */
function isOnItsWay(name: string): boolean {
  return name === BRANCH || PACK_FILE.test(name);
}

function isLeftOver(name: string): boolean {
  return isTempName(name) || name.endsWith(".tmp") || PACK_FILE.test(name);
}

interface CompletionContext extends RecoveryContext {
  /** The commit that the branch was about to be moved to. */
  readonly moving: string | undefined;
}

async function completeAll(
  records: readonly Recorded[],
  head: Head,
  context: CompletionContext,
): Promise<void> {
  let at = head.commit;
  for (const record of records) {
    if (await complete(record, { ...head, commit: at }, context)) at = record.new ?? undefined;
  }
  await settleChanges(records, context);
  context.journal.clear();
}

/** Brings the names that changes have made to the disk: their records are not needed any more after that. */
export async function settleChanges(
  records: readonly ChangeRecord[],
  context: { git: GitFolder; disk: Disk },
): Promise<void> {
  const folders = new Map(
    records.flatMap((record) => foldersOf(record, context)).map((folder) => [folder.absolute, folder]),
  );
  await settleAll([...folders.values()], "the changes were made");
}

/** True when the branch has been moved by it. */
async function complete(record: Recorded, head: Head, context: CompletionContext): Promise<boolean> {
  const { git, moving } = context;
  const { packs, isDone } = record;
  // Its process lived to say that all was done, yet not all names came to the disk: a power cut. Without such a sign
  // the branch has been there, and whoever has moved it back since meant that.
  const isLost = isDone && (record.new === moving || packs.some((name) => isStaged(git, name)));
  const isHere = record.ref === head.ref;
  if (isDone && !isLost) return false;
  if (isHere && head.commit === (record.old ?? undefined)) return await goForward(record, head, context);
  if (!packs.every((name) => isWholePack(git, name))) return false;
  if (isHere && head.commit === record.new) {
    for (const name of packs) placePack(git, name);
    await completeIndex(record, context);
  } else if (isLost && record.new !== null) keepAside(record.new, record, git);
  return false;
}

/**
 * Somebody who has moved the branch or left it since has decided how things stand. What was acknowledged is found
 * under a name of its own all the same.
 */
function keepAside(commit: string, { packs }: ChangeRecord, git: GitFolder): void {
  for (const name of packs) placePack(git, name);
  git.makeFolder(KEPT_ASIDE);
  git.recreate(`${KEPT_ASIDE}/${commit}`, encodeUtf8(`${commit}\n`), { mode: 0o644 }).close();
}

/** False when not all of it was written: nothing was touched before that. */
async function goForward(record: ChangeRecord, { ref }: Head, context: RecoveryContext): Promise<boolean> {
  const { git } = context;
  if (!record.packs.every((name) => isWholePack(git, name))) return false;
  for (const name of record.packs) placePack(git, name);
  if (record.new !== null && !context.store.has(record.new)) return false;
  for (const work of record.work) await redo(work, record, context);
  if (record.new !== null && record.new !== record.old) {
    const file = RefLock.prepare(git, record.new);
    try {
      await file.sync();
    } finally {
      file.close();
    }
    (await RefLock.take(git, ref, context)).commit();
  }
  await completeIndex(record, context);
  return true;
}

function treeOf(store: ObjectStore, commit: string | null): string | undefined {
  return commit === null ? undefined : store.commit(commit).tree;
}

async function redo(work: Work, record: ChangeRecord, context: RecoveryContext): Promise<void> {
  const { store, disk, files } = context;
  const base = treeOf(store, record.base);
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
async function completeIndex(record: ChangeRecord, { store, index, disk }: RecoveryContext): Promise<void> {
  const tree = treeOf(store, record.new);
  index.load(() => filesBelow(store, entryAt(store, tree, ""), ""));
  await updateIndex(index, { store, tree, touched: record.touched, stats: new Map(), moved: [] });
  await index.save((name, entry) => disk.prove(fromBytes(name), entry));
}
