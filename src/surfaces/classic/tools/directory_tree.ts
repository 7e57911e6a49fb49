import * as s from "../../../tools/schema/mod.ts";
import type { ConfinedPath } from "../../../engine/fence.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { compileClassicGlobs, type Matches } from "../globs.ts";
import { FolderWalk } from "../walk_folder.ts";

interface TreeNode {
  name: string;
  type: "file" | "directory";
  children?: TreeNode[];
}

export const directoryTree = defineTextAnswer({
  name: "directory_tree",
  title: "Directory Tree",
  description: "Get a recursive tree view of files and directories as a JSON structure. " +
    "Each entry includes 'name', 'type' (file/directory), and 'children' for directories. " +
    "Files have no children array, while directories always have a children array (which may be empty). " +
    "The output is formatted with 2-space indentation for readability. Only works within allowed directories.",
  access: "read",
  input: s.object({
    path: s.string(),
    excludePatterns: s.array(s.string()).optional().default([]),
  }),
  run: async ({ path, excludePatterns }, context) => {
    const isExcluded = await compileClassicGlobs(excludePatterns.flatMap(meantBy));
    const top = context.resolve(path);
    const tree = await treeOf(top, { walk: new FolderWalk(context), isExcluded, below: "", depth: 1 });
    return JSON.stringify(tree, null, 2);
  },
});

/** A pattern without a star is a name at any depth. */
function meantBy(pattern: string): string[] {
  return pattern.includes("*") ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`];
}

interface Looking {
  walk: FolderWalk;
  isExcluded: Matches;
  /** From the top, with a trailing slash; empty for the top. */
  below: string;
  depth: number;
}

/** The JSON of an entry besides its name and its indentation. */
const ENTRY_LENGTH = 60;

async function treeOf(folder: ConfinedPath, looking: Looking): Promise<TreeNode[]> {
  const { walk, isExcluded, below, depth } = looking;
  const nodes: TreeNode[] = [];
  for (const { name, isDirectory, path } of await walk.entries(folder)) {
    await walk.step();
    if (isExcluded(below + name)) continue;
    walk.count(name.length + ENTRY_LENGTH + 16 * depth);
    const node: TreeNode = { name, type: isDirectory ? "directory" : "file" };
    nodes.push(node);
    if (isDirectory) {
      node.children = await treeOf(path, { ...looking, below: `${below}${name}/`, depth: depth + 1 });
    }
  }
  return nodes;
}
