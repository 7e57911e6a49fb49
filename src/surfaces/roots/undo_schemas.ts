/** What the tools about changes take and return. */
import { z } from "zod";
import { compactFields } from "../../tools/compact_fields.ts";

/** Comparing large files takes time, and nothing is changed before that. */
export const UNDO_LIMIT_MS = 300_000;

export const changeId = z.string().max(2_000);

export const dryRun = z.boolean().default(false).describe("Only show the `plan`.");

export const planArgument = z.string().optional().describe("From a dry run: do only that.");

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

/** As a model reads it: the diff covers every file. */
export function compactView(
  value: { truncated: boolean; [field: string]: unknown },
  leaveOut: string[] = [],
): string {
  const { truncated, ...rest } = value;
  const text = compactFields(rest, { leaveOut: ["files", ...leaveOut] });
  return truncated ? `${text}\n(the diff is truncated)` : text;
}

export const otherHalf = z.object({ root: z.string(), id: z.string() });
