import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";

export const workspaceCreate = defineTool({
  name: "workspace_create",
  title: "Create workspace",
  description:
    "Create a workspace: an empty folder in which every change is a git commit. The answer has its `workspaceId`, made from the name.",
  details:
    "Create a workspace: an empty folder with a git repository, in which every change becomes a commit. The id " +
    "is made from the name (`My First Workspace` gives `my-first-workspace`); if it is taken it gets a number. " +
    'Use the returned workspaceId in all other tools. Example: {"name":"My First Workspace"}.',
  access: "write",
  input: s.strictObject({
    name: s.string().min(1).max(1_000),
  }),
  output: s.object({
    workspaceId: s.string(),
    path: s.string().describe("The folder on the server's machine."),
  }),
  run: async ({ name }, context: WorkspacesContext) => {
    const { id, path } = await context.workspaces.create(name, context.changing);
    return { value: { workspaceId: id, path } };
  },
});
