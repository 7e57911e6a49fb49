import { z } from "zod";
import { compactMatches } from "../../../text/compact_matches.ts";
import { rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { type RootsContext } from "../context.ts";
import { folderHint, listHint } from "../glob_hint.ts";
import {
  remarks,
  searchArguments,
  searchOptions,
  searchPathArgument,
  searchRemarks,
  searchResults,
  searchTimeLimit,
  tellProgress,
} from "../search_arguments.ts";

export const grep = defineTool({
  name: "grep",
  title: "Search in files",
  description:
    "Search the lines of text files for an RE2 regex (no lookaround or backreferences). The \\r of CRLF is found only if the pattern names it. To find files by name: glob.",
  details:
    "Search the lines of all text files below a folder for a regular expression (Go's RE2 syntax: no lookaround, " +
    "no back-references; (?i) in front ignores case). Results come in the order of paths. Binary files and symlinks are " +
    "left out. `truncated` says that `max_results` was reached, `timed_out` that the time was; both come with what was " +
    "found so far. To find files by name use glob. " +
    'Example: {"root":"src","pattern":"TODO|FIXME","glob_filter":"*.ts","context_lines":2}.',
  access: "read",
  input: z.strictObject({
    root: rootArgument,
    pattern: z.string().min(1),
    path: searchPathArgument.describe("folder or file, relative to the root"),
    glob_filter: z.string().min(1).optional().describe('such as "*.{ts,js}" or "src/**/*.ts"'),
    case_insensitive: z.boolean().default(false),
    context_lines: z.int().min(0).max(100).default(0).describe("before and after each match"),
    ...searchArguments,
  }),
  output: z.object({
    matches: z.array(z.object({
      file: z.string().describe("Path from the root."),
      line_number: z.int(),
      line_content: z.string(),
      context_before: z.array(z.string()),
      context_after: z.array(z.string()),
      cut: z.boolean().optional().describe(
        "Whether a line was cut to 2,000 characters: the one that matches to the part around the match.",
      ),
      column: z.int().optional().describe("Where the match begins in a line that was cut, in bytes from 1."),
      shown_from: z.int().optional().describe("Where `line_content` begins in such a line, in bytes from 1."),
    })),
    ...searchResults,
    files_searched: z.int().describe("Text files that were looked into."),
    skipped: z.int().describe("Files and folders that could not be read, or are another root's."),
  }),
  compact: function* (value) {
    const { matches, files_searched } = value;
    const found = matches.length === 0
      ? `no matches in ${files_searched} files`
      : yield* compactMatches(matches);
    return [found, ...searchRemarks(value)].join("\n");
  },
  timeLimit: searchTimeLimit,
  run: async (args, context: RootsContext) => {
    const { grep: search } = await import("../../../engine/search/mod.ts"); // large, and not always used
    const found = await search(context.resolve(args.root, args.path), {
      pattern: args.pattern,
      caseInsensitive: args.case_insensitive,
      globFilter: args.glob_filter,
      contextLines: args.context_lines,
      ...searchOptions(args, context),
      onProgress: ({ files_searched, matches }) =>
        tellProgress(context, files_searched, `${files_searched} files searched, ${matches} matches`),
    });
    const { glob_filter: filter } = args;
    const isLost = filter !== undefined && found.files_searched === 0 && !found.timed_out;
    const hint = isLost ? folderHint(filter) ?? listHint(filter) : undefined;
    const { skipped } = found;
    return { value: { ...found, ...remarks({ skipped, rootsLeftOut: context.leftOut(), hint }) } };
  },
});
