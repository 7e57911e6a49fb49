/** What remains to be done once all steps of a plan are carried out: names are synced, new folders get their modes. */
import { PaddockError } from "../../base/errors.ts";
import { openFolder, setOwnership } from "../../confine/confined_fs.ts";
import { type ConfinedPath, rootPathOf } from "../../confine/resolve_path.ts";
import { settleAll } from "../settle.ts";
import { lookShort } from "./look.ts";
import { placeOf } from "./prepare.ts";
import { type FolderState, liesIn, movedTo, parentPath, type Step } from "./state.ts";
import type { UndoStore } from "./store.ts";

export async function finishSteps(steps: readonly Step[], store: UndoStore): Promise<void> {
  await settleParents(steps, store);
  await setFolderModes(steps, store);
}

/** Syncs all names, once for each folder. */
async function settleParents(steps: readonly Step[], store: UndoStore): Promise<void> {
  const paths = new Set(steps.flatMap((step) => step.op === "move" ? [step.path, step.dest] : [step.path]));
  const folders = [...new Set([...paths].map(parentPath))].flatMap((folder) => folderAt(store, folder) ?? []);
  await settleAll(folders, "it was changed");
}

async function setFolderModes(steps: readonly Step[], store: UndoStore): Promise<void> {
  for (const [relative, state] of newFolders(steps)) {
    const path = folderAt(store, relative);
    const folder = path && openFolder(path);
    if (path === undefined || folder === undefined) continue;
    try {
      await setOwnership(path, { ...state, file: folder });
    } finally {
      folder.close();
    }
  }
}

/** The folders that the steps create, where they are in the end: a later step may move or remove one. */
export function newFolders(steps: readonly Step[]): Map<string, FolderState> {
  const folders = new Map<string, FolderState>();
  for (const step of steps) {
    if (step.op === "put" && step.before.kind === "absent") {
      if (step.after.kind === "folder") folders.set(step.path, step.after);
      continue;
    }
    if (step.op === "splice") continue;
    for (const [path, state] of [...folders]) {
      if (!liesIn(step.path, path)) continue;
      folders.delete(path);
      if (step.op === "move") folders.set(movedTo(path, { from: step.path, to: step.dest }), state);
    }
  }
  return folders;
}

/** Undefined if there is none by now: a later step may have removed it, or put something in its place. */
function folderAt(store: UndoStore, relative: string): ConfinedPath | undefined {
  try {
    const path = relative === "" ? rootPathOf(store.root) : placeOf(store, relative);
    return lookShort(path)?.isDirectory ? path : undefined;
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}
