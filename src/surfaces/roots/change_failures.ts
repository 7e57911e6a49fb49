/** Words the failure of apply_changes: which of the changes, why, and what to do. */
import { PaddockError } from "../../base/errors.ts";
import { OperationFailure } from "../../engine/undo/changes.ts";
import { StringEditError } from "../../text/string_edit_error.ts";
import type { GivenChange } from "./change_operations.ts";
import type { RootsContext } from "./context.ts";
import { editInWords } from "./edits_in_words.ts";
import { withNearbyNames } from "./nearby_names.ts";

interface Given {
  root: string;
  changes: readonly GivenChange[];
}

export async function changeInWords(
  error: unknown,
  { root, changes }: Given,
  context: RootsContext,
): Promise<unknown> {
  if (!(error instanceof OperationFailure)) return error;
  const { index, failure } = error;
  const { op, path = "", source, edits = [] } = changes[index] ?? { op: "write" };
  if (failure instanceof StringEditError) {
    return editInWords(failure, { argument: `changes[${index}].edits`, path, edits });
  }
  const named = await withNames(context, { root, path: source ?? path }, failure);
  const { code, message, data, audit, forLog } = named;
  const elsewhere = op === "move" && code === "OUT_OF_BOUNDS" ? "; only move goes to another root" : "";
  const nothing = /nothing was changed/i.test(message) ? "" : "; nothing was changed";
  return new PaddockError(code, `changes[${index}] (${op}): ${message}${elsewhere}${nothing}`, {
    lines: true,
    forLog: `changes[${index}] (${op}): ${forLog}`,
    cause: failure,
    ...(data === undefined ? {} : { data }),
    ...(audit === undefined ? {} : { audit }),
  });
}

/** Adds the names that may have been meant. */
async function withNames(
  context: RootsContext,
  meant: { root: string; path: string },
  failure: PaddockError,
): Promise<PaddockError> {
  if (failure.data?.argument === "changes") return failure; // it existed, and an earlier change removed it
  try {
    return await withNearbyNames(context, meant, () => Promise.reject(failure));
  } catch (error) {
    return error instanceof PaddockError ? error : failure;
  }
}

/** Explains why apply_changes is unavailable in a root. */
export function withoutUndo(error: unknown): unknown {
  if (!(error instanceof PaddockError) || error.code !== "UNSUPPORTED") return error;
  return new PaddockError(
    "UNSUPPORTED",
    `apply_changes needs undo to be all or nothing, but ${error.message}; make the changes one by one`,
    { cause: error },
  );
}
