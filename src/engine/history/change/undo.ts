/**
 * Rolls back the part of a change that was made before a step failed, for example on a full disk or in a read-only
 * folder. What cannot be rolled back is left, and shows in git as modified: nothing is lost, because the commit
 * before holds everything that was there. What somebody else has written since is left, too.
 */
import { PaddockError } from "../../../base/errors.ts";
import { unlink } from "../../../confine/confined_fs.ts";
import { osCode } from "../../../confine/os_errors.ts";
import { fromBytes, toBytes } from "../objects/byte_names.ts";
import type { Disk } from "../files/disk.ts";
import type { Modes } from "../files/modes.ts";
import { MODE_FOLDER, MODE_LINK } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { Seen, stampOfState } from "./seen.ts";
import { entryAt, filesBelow } from "../objects/tree_edits.ts";
import type { Work } from "./work.ts";
import { removeIfEmpty, type WorkingTree } from "./working_tree.ts";

export interface UndoContext {
  readonly disk: Disk;
  readonly files: WorkingTree;
  readonly modes: Modes;
  readonly store: ObjectStore;
  /** The state of the affected files before the change. */
  readonly tree: string | undefined;
  /** The files that were replaced. */
  readonly replaced: ReadonlyMap<Work, Deno.FileInfo>;
  /** Until when to wait for a lock, by Date.now(). */
  readonly deadline: number;
}

/** A piece of work, and the file's stat after it. */
export interface Done {
  readonly work: Work;
  readonly after: Deno.FileInfo | undefined;
}

/** `failed` may have been done in part. False if something could not be rolled back. */
export async function undo(
  done: readonly Done[],
  failed: Work | undefined,
  context: UndoContext,
): Promise<boolean> {
  let isAllBack = true;
  const last = failed?.kind === "remove" ? [{ work: failed, after: undefined }] : [];
  for (const one of [...done, ...last].toReversed()) {
    try {
      isAllBack = await undoOne(one, context) && isAllBack;
    } catch (error) {
      if (!(error instanceof PaddockError) && osCode(error) === undefined) throw error;
      isAllBack = false;
    }
  }
  return isAllBack;
}

async function undoOne({ work, after }: Done, context: UndoContext): Promise<boolean> {
  const { disk, files, modes, store, tree, replaced, deadline } = context;
  let isAllBack = true;
  if (work.kind === "move") await files.perform({ kind: "move", from: work.to, to: work.from }, { deadline });
  else if (work.kind === "folder") removeIfEmpty(disk.at(work.path));
  else if (work.kind === "prune") return true; // what comes back recreates its folder
  else {
    const isOurs = work.kind === "remove" || stampOfState(disk.stat(work.path)) === stampOfState(after);
    if (!isOurs) return false;
    const path = toBytes(work.path);
    const was = entryAt(store, tree, path);
    // A file where a folder was: rolling back the removal before it, which comes next, restores what was in it.
    const before = work.kind === "write" && was?.mode === MODE_FOLDER
      ? []
      : [...filesBelow(store, was, path)];
    if (work.kind === "remove" && was?.mode !== MODE_FOLDER) removeIfEmpty(disk.at(work.path));
    if (before.length === 0 && disk.stat(work.path) !== undefined) unlink(disk.at(work.path));
    for (const { name, mode, oid } of before) {
      const file = fromBytes(name);
      const isThere = work.kind === "remove" && disk.stat(file) !== undefined;
      if (!isThere && mode === MODE_LINK) isAllBack = false;
      if (isThere || mode === MODE_LINK) continue;
      const permissions = (replaced.get(work)?.mode ?? modes.permissionsOf(file, mode)) & 0o777;
      const seen = Seen.of([disk.at(file), work.kind === "write" && after ? { info: after } : undefined]);
      const write: Work = { kind: "write", path: file, oid, mode, permissions };
      if (await files.perform(write, { deadline, seen }) === undefined) isAllBack = false;
    }
  }
  return isAllBack;
}
