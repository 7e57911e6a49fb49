import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { compileExcludes } from "../globs.ts";
import {
  excludeArgument,
  folderArgument,
  limitArgument,
  truncatedResult,
  workspaceArgument,
} from "../schemas.ts";
import { type TreeNode, treeOf, treeText } from "../tree.ts";

const node = s.recursive<TreeNode>("node", (self) =>
  s.object({
    name: s.string(),
    type: s.choice(["file", "directory"]),
    size: s.int().optional().describe("Bytes in a file, with `sizes`."),
    children: s.array(self).optional().describe("Only folders have it."),
    truncated: s.literal(true).optional().describe("Only a part of the folder is shown."),
  }));

export const directoryTree = defineTool({
  name: "fs_directory_tree",
  title: "Directory tree",
  description:
    "Everything below a folder as a tree. A large one is cut (`truncated`): then ask for a deeper path.",
  details:
    "Show everything below a folder as a tree: name and type of each entry, `children` for folders (empty for an " +
    "empty one), and with `sizes` the bytes of each file. A large tree is cut at the deepest levels, and `truncated` says so, for the whole and for each folder that " +
    "is not shown completely: ask for that folder's own path then. " +
    'Example: {"workspaceId":"my-first-workspace","path":".","excludePatterns":["node_modules"]}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: folderArgument,
    excludePatterns: excludeArgument,
    limit: limitArgument({ most: 20_000, usual: 2_000 }),
    sizes: s.boolean().default(false),
  }),
  output: s.object({
    tree: s.array(node),
    entries: s.int().describe("How many are shown."),
    truncated: truncatedResult,
  }),
  compact: ({ tree, truncated }) =>
    treeText(tree as TreeNode[]) + (truncated ? "\n(truncated at … : ask for that path)" : ""),
  run: async ({ workspaceId, path, excludePatterns, limit, sizes }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const excludes = await compileExcludes(excludePatterns);
    const { signal } = context.call;
    const value = await treeOf(workspace.resolve(path), { workspace, excludes, limit, sizes, signal });
    return { value: { ...value }, text: JSON.stringify(value, null, 2) };
  },
});
