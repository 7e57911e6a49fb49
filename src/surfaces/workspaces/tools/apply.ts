import * as s from "../../../tools/schema/mod.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import { previewText } from "../compact.ts";
import type { OpenWorkspace, WorkspacesContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";
import { changesArgument, operationsOf, summaryOf } from "../operations.ts";
import {
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

export const apply = defineTool({
  name: "fs_apply",
  title: "Apply changes",
  description:
    "Change several files as one commit, all or nothing. `write` takes path and content, `edit` path and edits, `delete` and `mkdir` path, `move` source and destination; each sees what those before it did.",
  details:
    "Make several changes as one commit: all of them, or none if one does not fit, even if the server is killed in " +
    "the middle. `write` creates a file or replaces its content, `edit` works like fs_edit_file, `delete` takes a " +
    "file, a link, or a folder with everything in it, `move` needs a free destination, `mkdir` accepts a folder " +
    "that exists. Missing folders are created. Each operation sees what those before it did. At most 1,000. `message` is " +
    "the first line of the commit's message; `dryRun` only shows the diff. Example: " +
    '{"workspaceId":"my-first-workspace","changes":[{"op":"move","source":"a.ts","destination":"lib/a.ts"},{"op":"edit",' +
    '"path":"main.ts","edits":[{"oldText":"./a.ts","newText":"./lib/a.ts"}]}],"message":"Move a.ts to lib"}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    changes: changesArgument,
    message: s.string().max(10_000).optional(),
    dryRun: dryRunArgument,
  }),
  output: s.object({
    dryRun: s.boolean(),
    changes: s.int().optional().describe("How many were made."),
    files: fileChanges.optional().describe("In a dry run."),
    count: s.int().optional().describe("How many files would change."),
    diff: diffResult.optional(),
    truncated: truncatedResult.optional(),
    commit: commitResult.optional(),
    kept: keptResult,
  }),
  compact: ({ files = [], count = 0, ...value }) =>
    value.dryRun ? previewText({ ...value, files, count }) : compactFields(value),
  timeLimit: () => HOUR_MS, // as long as there is much to read
  run: async ({ workspaceId, changes, message, dryRun }, context: WorkspacesContext) => {
    const { signal } = context.call;
    const operations = operationsOf(changes, signal);
    const { planOperations } = await import("../../../engine/history/mod.ts"); // not always needed
    const plan = async ({ resolve }: OpenWorkspace) => ({
      summary: summaryOf(changes, message),
      steps: await planOperations(operations, { resolve, maxBytes: context.maxSize, signal }),
      value: undefined,
    });
    const meant = {
      workspaceId,
      path: (index: number) => changes[index]?.path ?? changes[index]?.source,
    };
    if (dryRun) {
      const limits = { ...DIFF_LIMITS, maxBytes: PREVIEW_BYTES };
      const { files, count, diff, truncated } = await withNearbyNames(
        context,
        meant,
        () => context.preview(workspaceId, plan, limits),
      );
      return { value: { dryRun, files: [...files], count, diff, truncated } };
    }
    const change = () => context.change(workspaceId, plan);
    const { commit, kept } = await withNearbyNames(context, meant, change);
    return { value: { dryRun, changes: changes.length, commit, ...(kept === undefined ? {} : { kept }) } };
  },
});
