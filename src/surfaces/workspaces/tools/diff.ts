import { z } from "zod";
import { defineTool } from "../../../tools/tool.ts";
import { changesText } from "../compact.ts";
import { type WorkspacesContext } from "../context.ts";
import {
  commitArgument,
  DIFF_LIMITS,
  diffResult,
  fileChanges,
  pathArgument,
  truncatedResult,
  workspaceArgument,
} from "../schemas.ts";

export const diff = defineTool({
  name: "fs_diff",
  title: "Diff",
  description:
    "What differs between two commits; without `to`, between `from` and the files as they are now, which without `from` too is what was changed outside this server since the last commit.",
  details:
    "Show what differs between two commits, or between a commit and the files as they are now (without `to`), for the " +
    "whole workspace or one `path`. Without `from` it is what was changed outside this server since the last commit. " +
    'Example: {"workspaceId":"my-first-workspace","from":"HEAD~5","to":"HEAD","path":"src"}.',
  access: "read",
  input: z.strictObject({
    workspaceId: workspaceArgument,
    from: commitArgument.default("HEAD"),
    to: commitArgument.optional(),
    path: pathArgument.optional(),
  }),
  output: z.object({
    files: fileChanges,
    count: z.int().describe("How many files differ, also when not all are listed."),
    diff: diffResult,
    truncated: truncatedResult,
  }),
  compact: changesText,
  run: async ({ workspaceId, from, to, path }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const below = path === undefined ? "" : workspace.resolve(path, { follow: false }).relative;
    const { files, count, diff, truncated } = await workspace.history.diff({
      from,
      ...(to === undefined ? {} : { to }),
      ...(below === "" ? {} : { path: below }),
      ...DIFF_LIMITS,
      signal: context.call.signal,
    });
    return { value: { files: [...files], count, diff, truncated } };
  },
});
