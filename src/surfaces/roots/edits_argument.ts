/** String edits as edit_file and apply_changes take them, and the error for one that does not fit. */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../engine/fence.ts";
import { editFailureText } from "../../text/edit_words.ts";
import type { StringEdit, StringEditError } from "../../text/string_edits.ts";
import { textArgument } from "../../tools/schemas.ts";

const MOST_EDITS = 10_000;

export const editsArgument = s.array(s.strictObject({
  old_text: s.string(),
  new_text: textArgument,
  replace_all: s.boolean().default(false),
  near_line: s.int().min(1).optional(),
})).min(1).max(MOST_EDITS);

export type GivenEdits = s.Output<typeof editsArgument>;

export function stringEditsOf(edits: GivenEdits): StringEdit[] {
  return edits.map(({ old_text, new_text, replace_all, near_line }) => ({
    oldText: old_text,
    newText: new_text,
    replaceAll: replace_all,
    nearLine: near_line,
  }));
}

/** `argument` is where the edits were given. */
export function editInWords(
  error: StringEditError,
  { argument, path, edits }: { argument: string; path: string; edits: GivenEdits },
): PaddockError {
  const { failure } = error;
  const index = Number(error.data?.edit_index);
  if (failure === undefined) return error;
  const subject = `${argument}[${index}].old_text`;
  const oldText = edits[index]?.old_text ?? "";
  return new PaddockError(
    "INVALID_INPUT",
    editFailureText({ subject, path: quote(path), oldText, failure }),
    { lines: true, data: { edit_index: index }, forLog: `${subject} does not fit` },
  );
}
