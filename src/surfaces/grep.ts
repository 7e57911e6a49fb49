/** Searching in files, as every surface has it that offers it: arguments, answer, text, and the search itself. */
import { z } from "zod";
import { type ConfinedPath } from "../engine/fence.ts";
import { type GrepResult } from "../engine/search/mod.ts";
import { compactMatches } from "../text/compact_matches.ts";
import { folderHint, listHint } from "./glob_hint.ts";
import {
  searchArguments,
  type Searching,
  searchOptions,
  searchRemarks,
  searchResults,
  tellProgress,
} from "./search_arguments.ts";

export const GREP_DESCRIPTION =
  "Search the lines of text files for an RE2 regex (no lookaround or backreferences). The \\r of CRLF is found only if the pattern names it.";

export const GREP_DETAILS =
  "Search the lines of all text files below a folder for a regular expression (Go's RE2 syntax: no lookaround, " +
  "no back-references; (?i) in front ignores case). Results come in the order of paths. Binary files and symlinks are " +
  "left out. `truncated` says that `max_results` was reached, `timed_out` that the time was; both come with what was " +
  "found so far.";

/** All but where to search. */
export const grepArguments = {
  glob_filter: z.string().min(1).optional().describe('such as "*.{ts,js}" or "src/**/*.ts"'),
  case_insensitive: z.boolean().default(false),
  context_lines: z.int().min(0).max(100).default(0).describe("before and after each match"),
  ...searchArguments,
};

export const grepPattern = z.string().min(1);

export interface GrepArguments extends z.output<z.ZodObject<typeof grepArguments>> {
  pattern: string;
}

export const grepOutput = z.object({
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
});

export function* grepText(value: z.input<typeof grepOutput>): Generator<void, string> {
  const { matches, files_searched } = value;
  const found = matches.length === 0
    ? `no matches in ${files_searched} files`
    : yield* compactMatches(matches);
  return [found, ...searchRemarks(value)].join("\n");
}

/** What is found at or below a path, and a hint where the filter let no file through. */
export async function grepBelow(
  path: ConfinedPath,
  args: GrepArguments,
  searching: Searching,
): Promise<{ found: GrepResult; hint: string | undefined }> {
  const { grep } = await import("../engine/search/mod.ts"); // large, and not always used
  const { glob_filter: filter } = args;
  const found = await grep(path, {
    pattern: args.pattern,
    caseInsensitive: args.case_insensitive,
    globFilter: filter,
    contextLines: args.context_lines,
    ...searchOptions(args, searching),
    onProgress: ({ files_searched, matches }) =>
      tellProgress(searching, files_searched, `${files_searched} files searched, ${matches} matches`),
  });
  const isLost = filter !== undefined && found.files_searched === 0 && !found.timed_out;
  return { found, hint: isLost ? folderHint(filter) ?? listHint(filter) : undefined };
}
