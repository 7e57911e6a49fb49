/** What is at a path, including a link itself. */
import { PaddockError } from "../../base/errors.ts";
import type { ConfinedPath } from "../../engine/fence.ts";
import { describeEntry, type EntryInfo } from "../../engine/metadata.ts";

/** Undefined if nothing is. */
export function entryAt(path: ConfinedPath): EntryInfo | undefined {
  try {
    return describeEntry(path);
  } catch (error) {
    if (error instanceof PaddockError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
