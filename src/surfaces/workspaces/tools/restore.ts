import { z } from "zod";
import { type Restored } from "../../../engine/history/mod.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import { previewText } from "../compact.ts";
import { type WorkspacesContext } from "../context.ts";
import {
  commitArgument,
  commitResult,
  DIFF_LIMITS,
  diffResult,
  dryRunArgument,
  fileChanges,
  HOUR_MS,
  keptResult,
  pathArgument,
  PREVIEW_BYTES,
  truncatedResult,
  workspaceArgument,
} from "../schemas.ts";

export const restore = defineTool({
  name: "fs_restore",
  title: "Restore",
  description:
    "Put a `path`, or the whole workspace, back as it was at a commit, as a new commit. A person's files that were recorded only later stay (`skipped`). To take back one commit: fs_revert.",
  details:
    "Put a file or folder (`path`), or the whole workspace, back as it was at a commit, as a new commit: nothing of the " +
    "history is lost, and a restore can be undone by another. Files that tools have made since go away; a person's files " +
    "that were recorded only later stay, and are listed as `skipped`. With `dryRun` " +
    'it is only told what would change, with the diff. Example: {"workspaceId":"my-first-workspace","commit":"HEAD~1","path":"README.md"}.',
  access: "write",
  input: z.strictObject({
    workspaceId: workspaceArgument,
    commit: commitArgument,
    path: pathArgument.optional(),
    dryRun: dryRunArgument,
  }),
  output: z.object({
    dryRun: z.boolean(),
    files: fileChanges,
    count: z.int().describe("How many files change, also when not all are listed."),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })).optional().describe(
      "What is left as it is, on the disk and in the history, because it cannot be put back: symbolic links that differ, " +
        "names that are not UTF-8, what lies in a repository of its own, files that were there before they were recorded.",
    ),
    skippedCount: z.int().optional().describe("How many those are, if any."),
    diff: diffResult.optional().describe("Of a dry run."),
    truncated: truncatedResult.optional().describe("Whether the diff is cut."),
    commit: commitResult.optional(),
    kept: keptResult,
  }),
  compact: (value) => value.dryRun ? previewText(value) : compactFields(value),
  // What is read is what is going to change: the time for that is bounded by how much it is, not by --timeout.
  timeLimit: () => HOUR_MS,
  run: async ({ workspaceId, commit, path, dryRun }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const below = path === undefined ? "" : workspace.resolve(path, { follow: false, change: true }).relative;
    const query = { commit, ...(below === "" ? {} : { path: below }), maxFiles: DIFF_LIMITS.maxFiles };
    const { signal } = context.request;
    if (dryRun) {
      const planned = await workspace.history.planRestore({ ...query, maxBytes: PREVIEW_BYTES, signal });
      return {
        value: { dryRun, ...told(planned), diff: planned.diff, truncated: planned.truncated },
      };
    }
    const { kept, value, ...restored } = await workspace.history.restore(context.request, query);
    return {
      value: {
        dryRun,
        ...told(value),
        commit: restored.commit,
        ...(kept === undefined ? {} : { kept }),
      },
    };
  },
});

function told({ files, count, skipped, skippedCount }: Restored) {
  return {
    files: [...files],
    count,
    ...(skippedCount === 0 ? {} : { skipped: [...skipped], skippedCount }),
  };
}
