/** String edits as edit_file and apply_changes take them, and the error for one that does not fit. */
import * as s from "../../tools/schema/mod.ts";
import type { StringEdit } from "../../text/string_edits.ts";
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
