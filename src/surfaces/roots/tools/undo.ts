import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import {
  changeId,
  compactView,
  dryRun,
  otherHalf,
  planArgument,
  UNDO_LIMIT_MS,
  viewResult,
} from "../undo_schemas.ts";

export const undo = defineTool({
  name: "undo",
  title: "Undo",
  description:
    "Undo changes, all or nothing: your last one, or by id. Later edits stay. Undo an undo to redo.",
  details: "Undo changes, all or nothing: the last one of this session, or any by its id. What was changed " +
    "since stays, or the call says where the two conflict and changes nothing. To redo a change, undo its " +
    'undo. Example: {"root":"src"}.',
  access: "write",
  recordsItself: true,
  needsUndo: true,
  timeLimit: () => UNDO_LIMIT_MS,
  input: s.strictObject({
    root: rootArgument,
    id: changeId.optional().describe("Or several, comma-separated."),
    count: s.int().min(1).max(100).optional().describe("Your last N."),
    dry_run: dryRun,
    plan: planArgument,
  }),
  output: s.object({
    undone: s.array(s.string()),
    change: s.string().optional().describe("Id of this undo."),
    merged: s.array(s.string()).describe("Files that had been changed since."),
    ...viewResult,
    plan: s.string(),
    also: s.array(otherHalf).optional().describe("Other halves in other roots, to be undone there."),
  }),
  compact: (value, { dry_run }) => compactView(value, dry_run ? [] : ["plan"]),
  run: async ({ root, id, count, dry_run, plan }, context: RootsContext) => {
    if (id !== undefined && count !== undefined) {
      throw new PaddockError("INVALID_INPUT", "give id or count, not both");
    }
    const { operations } = await context.undo(root);
    const ids = id === undefined ? [] : id.split(/[\s,]+/).filter((part) => part !== "");
    return { value: { ...await operations.undo({ ids, count: count ?? 1, dryRun: dry_run, plan }) } };
  },
});
