/**
 * Takes back the part of a change that was made before a step failed: a disk that is full, a folder that may not be
 * written to. What cannot be taken back is left, and shows in git as modified: nothing is lost by that, because
 * the commit before holds all that was there.
 */
import { PaddockError } from "../../base/errors.ts";
import { unlink } from "../../confine/confined_fs.ts";
import { fromBytes, toBytes } from "./byte_names.ts";
import { type Disk } from "./disk.ts";
import { MODE_LINK } from "./objects.ts";
import { type ObjectStore } from "./object_store.ts";
import { entryAt, filesBelow } from "./tree_edits.ts";
import { type Work } from "./work.ts";
import { removeIfEmpty, type WorkingTree } from "./working_tree.ts";

export interface UndoContext {
  readonly disk: Disk;
  readonly files: WorkingTree;
  readonly store: ObjectStore;
  /** What the working tree was in the files concerned. */
  readonly tree: string | undefined;
}

/** `failed` may have been done in part. */
export async function undo(
  done: readonly Work[],
  failed: Work | undefined,
  context: UndoContext,
): Promise<void> {
  const last = failed?.kind === "remove" ? [failed] : [];
  for (const work of [...done, ...last].toReversed()) {
    try {
      await undoOne(work, context);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
    }
  }
}

async function undoOne(work: Work, { disk, files, store, tree }: UndoContext): Promise<void> {
  if (work.kind === "move") await files.perform({ kind: "move", from: work.to, to: work.from });
  else if (work.kind === "folder") removeIfEmpty(disk.at(work.path));
  else {
    const path = toBytes(work.path);
    const before = [...filesBelow(store, entryAt(store, tree, path), path)];
    if (before.length === 0 && disk.stat(work.path) !== undefined) unlink(disk.at(work.path));
    for (const { name, mode, oid } of before) {
      const file = fromBytes(name);
      const isThere = work.kind === "remove" && disk.stat(file) !== undefined;
      if (isThere || mode === MODE_LINK) continue;
      const permissions = (mode & 0o777) === 0 ? 0o644 : mode & 0o777;
      await files.perform({ kind: "write", path: file, oid, mode, permissions });
    }
  }
}
