import { z } from "zod";
import { defineTool } from "../../../tools/tool.ts";
import { type WorkspacesContext } from "../context.ts";
import { limitArgument, nextOffsetResult, offsetArgument, pageOf, truncatedResult } from "../schemas.ts";

export const workspaceList = defineTool({
  name: "workspace_list",
  title: "List workspaces",
  description: "List the ids of all workspaces, in order. A long list comes in pages: `nextOffset` is the " +
    'offset to go on with. Example: {"limit":100}.',
  access: "read",
  input: z.strictObject({
    offset: offsetArgument("workspaces"),
    limit: limitArgument("workspaces", { most: 10_000, usual: 1_000 }),
  }),
  output: z.object({
    workspaces: z.array(z.object({ workspaceId: z.string() })),
    count: z.int().describe("How many there are in all."),
    truncated: truncatedResult,
    nextOffset: nextOffsetResult,
  }),
  run: async (args, context: WorkspacesContext) => {
    const ids = await context.workspaces.list(context.call.signal);
    const { page, ...rest } = pageOf(ids, args);
    return {
      value: { workspaces: page.map((workspaceId) => ({ workspaceId })), count: ids.length, ...rest },
    };
  },
});
