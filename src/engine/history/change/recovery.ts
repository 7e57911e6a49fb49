/**
 * Completes what a process left half done when it died. The journal says what was to be done, and the objects hold
 * all of it, so recovery goes forward, never back. A file that is neither in its old nor in its new state was
 * changed by somebody else since, and is left alone: git shows it as modified.
 */
import { PaddockError } from "../../../base/errors.ts";
import { lstat, syncFile } from "../../../confine/confined_fs.ts";
import { isTempName } from "../../../confine/path_rules.ts";
import { settleAll } from "../../settle.ts";
import { TempSweeper } from "../../temp_sweeper.ts";
import { fromBytes, toBytes } from "../objects/byte_names.ts";
import type { Disk } from "../files/disk.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { movesOf, updateIndex } from "./index_changes.ts";
import type { IndexFile } from "../index/index_file.ts";
import { type ChangeRecord, foldersOf, type Journal } from "./journal.ts";
import { MODE_FOLDER, NotFetched } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { PACK_FILE } from "../objects/pack_format.ts";
import { hasLeft } from "./reflog.ts";
import {
  BRANCH,
  type Head,
  INDEX_BEHIND,
  keepAside,
  markUnderWay,
  readHead,
  readIndexBehind,
  readUnderWay,
  RefLock,
  removeStaleRefLock,
} from "../git/refs.ts";
import { Seen } from "./seen.ts";
import { isStaged, isWholePack, placePack, unstagePack } from "../objects/staged_packs.ts";
import { entryAt, filesBelow, isSameEntry } from "../objects/tree_edits.ts";
import type { Work } from "./work.ts";
import { dropOldName, removeIfEmpty, type WorkingTree } from "./working_tree.ts";

/** More than one change makes: for what others had in the index and on disk, and its own. */
const MOST_COMMITS = 10;

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

/** Whether no change is in progress or was left half done. While a process is at work, one is. */
export function isWhole(git: GitFolder): boolean {
  return !git.list("mcp").some(isOnItsWay);
}

/** Only while the workspace's locks are held. Afterwards all recorded changes are complete. */
export async function recover(context: RecoveryContext): Promise<void> {
  const { git } = context;
  const entries = git.entries("mcp");
  if (entries.some(({ name }) => isOnItsWay(name))) await completeAll(context);
  for (const { name, isDirectory } of entries) {
    const [, pack] = PACK_FILE.exec(name) ?? [];
    if (isDirectory) continue;
    if (pack !== undefined) unstagePack(git, pack);
    else if (isLeftOver(name)) git.remove(`mcp/${name}`);
  }
}

/** What exists from before the first step that others can see until after the last. */
function isOnItsWay(name: string): boolean {
  return name === BRANCH || name === INDEX_BEHIND || PACK_FILE.test(name);
}

function isLeftOver(name: string): boolean {
  return isTempName(name) || name.endsWith(".tmp") || isOnItsWay(name);
}

/**
 * Changes before the first one with something left are complete: names reach the disk in the order they were made.
 */
async function completeAll(context: RecoveryContext): Promise<void> {
  const { git, journal } = context;
  const records = journal.read();
  const head = readHead(git);
  const [underWay, behind] = [readUnderWay(git), readIndexBehind(git)];
  for (const ref of new Set([head.ref, ...records.map((record) => record.ref)])) removeStaleRefLock(git, ref);
  const isLeft = (record: ChangeRecord) =>
    record.mark === underWay || record.packs.some((name) => isStaged(git, name));
  const first = records.findIndex(isLeft);
  for (const record of records) {
    const isHere = record.new === (head.commit ?? null);
    if (isHere && record.mark === behind) await completeIndex(record, context);
  }
  let at = head.commit;
  const left = first < 0 ? [] : records.slice(first);
  sweepContents(left, context);
  for (const record of left) {
    if (await complete(record, { ...head, commit: at }, context)) at = record.new ?? undefined;
  }
  for (const name of records.flatMap((record) => record.packs)) unstagePack(git, name);
  await settleChanges(records, context);
  journal.clear();
}

/** Removes new contents that a process had written beside their files when it died, and files it was removing. */
function sweepContents(records: readonly ChangeRecord[], { disk }: RecoveryContext): void {
  const sweeper = new TempSweeper();
  const paths = records.flatMap(({ work }) => work.flatMap((one) => one.kind === "move" ? [] : [one.path]));
  for (const name of new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))))) {
    if (name !== "" && disk.stat(name)?.isDirectory !== true) continue;
    try {
      sweeper.sweep(disk.at(name));
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error; // a link by now, or gone
    }
  }
}

/** Syncs the names that changes have made: then their records are no longer needed. */
export async function settleChanges(
  records: readonly ChangeRecord[],
  context: { git: GitFolder; disk: Disk },
): Promise<void> {
  const folders = new Map(
    records.flatMap((record) => foldersOf(record, context)).map((folder) => [folder.absolute, folder]),
  );
  await settleAll([...folders.values()], "the changes were made");
}

/** True if it moved the branch. */
async function complete(record: ChangeRecord, head: Head, context: RecoveryContext): Promise<boolean> {
  const { git } = context;
  try {
    const isHere = record.ref === head.ref && head.commit === (record.old ?? undefined);
    const wasUndone = record.new !== null && record.new !== record.old &&
      hasLeft(git, record.ref, record.new);
    if (isHere && !wasUndone) return await goForward(record, head, context);
    for (const name of record.packs) if (isWholePack(git, name)) placePack(git, name);
    if (head.commit === record.new) await completeIndex(record, context);
    // Somebody has moved or left the branch since, and that decision stands. But this change may have been
    // acknowledged, so its commit is kept findable.
    else if (record.new !== null && record.new !== record.old && isCommit(record.new, context)) {
      await keepAside(git, record.new);
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return false;
}

/**
 * Missing objects, or objects of another kind than the record says: the record is not ours, or git has lost them.
 */
function isDamage(error: unknown): boolean {
  return error instanceof NotFetched ||
    (error instanceof PaddockError && error.code === "INTERNAL" && error.cause === undefined);
}

function isCommit(oid: string, { store }: RecoveryContext): boolean {
  try {
    return store.has(oid) && store.has(store.commit(oid).tree);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}

/** False if not all of it was written: then nothing was touched either. */
async function goForward(record: ChangeRecord, { ref }: Head, context: RecoveryContext): Promise<boolean> {
  const { git } = context;
  for (const name of record.packs) if (isWholePack(git, name)) placePack(git, name);
  for (const commit of [record.new, record.base]) {
    if (commit !== null && !isCommit(commit, context)) return false;
  }
  for (const work of record.work) await redo(work, record, context);
  if (record.new !== null && record.new !== record.old) {
    // An existing mark stays: while it is rewritten, nothing would say that the change is in progress.
    if (readUnderWay(git) !== record.mark) {
      using file = markUnderWay(git, record.mark);
      await syncFile(file);
    }
    (await RefLock.take(git, ref, context)).commit();
  }
  await completeIndex(record, context);
  return true;
}

/** The commits of a change, and the one before: what is in one of them is not lost. */
function* commitsOf(record: ChangeRecord, store: ObjectStore): Generator<string> {
  let at = record.new ?? undefined;
  for (let i = 0; at !== undefined && i < MOST_COMMITS; i++) {
    yield at;
    at = at === record.old ? undefined : store.commit(at).parents[0];
  }
}

function treeOf(store: ObjectStore, commit: string | null): string | undefined {
  return commit === null ? undefined : store.commit(commit).tree;
}

async function redo(work: Work, record: ChangeRecord, context: RecoveryContext): Promise<void> {
  const { store, disk, files, deadline } = context;
  const base = treeOf(store, record.base);
  try {
    if (work.kind === "move") {
      const isLeft = disk.stat(work.from) !== undefined && disk.stat(work.to) === undefined;
      if (isLeft) await files.perform(work, { deadline });
      else if (disk.stat(work.to)?.isFile) dropOldName(disk.at(work.from), disk.at(work.to));
    } else if (work.kind === "remove") {
      for (
        const { name } of [...filesBelow(store, entryAt(store, base, toBytes(work.path)), toBytes(work.path))]
      ) {
        const path = disk.at(fromBytes(name));
        const now = await disk.look(path, { readAlways: true });
        if (now === undefined || !isSameEntry(now.entry, entryAt(store, base, name))) continue;
        const one: Work = name === toBytes(work.path) ? work : { kind: "remove", path: fromBytes(name) };
        await files.perform(one, { deadline, seen: Seen.of([path, now]) });
      }
      removeIfEmpty(disk.at(work.path));
    } else if (work.kind === "folder" || work.kind === "prune") {
      await files.perform(work, { deadline });
    } else {
      const path = disk.at(work.path);
      if (lstat(path)?.isDirectory) return;
      const now = await disk.look(path, { readAlways: true });
      const before = entryAt(store, base, toBytes(work.path));
      const wasFile = before?.mode === MODE_FOLDER ? undefined : before; // a folder was removed to make room
      // No setuid or setgid: a planted record must not make a program run as another user.
      const plain = { ...work, permissions: work.permissions & 0o777 };
      if (!isSameEntry(now?.entry, wasFile)) return;
      await files.perform(plain, { deadline, seen: Seen.of([path, now]) });
    }
  } catch (error) {
    // Too much has changed for this work: the file shows as modified or missing.
    if (!(error instanceof PaddockError) || error.code === "INTERNAL" || error.code === "TIMEOUT") {
      throw error;
    }
  }
}

/**
 * No stat is recorded for recovered files: git reads them when it next looks. What somebody has staged since stays.
 */
async function completeIndex(record: ChangeRecord, { store, index, disk }: RecoveryContext): Promise<void> {
  const tree = treeOf(store, record.new);
  const trees = [...commitsOf(record, store)].map((commit) => treeOf(store, commit));
  index.load(() => filesBelow(store, entryAt(store, tree, ""), ""));
  const isKnown = (name: string) =>
    index.versionsOf(name)
      .every((entry) => trees.some((one) => isSameEntry(entryAt(store, one, name), entry)));
  const touched = record.touched.filter((path) => [...index.namesBelow(path)].every(isKnown));
  try {
    await updateIndex(index, { store, tree, touched, stats: new Map(), moved: movesOf(record.work) });
    await index.save((name, entry) => disk.prove(fromBytes(name), entry));
  } catch (error) {
    index.discard();
    throw error;
  }
}
