import * as s from "../../../tools/schema/mod.ts";
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
  input: s.strictObject({ root: rootArgument, id: changeId.describe("Its id, or how it begins.") }),
  output: s.object({
    id: s.string(),
    time: s.string(),
    tool: s.string(),
    client: s.string().nullable(),
    summary: s.string(),
    ...viewResult,
  }),
  compact: (value) => compactView(value, ["tool"]),
  run: async ({ root, id }, context: RootsContext) => {
    const { operations } = await context.undo(root);
    return { value: { ...await operations.show(id) } };
  },
});
