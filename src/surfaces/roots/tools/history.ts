import * as s from "../../../tools/schema/mod.ts";
import { rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { changeId, otherHalf } from "../undo_schemas.ts";

export const history = defineTool({
  name: "history",
  title: "History",
  description: "List what tools have changed in a root, newest first.",
  details:
    "List what tools have changed in a root, newest first, with the ids that show_change, undo and restore " +
    'take. Example: {"root":"src","path":"a.ts"}.',
  access: "read",
  needsUndo: true,
  input: s.strictObject({
    root: rootArgument,
    path: s.string().max(4_096).optional().describe("Only this path."),
    client: s.string().optional().describe("Only this client."),
    since: s.string().optional().describe("A time with zone."),
    limit: s.int().min(1).max(200).default(20).describe("At most."),
    before: changeId.optional().describe("`next` of the last page."),
  }),
  output: s.object({
    changes: s.array(s.object({
      id: s.string(),
      time: s.string(),
      tool: s.string(),
      client: s.string().nullable(),
      summary: s.string(),
      paths: s.array(s.string()).describe("The first few."),
      path_count: s.int(),
      undoable: s.boolean(),
      why_not: s.string().optional(),
      undone_by: s.string().optional(),
      undoes: s.array(s.string()).optional(),
      also: otherHalf.optional(),
    })),
    next: s.string().optional().describe("For `before`, if there is more."),
  }),
  compact: ({ changes, next }) =>
    [
      ...changes.map(({ id, time, client, summary, undoable, why_not, undone_by }) => {
        const mark = undone_by !== undefined ? ` (undone by ${undone_by})` : "";
        const fixed = undoable ? "" : ` (cannot be undone${why_not === undefined ? "" : `: ${why_not}`})`;
        return `${id} ${time} ${client ?? "unknown"}: ${summary}${mark || fixed}`; // the summary names the tool
      }),
      ...(changes.length === 0 ? ["no changes"] : []),
      ...(next === undefined ? [] : [`(more: before=${next})`]),
    ].join("\n"),
  run: async ({ root, path, since, ...query }, context: RootsContext) => {
    const { timeOf } = await import("../../../engine/undo/asking.ts");
    const { operations } = await context.undo(root);
    const relative = path === undefined ? undefined : context.resolve(root, path, { follow: false }).relative;
    const from = since === undefined ? undefined : timeOf(since, "since");
    return { value: { ...await operations.history({ ...query, path: relative, since: from }) } };
  },
});
