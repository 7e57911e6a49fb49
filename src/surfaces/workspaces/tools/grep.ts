import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import {
  GREP_DESCRIPTION,
  GREP_DETAILS,
  grepArguments,
  grepBelow,
  grepOutput,
  grepPattern,
  grepText,
} from "../../grep.ts";
import { remarks, searchTimeLimit } from "../../search_arguments.ts";
import type { WorkspacesContext } from "../context.ts";
import { folderArgument, workspaceArgument } from "../schemas.ts";

export const grep = defineTool({
  name: "fs_grep",
  title: "Search in files",
  description: GREP_DESCRIPTION,
  details: `${GREP_DETAILS} To find files by name use fs_search_files. ` +
    'Example: {"workspaceId":"my-first-workspace","pattern":"TODO|FIXME","glob_filter":"*.ts","context_lines":2}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    pattern: grepPattern,
    path: folderArgument.describe("folder or file"),
    ...grepArguments,
  }),
  output: grepOutput,
  compact: grepText,
  timeLimit: searchTimeLimit,
  run: async (args, context: WorkspacesContext) => {
    const workspace = await context.open(args.workspaceId);
    const { found, hint } = await grepBelow(workspace.resolve(args.path), args, context);
    return { value: { ...found, ...remarks({ skipped: found.skipped, rootsLeftOut: [], hint }) } };
  },
});
