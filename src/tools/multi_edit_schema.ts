/**
 * The input and output of multi_edit_text_file on every surface that has it; each surface defines how the
 * file is named.
 */
import * as s from "./schema/mod.ts";
import { expectedHashArgument, hashResult, textArgument } from "./schemas.ts";

export const MULTI_EDIT_NAME = "multi_edit_text_file";

/** The arguments after the path. */
export const multiEditArguments = {
  edits: s.array(s.strictObject({
    old_string: s.string().describe("Exact string to find and replace"),
    new_string: textArgument.describe("Replacement string"),
  })).describe("Array of edit operations to apply sequentially"),
  dry_run: s.boolean().default(false).describe("only show the diff"),
  expected_hash: expectedHashArgument,
};

export const multiEditOutput = s.object({
  success: s.literal(true),
  diff: s.string().describe("Unified diff from the file as it was to the file after all edits."),
  applied_count: s.int().describe("How many edits were applied."),
  line_ranges: s.array(s.object({
    edit_index: s.int().describe("Which edit, from 0."),
    start: s.int().describe("First line it replaced, from 1, as the edits before it left them."),
    end: s.int(),
  })).describe("The lines of each edit."),
  hash: hashResult,
  dry_run: s.literal(true).optional().describe("Set when nothing was written."),
});

export type MultiEditOutput = s.Output<typeof multiEditOutput>;

/** The edits as the engine takes them. */
export function stringEditsOf(
  edits: readonly { old_string: string; new_string: string }[],
): { oldText: string; newText: string }[] {
  return edits.map((edit) => ({ oldText: edit.old_string, newText: edit.new_string }));
}

/** The engine's result, from which the client's is made. */
interface Made {
  diff: string;
  lineRanges: readonly { editIndex: number; start: number; end: number }[];
  hash: string;
}

export function multiEditResult({ diff, lineRanges, hash }: Made, dryRun: boolean): MultiEditOutput {
  return {
    success: true,
    diff,
    applied_count: lineRanges.length,
    line_ranges: lineRanges.map(({ editIndex, start, end }) => ({ edit_index: editIndex, start, end })),
    hash,
    ...(dryRun ? { dry_run: true } : {}),
  };
}
