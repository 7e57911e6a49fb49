/** Searching in files, the same on every surface that offers it: arguments, result, text, and the search itself. */
import * as s from "../tools/schema/mod.ts";
import type { ConfinedPath } from "../engine/fence.ts";
import type { GrepResult } from "../engine/search/mod.ts";
import { compactMatches } from "../text/compact_matches.ts";
import { folderHint, listHint } from "./glob_hint.ts";
import {
  reportProgress,
  searchArguments,
  type Searching,
  searchOptions,
  searchRemarks,
  searchResults,
} from "./search_arguments.ts";

export const GREP_DESCRIPTION =
  "Search the lines of text files for an RE2 regex (no lookaround or backreferences). The \\r of CRLF matches only if the pattern names it.";

export const GREP_DETAILS =
  "Search the lines of all text files below a folder for a regular expression (Go's RE2 syntax: no lookaround, " +
  "no backreferences; a leading (?i) ignores case). Results are sorted by path. Binary files and symlinks are " +
  "left out. `truncated` says that `max_results` was reached, `timed_out` that time was up; both come with what was " +
  "found so far.";

/** Everything except where to search. */
export const grepArguments = {
  glob_filter: s.string().min(1).optional().describe('such as "*.{ts,js}" or "src/**/*.ts"'),
  case_insensitive: s.boolean().default(false),
  context_lines: s.int().min(0).max(100).default(0).describe("before and after each match"),
  ...searchArguments,
};

export const grepPattern = s.string().min(1);

export interface GrepArguments extends s.Output<s.Fielded<typeof grepArguments>> {
  pattern: string;
}

export const grepOutput = s.object({
  matches: s.array(s.object({
    file: s.string().describe("Path from the root."),
    line_number: s.int(),
    line_content: s.string(),
    context_before: s.array(s.string()),
    context_after: s.array(s.string()),
    cut: s.boolean().optional().describe(
      "Whether a line was cut to 2,000 characters; a matching one to the part around the match.",
    ),
    column: s.int().optional().describe("Where the match begins in a cut line, in bytes from 1."),
    shown_from: s.int().optional().describe("Where `line_content` begins in such a line, in bytes from 1."),
  })),
  ...searchResults,
  files_searched: s.int().describe("Text files searched."),
  skipped: s.int().describe("Files and folders not readable or in another root."),
});

export function* grepText(value: s.Input<typeof grepOutput>): Generator<void, string> {
  const { matches, files_searched } = value;
  const found = matches.length === 0
    ? `no matches in ${files_searched} files`
    : yield* compactMatches(matches);
  return [found, ...searchRemarks(value)].join("\n");
}

/** What is found at or below a path, and a hint if the filter let no file through. */
export async function grepBelow(
  path: ConfinedPath,
  args: GrepArguments,
  searching: Searching,
): Promise<{ found: GrepResult; hint: string | undefined }> {
  const { grep } = await import("../engine/search/mod.ts"); // large, and not always needed
  const { glob_filter: filter } = args;
  const found = await grep(path, {
    pattern: args.pattern,
    caseInsensitive: args.case_insensitive,
    globFilter: filter,
    contextLines: args.context_lines,
    ...searchOptions(args, searching),
    onProgress: ({ files_searched, matches }) =>
      reportProgress(searching, files_searched, `${files_searched} files searched, ${matches} matches`),
  });
  const isLost = filter !== undefined && found.files_searched === 0 && !found.timed_out;
  return { found, hint: isLost ? folderHint(filter) ?? listHint(filter) : undefined };
}
