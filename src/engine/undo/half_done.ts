/**
 * A mark in a store's folder while a change that is all or nothing is under way in the root. One that was left by a
 * process that died tells everybody who comes next, also who only wants to read, that something is half-done.
 */
import { PaddockError } from "../../base/errors.ts";
import { createFile, unlink } from "../../confine/confined_fs.ts";
import { markOf } from "../half_done_mark.ts";
import { type UndoStore } from "./store.ts";

/** While the lock of the root is held. */
export function markHalfDone({ folder }: UndoStore): void {
  try {
    createFile(markOf(folder)).close();
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error; // it is there, or cannot be: then those who write see to it
  }
}

/** The same. What is not through yet keeps its mark. */
export function unmarkHalfDone({ folder, records }: UndoStore): void {
  try {
    if (records.changesIn("running").length === 0) unlink(markOf(folder));
  } catch {
    // The store is gone, or the mark is.
  }
}
