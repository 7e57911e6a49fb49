import * as s from "../../../tools/schema/mod.ts";
import type { ResolveOptions } from "../../../engine/fence.ts";
import { rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { changeArgument, operationsOf, summaryOf } from "../change_operations.ts";
import type { RootsContext } from "../context.ts";
import { changedFile, UNDO_LIMIT_MS } from "../undo_schemas.ts";

const MOST_CHANGES = 1_000;

export const applyChanges = defineTool({
  name: "apply_changes",
  title: "Apply changes",
  description:
    "Change several files at once, all or nothing, with one undo. `write` takes path and content, `edit` path and edits, `delete` and `mkdir` path, `move` source and destination; each sees what those before it did.",
  details:
    "Make several changes in a root as one: all of them, or none if one does not fit. If the server is killed in " +
    "the middle, the next call rolls back what it left. They have one change id, and one undo. `write` creates a file or replaces its content; `edit` " +
    "works like edit_file; `delete` takes a file, a link, or a folder with everything in it; `move` replaces a file " +
    "at its destination, and moves into an existing folder; `mkdir` accepts a folder that exists. Missing " +
    "folders are created. Each operation sees what those before it did. `dry_run` only shows what would change. At most 1,000 operations. It " +
    "needs undo to be on. " +
    'Example: {"root":"src","changes":[{"op":"move","source":"a.ts","destination":"lib/a.ts"},{"op":"edit",' +
    '"path":"main.ts","edits":[{"old_text":"./a.ts","new_text":"./lib/a.ts"}]}]}.',
  access: "write",
  recordsItself: true,
  needsUndo: true,
  timeLimit: () => UNDO_LIMIT_MS,
  input: s.strictObject({
    root: rootArgument,
    changes: s.array(changeArgument).min(1).max(MOST_CHANGES),
    dry_run: s.boolean().default(false),
  }),
  output: s.object({
    change: s.string().optional().describe("Id of the change, for undo; missing if nothing was changed."),
    files: s.array(changedFile.extend({ hash: s.string().optional().describe("sha256 of a file written.") })),
    diff: s.string().describe("Unified diff of the edits; in a dry run, of everything."),
    truncated: s.boolean().describe("Whether the diff is cut; show_change shows more."),
    dry_run: s.literal(true).optional().describe("Set if nothing was written."),
  }),
  compact: ({ change, files, diff, truncated, dry_run }) => {
    if (files.length === 0) return "nothing changed: everything is already so";
    const what = dry_run ? "nothing was changed (dry_run); this would be" : `change: ${change}`;
    const listed = files.map(({ path, status, to }) =>
      to === undefined ? `${status} ${path}` : `${status} ${path} to ${to}`
    );
    return [
      what,
      ...listed,
      ...(diff === "" ? [] : [diff]),
      ...(truncated ? ["(the diff is truncated)"] : []),
    ]
      .join("\n");
  },
  run: async ({ root, changes, dry_run }, context: RootsContext) => {
    const operations = operationsOf(changes);
    const { operations: undo } = await context.undo(root).catch(async (error) => {
      const { withoutUndo } = await import("../change_failures.ts");
      throw withoutUndo(error);
    });
    const wanted = {
      operations,
      maxBytes: context.maxSize,
      resolve: (path: string, options: ResolveOptions) => context.resolve(root, path, options),
      isExcluded: (path: string) => context.stores.isExcluded(root, path),
    };
    try {
      const applied = await undo.apply(wanted, { dryRun: dry_run, summary: summaryOf(operations) });
      return { value: { ...applied, ...(dry_run ? { dry_run } : {}) } };
    } catch (error) {
      const { changeInWords } = await import("../change_failures.ts");
      throw await changeInWords(error, { root, changes }, context);
    }
  },
});
