import { z } from "zod";
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
  input: z.strictObject({
    root: rootArgument,
    path: z.string().max(4_096).optional().describe("Only this path."),
    client: z.string().optional().describe("Only this client."),
    since: z.string().optional().describe("A time with zone."),
    limit: z.int().min(1).max(200).default(20).describe("At most."),
    before: changeId.optional().describe("`next` of the last page."),
  }),
  output: z.object({
    changes: z.array(z.object({
      id: z.string(),
      time: z.string(),
      tool: z.string(),
      client: z.string().nullable(),
      summary: z.string(),
      paths: z.array(z.string()).describe("The first few."),
      path_count: z.int(),
      undoable: z.boolean(),
      why_not: z.string().optional(),
      undone_by: z.string().optional(),
      undoes: z.array(z.string()).optional(),
      also: otherHalf.optional(),
    })),
    next: z.string().optional().describe("For `before`, if there is more."),
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
    const { timeOf } = await import("../../../engine/undo/mod.ts");
    const { operations } = await context.undo(root);
    const relative = path === undefined ? undefined : context.resolve(root, path, { follow: false }).relative;
    const from = since === undefined ? undefined : timeOf(since, "since");
    return { value: { ...await operations.history({ ...query, path: relative, since: from }) } };
  },
});
