import * as s from "../../../tools/schema/mod.ts";
import { rootArgument } from "../../../tools/schemas.ts";
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
import { remarks, searchPathArgument, searchTimeLimit } from "../../search_arguments.ts";
import type { RootsContext } from "../context.ts";

export const grep = defineTool({
  name: "grep",
  title: "Search in files",
  description: `${GREP_DESCRIPTION} To find files by name: glob.`,
  details: `${GREP_DETAILS} To find files by name use glob. ` +
    'Example: {"root":"src","pattern":"TODO|FIXME","glob_filter":"*.ts","context_lines":2}.',
  access: "read",
  input: s.strictObject({
    root: rootArgument,
    pattern: grepPattern,
    path: searchPathArgument.describe("folder or file, relative to the root"),
    ...grepArguments,
  }),
  output: grepOutput,
  compact: grepText,
  timeLimit: searchTimeLimit,
  run: async (args, context: RootsContext) => {
    const { found, hint } = await grepBelow(context.resolve(args.root, args.path), args, context);
    const { skipped } = found;
    return { value: { ...found, ...remarks({ skipped, rootsLeftOut: context.leftOut(), hint }) } };
  },
});
