/** What lies at a path, a link itself included. */
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedPath } from "../../engine/fence.ts";
import { describeEntry, type EntryInfo } from "../../engine/metadata.ts";

/** Undefined when nothing does. */
export function entryAt(path: ConfinedPath): EntryInfo | undefined {
  try {
    return describeEntry(path);
  } catch (error) {
    if (error instanceof PaddockError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
