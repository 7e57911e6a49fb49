/** What is wrong with an edit, in words for a model; loaded when edits are made. */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../engine/fence.ts";
import { editFailureText } from "../../text/edit_words.ts";
import { StringEditError } from "../../text/string_edit_error.ts";
import type { GivenEdits } from "./edits_argument.ts";

/** `argument` is where the edits were given. */
export function editInWords(
  error: unknown,
  { argument, path, edits }: { argument: string; path: string; edits: GivenEdits },
): unknown {
  if (!(error instanceof StringEditError) || error.failure === undefined) return error;
  const { failure } = error;
  const index = Number(error.data?.edit_index);
  const subject = `${argument}[${index}].old_text`;
  const oldText = edits[index]?.old_text ?? "";
  return new PaddockError(
    "INVALID_INPUT",
    editFailureText({ subject, path: quote(path), oldText, failure }),
    { lines: true, data: { edit_index: index }, forLog: `${subject} does not fit` },
  );
}
