/** Why a store cannot be used: what SQLite and the system report, worded for the person who made the change. */
import { PaddockError } from "../../base/errors.ts";
import { osCode } from "../../confine/os_errors.ts";

export type TroubleKind = "busy" | "full" | "damaged" | "newer" | "gone" | "unshared" | "unusable";

export class StoreTrouble extends Error {
  readonly kind: TroubleKind;

  constructor(kind: TroubleKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreTrouble";
    this.kind = kind;
  }
}

const BY_MESSAGE: readonly [RegExp, TroubleKind, string][] = [
  [/database (table )?is locked/, "busy", "the undo store stayed locked by another program"],
  [/disk is full|no space|quota/i, "full", "there is no disk space for the undo store"],
  [/malformed|not a database|corrupt/, "damaged", "the undo store was damaged"],
  [/readonly|read-only/, "unusable", "the undo store cannot be written"],
  [/unable to open|disk I\/O|permission|access|NotCapable/i, "unusable", "the undo store cannot be opened"],
];

const BY_CODE: Record<string, [TroubleKind, string]> = {
  ENOSPC: ["full", "there is no disk space for the undo store"],
  EDQUOT: ["full", "there is no disk space for the undo store"],
  EACCES: ["unusable", "the undo store may not be written"],
  EPERM: ["unusable", "the undo store may not be written"],
  EROFS: ["unusable", "the undo store is on a read-only file system"],
  ENOENT: ["gone", "the folder of the undo store is gone"],
  ENOTDIR: ["unusable", "something else is where the undo store should be"],
};

/** An error of the store as trouble; a bug is rethrown as it is. */
export function troubleOf(error: unknown): StoreTrouble {
  if (error instanceof StoreTrouble) return error;
  if (error instanceof PaddockError && error.cause !== undefined) return troubleOf(error.cause);
  if (error instanceof PaddockError) {
    return new StoreTrouble("unusable", `the undo store failed: ${error.message}`, error);
  }
  const code = osCode(error);
  const known = code === undefined ? undefined : BY_CODE[code];
  if (known !== undefined) return new StoreTrouble(known[0], known[1], error);
  const message = error instanceof Error ? error.message : String(error);
  for (const [pattern, kind, words] of BY_MESSAGE) {
    if (pattern.test(message)) return new StoreTrouble(kind, words, error);
  }
  if (code === undefined || !/^E[A-Z_0-9]+$/.test(code)) throw error;
  return new StoreTrouble("unusable", `the undo store failed (${code})`, error);
}
