import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { pageArguments, pageOf, pageResults } from "../schemas.ts";

export const workspaceList = defineTool({
  name: "workspace_list",
  title: "List workspaces",
  description: "List the ids of all workspaces.",
  details: "List the ids of all workspaces, in order. A long list comes in pages: `nextOffset` is the " +
    'offset to continue with. Example: {"limit":100}.',
  access: "read",
  input: s.strictObject({
    ...pageArguments("workspaces"),
  }),
  output: s.object({
    workspaces: s.array(s.object({ workspaceId: s.string() })),
    count: s.int().describe("The total number."),
    ...pageResults,
  }),
  run: async (args, context: WorkspacesContext) => {
    const ids = await context.workspaces.list(context.call.signal);
    const { page, ...rest } = pageOf(ids, args);
    return {
      value: { workspaces: page.map((workspaceId) => ({ workspaceId })), count: ids.length, ...rest },
    };
  },
});
