import * as s from "../../../tools/schema/mod.ts";
import { quote } from "../../../engine/fence.ts";
import { defineTool } from "../../../tools/tool.ts";
import { changesText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
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
    "What differs between two commits. Without `to`: between `from` and the files as they are now; without both: what was changed outside this server since the last commit.",
  details:
    "Show what differs between two commits, or between a commit and the files as they are now (without `to`), for the " +
    "whole workspace or one `path`. Without `from` it is what was changed outside this server since the last commit. " +
    'Example: {"workspaceId":"my-first-workspace","from":"HEAD~5","to":"HEAD","path":"src"}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    from: commitArgument.default("HEAD"),
    to: commitArgument.optional(),
    path: pathArgument.optional(),
  }),
  output: s.object({
    compares: s.string().describe("What was compared."),
    files: fileChanges,
    count: s.int().describe("How many files differ, even if not all are listed."),
    diff: diffResult,
    truncated: truncatedResult,
  }),
  compact: ({ compares, ...changes }) => `${compares}:\n${changesText(changes)}`,
  run: async ({ workspaceId, from, to, path }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const below = path === undefined ? "" : workspace.resolve(path, { follow: false }).relative;
    const compared = await workspace.history.diff({
      from,
      ...(to === undefined ? {} : { to }),
      ...(below === "" ? {} : { path: below }),
      ...DIFF_LIMITS,
      signal: context.call.signal,
    });
    const { files, count, diff, truncated } = compared;
    return {
      value: { compares: comparesText({ ...compared, below }), files: [...files], count, diff, truncated },
    };
  },
});

interface Sides {
  readonly from: string;
  readonly to: string | undefined;
  readonly below: string;
}

function comparesText({ from, to, below }: Sides): string {
  const now = to === undefined ? "the files as they are now" : `commit ${to.slice(0, 12)}`;
  return `commit ${from.slice(0, 12)} with ${now}${below === "" ? "" : ` in ${quote(below)}`}`;
}
