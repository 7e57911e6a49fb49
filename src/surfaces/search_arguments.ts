/** What all searches share, on every surface: arguments, limits, progress, and remarks about their results. */
import * as s from "../tools/schema/mod.ts";
import type { ConfinedPath } from "../engine/fence.ts";
import type { SearchPool } from "../engine/search/crew/pool.ts";
import { folderArgument } from "../tools/schemas.ts";
import type { ToolCall } from "../tools/tool.ts";

/** What a search needs of its call's context, on any surface. */
export interface Searching {
  readonly call: ToolCall;
  /** Takes over searches that take long. */
  readonly pool: SearchPool | undefined;
  /** Whether it may enter a folder; default: any. */
  mayEnter?(folder: ConfinedPath): boolean;
}

export const searchPathArgument = folderArgument;

/** How far and how long to search. */
export const searchArguments = {
  max_results: s.int().min(1).default(100),
  timeout_seconds: s.int().min(1).max(3_600).default(300),
  max_depth: s.int().min(1).optional().describe("1: the folder itself"),
  respect_gitignore: s.boolean().default(false).describe(
    "leave out .git and what .gitignore names",
  ),
};

interface SearchArguments {
  max_results: number;
  timeout_seconds: number;
  max_depth?: number | undefined;
  respect_gitignore: boolean;
}

/** The search's own time, plus some for the answer. */
export const searchTimeLimit = (args: SearchArguments): number => args.timeout_seconds * 1000 + 1000;

/** The engine's options for any search. */
export function searchOptions(args: SearchArguments, { call, mayEnter, pool }: Searching) {
  return {
    maxResults: args.max_results,
    timeoutMs: args.timeout_seconds * 1000,
    maxDepth: args.max_depth,
    respectGitignore: args.respect_gitignore,
    signal: call.signal,
    ...(mayEnter === undefined ? {} : { mayEnter }),
    pool,
  };
}

/** Reports to the client how much was searched, and what was found. */
export function reportProgress({ call }: Searching, progress: number, message: string): void {
  call.progress?.({ progress, message });
}

/** What accompanies the results. */
export const searchResults = {
  total_matches: s.int(),
  truncated: s.boolean(),
  timed_out: s.boolean(),
  roots_left_out: s.array(s.string()).optional().describe(
    "Roots inside the folder that were not searched, because they do not allow this tool; they count as skipped.",
  ),
  hint: s.string().optional().describe("How to write the pattern, if something else was meant."),
};

interface Findings {
  matches: readonly unknown[];
  total_matches: number;
  truncated: boolean;
  timed_out: boolean;
  skipped: number;
  roots_left_out?: readonly string[] | undefined;
  hint?: string | undefined;
}

/** The same in words, one line each, if there is anything to say. */
export function searchRemarks(findings: Findings): string[] {
  const { matches, total_matches, truncated, timed_out, skipped, roots_left_out = [], hint } = findings;
  const early = truncated || timed_out;
  const why = timed_out ? "time was up" : "raise max_results or narrow the search";
  return [
    ...(early ? [`(${matches.length} shown of at least ${total_matches}; ${why})`] : []),
    ...(skipped > 0 ? [`(${skipped} skipped: not readable or another root's)`] : []),
    ...(roots_left_out.length > 0 ? [`(roots not searched: ${roots_left_out.join(", ")})`] : []),
    ...(hint === undefined ? [] : [`(${hint})`]),
  ];
}

/** What a search says besides its results, which may be empty. */
export function remarks(
  { skipped, rootsLeftOut, hint }: { skipped: number; rootsLeftOut: string[]; hint?: string | undefined },
) {
  return {
    skipped: skipped + rootsLeftOut.length,
    ...(rootsLeftOut.length === 0 ? {} : { roots_left_out: rootsLeftOut }),
    ...(hint === undefined ? {} : { hint }),
  };
}
