import * as s from "../../../tools/schema/mod.ts";
import { rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { compactView, dryRun, planArgument, UNDO_LIMIT_MS, viewResult } from "../undo_schemas.ts";

export const restore = defineTool({
  name: "restore",
  title: "Restore",
  description: "Restore a file or folder as it was after a change, or at a time.",
  details:
    "Restore a file or folder to its state right after a change, or at a time. What is unknown for that " +
    'time is left alone and counted. Example: {"root":"src","path":"a.ts","at":"6a6najf9"}.',
  access: "write",
  idempotent: true,
  recordsItself: true,
  needsUndo: true,
  timeLimit: () => UNDO_LIMIT_MS,
  input: s.strictObject({
    root: rootArgument,
    path: s.string().max(4_096).describe("Relative to the root."),
    at: s.string().describe("Change id, or time with zone."),
    dry_run: dryRun,
    plan: planArgument,
  }),
  output: s.object({
    change: s.string().optional().describe("Id of this change; missing if nothing had to be done."),
    unknown: s.int().describe("How many paths were left alone because their earlier state is unknown."),
    ...viewResult,
    plan: s.string(),
  }),
  compact: (value, { dry_run }) => compactView(value, dry_run ? [] : ["plan"]),
  run: async ({ root, path, at, dry_run, plan }, context: RootsContext) => {
    const { operations, relativeOf } = await context.undo(root);
    const relative = relativeOf(path);
    return { value: { ...await operations.restore({ path: relative, at, dryRun: dry_run, plan }) } };
  },
});
