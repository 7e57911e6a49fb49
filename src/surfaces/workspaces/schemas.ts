/** Arguments and results that several tools of the surface share. */
import * as s from "../../tools/schema/mod.ts";

export const workspaceArgument = s.string().max(255).describe("from workspace_list");

/** No file system takes longer ones; answers and messages repeat a path, so they stay short with it. */
export const pathArgument = s.string().max(4_096).describe("relative to the workspace");

export const folderArgument = s.string().max(4_096).default(".").describe(
  "folder, relative to the workspace",
);

export const dryRunArgument = s.boolean().default(false).describe("only show the diff");

/** For what takes as long as there is much to read or change. */
export const HOUR_MS = 3_600_000;

export const recursiveArgument = s.boolean().default(false);

export const commitArgument = s.string().min(1).max(200).describe(
  "hash, HEAD or HEAD~3",
);

export const excludeArgument = s.array(s.string().min(1).max(1_000)).max(100).default([]).describe(
  "globs of what to leave out",
);

export const commitResult = s.string().describe("Hash of the commit; of the current one if nothing changed.");

export const keptResult = s.string().optional().describe(
  "Hash of a commit made first, by author `outside paddock`: it records what a person had changed.",
);

export const fileChanges = s.array(s.object({
  path: s.string(),
  status: s.choice(["added", "modified", "deleted", "renamed"]),
  from: s.string().optional().describe("Old path of a renamed file."),
}));

export const diffResult = s.string().describe(
  "Unified diff for git apply. Of binary and very large files it has only the hashes, by which " +
    "git apply finds them in the repository.",
);

export const truncatedResult = s.boolean().describe("Whether something was left out because of a limit.");

/** The most that one answer shows of differences. */
export const DIFF_LIMITS = { maxBytes: 256 * 1024, maxFiles: 300 } as const;

/** The most of a diff that a dry run shows. */
export const PREVIEW_BYTES = 32 * 1024;

function offsetArgument(what: string) {
  return s.int().min(0).default(0).describe(`${what} to skip`);
}

export function limitArgument({ most, usual }: { most: number; usual: number }) {
  return s.int().min(1).max(most).default(usual);
}

const nextOffsetResult = s.int().optional().describe("The offset to continue with, if there is more.");

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
