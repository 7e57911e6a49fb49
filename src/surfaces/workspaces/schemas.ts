/** Arguments and results that several tools of the surface share. */
import { z } from "zod";

export const workspaceArgument = z.string().max(255).describe("from workspace_list");

/** No file system takes longer ones; answers and messages repeat a path, so they stay short with it. */
export const pathArgument = z.string().max(4_096).describe("relative to the workspace");

export const folderArgument = z.string().max(4_096).default(".").describe(
  "folder, relative to the workspace",
);

export const dryRunArgument = z.boolean().default(false).describe("only show the diff");

/** For what takes as long as there is much to read or change. */
export const HOUR_MS = 3_600_000;

export const recursiveArgument = z.boolean().default(false);

export const commitArgument = z.string().min(1).max(200).describe(
  "hash, HEAD or HEAD~3",
);

export const excludeArgument = z.array(z.string().min(1).max(1_000)).max(100).default([]).describe(
  "globs of what to leave out",
);

export const commitResult = z.string().describe("Hash of the commit; of the current one if nothing changed.");

export const keptResult = z.string().optional().describe(
  "Hash of a commit made first, by author `outside paddock`: it records what a person had changed.",
);

export const fileChanges = z.array(z.object({
  path: z.string(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  from: z.string().optional().describe("Old path of a renamed file."),
}));

export const diffResult = z.string().describe(
  "Unified diff for git apply. Of binary and very large files it has only the hashes, by which " +
    "git apply finds them in the repository.",
);

export const truncatedResult = z.boolean().describe("Whether something was left out because of a limit.");

/** The most that one answer shows of differences. */
export const DIFF_LIMITS = { maxBytes: 256 * 1024, maxFiles: 300 } as const;

/** The most of a diff that a dry run shows. */
export const PREVIEW_BYTES = 32 * 1024;

function offsetArgument(what: string) {
  return z.int().min(0).default(0).describe(`${what} to skip`);
}

export function limitArgument({ most, usual }: { most: number; usual: number }) {
  return z.int().min(1).max(most).default(usual);
}

const nextOffsetResult = z.int().optional().describe("The offset to continue with, if there is more.");

/** The arguments of a tool that lists things page by page. */
export function pageArguments(what: string, { most = 10_000, usual = 1_000 } = {}) {
  return { offset: offsetArgument(what), limit: limitArgument({ most, usual }) };
}

/** What such a tool says about the page it returns. */
export const pageResults = { truncated: truncatedResult, nextOffset: nextOffsetResult };

/** One page of a list, with the offset of the next. */
export function pageOf<T>(
  all: readonly T[],
  { offset, limit }: { offset: number; limit: number },
): { page: T[]; truncated: boolean; nextOffset?: number } {
  const page = all.slice(offset, offset + limit);
  const end = offset + page.length;
  return end < all.length ? { page, truncated: true, nextOffset: end } : { page, truncated: false };
}
