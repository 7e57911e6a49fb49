/** Arguments and results that several tools of the surface share. */
import { z } from "zod";

export const workspaceArgument = z.string().max(255).describe(
  "Id of a workspace, as workspace_list gives it.",
);

/** No file system takes longer ones; answers and messages repeat a path, so they stay short with it. */
export const pathArgument = z.string().max(4_096).describe(
  'Path relative to the workspace, such as "src/main.ts". "." is the workspace itself.',
);

export const folderArgument = z.string().max(4_096).default(".").describe(
  "Folder, relative to the workspace; the workspace itself unless given.",
);

export const commitArgument = z.string().min(1).max(200).describe(
  "A commit: its hash, at least four of the first digits of it, HEAD, or HEAD~3 for the third before HEAD.",
);

export const excludeArgument = z.array(z.string().min(1).max(1_000)).max(100).default([]).describe(
  "Globs of what to leave out, with all below it. One without a slash matches names at any depth.",
);

export const commitResult = z.string().describe("Hash of the commit; of the current one if nothing changed.");

export const keptResult = z.string().optional().describe(
  "Hash of a commit made before, which keeps what somebody had changed outside the server.",
);

export const fileChanges = z.array(z.object({
  path: z.string(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  from: z.string().optional().describe("What a renamed file was called."),
}));

export const diffResult = z.string().describe(
  "Unified diff in git's form, which git apply takes. Of binary and of very large files it has only the hashes, by which " +
    "git apply finds them in the repository.",
);

export const truncatedResult = z.boolean().describe("Whether something was left out because of a limit.");

/** The most that is said of differences in one answer. */
export const DIFF_LIMITS = { maxBytes: 256 * 1024, maxFiles: 300 } as const;

function offsetArgument(what: string) {
  return z.int().min(0).default(0).describe(
    `How many ${what} to leave out at the start, to go on after a cut.`,
  );
}

export function limitArgument(what: string, { most, usual }: { most: number; usual: number }) {
  return z.int().min(1).max(most).default(usual).describe(`How many ${what} to return at most.`);
}

const nextOffsetResult = z.int().optional().describe("The offset to go on with, when there is more.");

/** The arguments of a tool that lists things page by page. */
export function pageArguments(what: string, { most = 10_000, usual = 1_000 } = {}) {
  return { offset: offsetArgument(what), limit: limitArgument(what, { most, usual }) };
}

/** What such a tool says of the page it gives. */
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
