/** What grep and glob have in common. */
import { z } from "zod";

export const searchPathArgument = z.string().max(4_096).default(".").describe(
  "Folder to search, relative to the root; the root itself unless given.",
);

export const resultsArgument = z.int().min(1).default(100).describe("How many matches to return at most.");

export const timeoutArgument = z.int().min(1).max(3_600).default(300).describe(
  "After so many seconds the search ends with what it has found.",
);

export const depthArgument = z.int().min(1).optional().describe(
  "How many levels of folders to go down; 1 is the folder itself.",
);

export const gitignoreArgument = z.boolean().default(false).describe(
  "Whether to leave out .git and what the .gitignore files of the root say.",
);

export const rootsLeftOutResult = z.array(z.string()).optional().describe(
  "Roots inside the folder that were not searched, because they do not allow this tool; they count as skipped.",
);

export const hintResult = z.string().optional().describe(
  "How to write the pattern, if it may be meant otherwise.",
);

/** What a search says beside its findings, of which there may be none. */
export function remarks(
  { skipped, rootsLeftOut, hint }: { skipped: number; rootsLeftOut: string[]; hint?: string | undefined },
) {
  return {
    skipped: skipped + rootsLeftOut.length,
    ...(rootsLeftOut.length === 0 ? {} : { roots_left_out: rootsLeftOut }),
    ...(hint === undefined ? {} : { hint }),
  };
}
