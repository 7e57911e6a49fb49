/** Errors that a search or a walk passes over. */
import { PaddockError } from "../../../base/errors.ts";

/** Whether an error concerns a single file or folder: it is not readable, has gone, was swapped, or is busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof PaddockError && PASSING.has(error.code);
}

const PASSING: ReadonlySet<string> = new Set([
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "OUT_OF_BOUNDS",
  "INVALID_INPUT",
  "UNSUPPORTED",
  "CONFLICT",
]);
