/** What the tools about changes take and return. */
import * as s from "../../tools/schema/mod.ts";
import { compactFields } from "../../tools/compact_fields.ts";

/** Comparing large files takes time, and nothing is changed before that. */
export const UNDO_LIMIT_MS = 300_000;

export const changeId = s.string().max(2_000);

export const dryRun = s.boolean().default(false).describe("Only show the `plan`.");

export const planArgument = s.string().optional().describe("From a dry run: do only that.");

export const changedFile = s.object({
  path: s.string(),
  status: s.choice(["created", "changed", "removed", "moved"]),
  to: s.string().optional(),
});

export const viewResult = {
  files: s.array(changedFile),
  diff: s.string().describe("Unified diff."),
  truncated: s.boolean().describe("Whether files or diff are cut."),
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

export const otherHalf = s.object({ root: s.string(), id: s.string() });
