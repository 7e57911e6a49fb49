/** What the tools about changes take and give. */
import { z } from "zod";
import { compactFields } from "../../tools/compact_fields.ts";

/** What is large takes time to be compared, and nothing is changed before that. */
export const UNDO_LIMIT_MS = 300_000;

export const changeId = z.string().max(2_000);

export const dryRun = z.boolean().default(false).describe("Only tell, with a `plan`.");

export const planArgument = z.string().optional().describe("Of a dry run: do just that.");

export const changedFile = z.object({
  path: z.string(),
  status: z.enum(["created", "changed", "removed", "moved"]),
  to: z.string().optional(),
});

export const viewResult = {
  files: z.array(changedFile),
  diff: z.string().describe("Unified diff."),
  truncated: z.boolean().describe("Whether files or diff are cut."),
};

/** As a model reads it: the diff tells of every file. */
export function compactView(
  value: { truncated: boolean; [field: string]: unknown },
  leaveOut: string[] = [],
): string {
  const { truncated, ...rest } = value;
  const told = compactFields(rest, { leaveOut: ["files", ...leaveOut] });
  return truncated ? `${told}\n(the diff is cut)` : told;
}

export const otherHalf = z.object({ root: z.string(), id: z.string() });
