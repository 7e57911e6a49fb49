import * as s from "../../../tools/schema/mod.ts";
import type { Restored } from "../../../engine/history/mod.ts";
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
  pathArgument,
  PREVIEW_BYTES,
  truncatedResult,
  workspaceArgument,
} from "../schemas.ts";

export const restore = defineTool({
  name: "fs_restore",
  title: "Restore",
  description:
    "Restore a `path`, or the whole workspace, to its state at a commit, as a new commit. A person's files that were recorded only later stay (`skipped`). To undo one commit: fs_revert.",
  details:
    "Restore a file or folder (`path`), or the whole workspace, to its state at a commit, as a new commit: nothing of the " +
    "history is lost, and a restore can be undone by another. Files that tools have created since are removed; a person's files " +
    "that were recorded only later stay, and are listed as `skipped`. With `dryRun` " +
    'it only shows what would change, with the diff. Example: {"workspaceId":"my-first-workspace","commit":"HEAD~1","path":"README.md"}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    commit: commitArgument,
    path: pathArgument.optional(),
    dryRun: dryRunArgument,
  }),
  output: s.object({
    dryRun: s.boolean(),
    files: fileChanges,
    count: s.int().describe("How many files change, even if not all are listed."),
    skipped: s.array(s.object({ path: s.string(), reason: s.string() })).optional().describe(
      "What stays as it is, on disk and in the history, because it cannot be restored: symbolic links that differ, " +
        "names that are not UTF-8, what is in a nested repository, files that existed before they were recorded.",
    ),
    skippedCount: s.int().optional().describe("How many those are, if any."),
    diff: diffResult.optional().describe("In a dry run."),
    truncated: truncatedResult.optional().describe("Whether the diff is truncated."),
    commit: commitResult.optional(),
    kept: keptResult,
  }),
  compact: (value) => value.dryRun ? previewText(value) : compactFields(value),
  // The time is bounded by how much is read, which is what will change, not by --timeout.
  timeLimit: () => HOUR_MS,
  run: async ({ workspaceId, commit, path, dryRun }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const below = path === undefined ? "" : workspace.resolve(path, { follow: false, change: true }).relative;
    const query = { commit, ...(below === "" ? {} : { path: below }), maxFiles: DIFF_LIMITS.maxFiles };
    const { signal } = context.request;
    if (dryRun) {
      const planned = await workspace.history.planRestore({ ...query, maxBytes: PREVIEW_BYTES, signal });
      return {
        value: { dryRun, ...fieldsOf(planned), diff: planned.diff, truncated: planned.truncated },
      };
    }
    const { kept, value, ...restored } = await workspace.history.restore(context.request, query);
    return {
      value: {
        dryRun,
        ...fieldsOf(value),
        commit: restored.commit,
        ...(kept === undefined ? {} : { kept }),
      },
    };
  },
});

function fieldsOf({ files, count, skipped, skippedCount }: Restored) {
  return {
    files: [...files],
    count,
    ...(skippedCount === 0 ? {} : { skipped: [...skipped], skippedCount }),
  };
}
