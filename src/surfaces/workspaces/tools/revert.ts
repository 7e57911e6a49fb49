import * as s from "../../../tools/schema/mod.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import { previewText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
import {
  commitArgument,
  commitResult,
  DIFF_LIMITS,
  diffResult,
  dryRunArgument,
  fileChanges,
  HOUR_MS,
  keptResult,
  PREVIEW_BYTES,
  truncatedResult,
  workspaceArgument,
} from "../schemas.ts";

export const revert = defineTool({
  name: "fs_revert",
  title: "Revert commit",
  description:
    "Undo one commit, as a new commit, and keep all later ones: a three-way merge. On a conflict nothing changes.",
  details:
    "Undo one commit and keep those after it, as a new commit: files that were changed since are merged, files " +
    "that were moved since are followed. What does not fit is a CONFLICT that names each file, the lines and the later " +
    "commit, and then nothing is changed. With `dryRun` it only shows what would change, with the diff. To go back to " +
    "a commit, and give up what came after it, use fs_restore. " +
    'Example: {"workspaceId":"my-first-workspace","commit":"HEAD~2","dryRun":true}.',
  access: "write",
  input: s.strictObject({ workspaceId: workspaceArgument, commit: commitArgument, dryRun: dryRunArgument }),
  output: s.object({
    dryRun: s.boolean(),
    reverted: s.string().describe("Hash of the reverted commit."),
    merged: s.array(s.string()).optional().describe("Files in which it was merged with later changes."),
    files: fileChanges.optional().describe("In a dry run."),
    count: s.int().optional(),
    diff: diffResult.optional(),
    truncated: truncatedResult.optional(),
    commit: commitResult.optional(),
    kept: keptResult,
  }),
  compact: ({ files = [], count = 0, ...value }) =>
    value.dryRun ? previewText({ ...value, files, count }) : compactFields(value),
  timeLimit: () => HOUR_MS, // as long as there is much to read
  run: async ({ workspaceId, commit, dryRun }, context: WorkspacesContext) => {
    const { history } = await context.open(workspaceId);
    const { request } = context;
    if (dryRun) {
      const limits = { ...DIFF_LIMITS, maxBytes: PREVIEW_BYTES };
      const { value, files, count, diff, truncated } = await history.previewRevert(request, commit, limits);
      return { value: { dryRun, ...fieldsOf(value), files: [...files], count, diff, truncated } };
    }
    const { value, kept, ...made } = await history.revert(request, commit);
    return {
      value: { dryRun, ...fieldsOf(value), commit: made.commit, ...(kept === undefined ? {} : { kept }) },
    };
  },
});

function fieldsOf({ reverted, merged }: { reverted: string; merged: readonly string[] }) {
  return { reverted, ...(merged.length === 0 ? {} : { merged: [...merged] }) };
}
