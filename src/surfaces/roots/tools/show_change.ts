import { z } from "zod";
import { rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { changeId, compactView, viewResult } from "../undo_schemas.ts";

export const showChange = defineTool({
  name: "show_change",
  title: "Show change",
  description: "Show one change with its diff.",
  details: 'Show one change with its files and its diff. Example: {"root":"src","id":"6a6najf9"}.',
  access: "read",
  needsUndo: true,
  input: z.strictObject({ root: rootArgument, id: changeId.describe("Its id, or how it begins.") }),
  output: z.object({
    id: z.string(),
    time: z.string(),
    tool: z.string(),
    client: z.string().nullable(),
    summary: z.string(),
    ...viewResult,
  }),
  compact: (value) => compactView(value, ["tool"]),
  run: async ({ root, id }, context: RootsContext) => {
    const { operations } = await context.undo(root);
    return { value: { ...await operations.show(id) } };
  },
});
