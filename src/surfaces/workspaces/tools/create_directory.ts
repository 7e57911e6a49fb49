import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../engine/fence.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { entryAt } from "../entry_at.ts";
import { commitResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

export const createDirectory = defineTool({
  name: "fs_create_directory",
  title: "Create directory",
  description:
    "Create a folder and those missing above it, as a commit (an empty one gets a .gitkeep); fine if it exists.",
  details:
    "Create a folder, with all missing folders above it, and commit that; an empty folder is kept in the history " +
    "by a file `.gitkeep` in it. A folder that already exists is fine. " +
    'Example: {"workspaceId":"my-first-workspace","path":"docs/images"}.',
  access: "write",
  idempotent: true,
  input: s.strictObject({ workspaceId: workspaceArgument, path: pathArgument }),
  output: s.object({
    path: s.string(),
    created: s.boolean().describe("Whether it is new."),
    commit: commitResult,
  }),
  run: async ({ workspaceId, path }, context: WorkspacesContext) => {
    const { value: created, commit } = await context.change(workspaceId, (workspace) => {
      const folder = workspace.resolve(path);
      const there = entryAt(folder);
      if (there !== undefined && there.type !== "directory") {
        throw new PaddockError("ALREADY_EXISTS", `path exists and is a file, not a folder: ${quote(path)}`);
      }
      const missing = there === undefined;
      return {
        summary: `Create directory ${shownPath(folder)}`,
        steps: missing ? [{ kind: "folder", path: folder }] : [],
        value: missing,
      };
    });
    return { value: { path, created, commit } };
  },
});
