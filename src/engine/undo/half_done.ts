/**
 * A mark in a store's folder while an all-or-nothing change is in progress in the root. A mark left by a process
 * that died tells everyone after it, even those who only read, that something is half done.
 */
import { PaddockError } from "../../base/errors.ts";
import { createFile, unlink } from "../../confine/confined_fs.ts";
import { markOf } from "../half_done_mark.ts";
import type { UndoStore } from "./store.ts";

/** Only while the root's lock is held. */
export function markHalfDone({ folder }: UndoStore): void {
  try {
    createFile(markOf(folder)).close();
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error; // it exists, or cannot be created: then writers take care of it
  }
}

/** Likewise. A change still running keeps its mark. */
export function unmarkHalfDone({ folder, records }: UndoStore): void {
  try {
    if (records.changesIn("running").length === 0) unlink(markOf(folder));
  } catch {
    // The store is gone, or the mark is.
  }
}
