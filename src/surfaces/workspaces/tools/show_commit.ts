import * as s from "../../../tools/schema/mod.ts";
import { timestamp } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { changesText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
import {
  commitArgument,
  DIFF_LIMITS,
  diffResult,
  fileChanges,
  truncatedResult,
  workspaceArgument,
} from "../schemas.ts";

export const showCommit = defineTool({
  name: "fs_show_commit",
  title: "Show commit",
  description: "Show one commit: author, date, message, files and diff.",
  details:
    "Show one commit: who made it and when, its message, the files it changed, and the changes as a unified diff. For a " +
    "large commit only a part is shown (`truncated`); fs_diff shows single paths of it. " +
    'Example: {"workspaceId":"my-first-workspace","commit":"HEAD"}.',
  access: "read",
  input: s.strictObject({ workspaceId: workspaceArgument, commit: commitArgument }),
  output: s.object({
    commit: s.string(),
    parents: s.array(s.string()),
    author: s.string(),
    date: timestamp,
    message: s.string(),
    files: fileChanges,
    count: s.int().describe("How many files it changed, even if not all are listed."),
    diff: diffResult,
    truncated: truncatedResult,
  }),
  compact: ({ commit, author, date, message, files, count, diff, truncated }) =>
    `${commit.slice(0, 12)} ${date} ${author}: ${message.trimEnd()}\n${
      changesText({ files, count, diff, truncated })
    }`,
  run: async ({ workspaceId, commit }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const shown = await workspace.history.show(commit, { ...DIFF_LIMITS, signal: context.call.signal });
    return {
      value: {
        commit: shown.commit,
        parents: [...shown.parents],
        author: shown.author,
        date: shown.date,
        message: shown.message,
        files: [...shown.files],
        count: shown.count,
        diff: shown.diff,
        truncated: shown.truncated,
      },
    };
  },
});
