/**
 * The tree below a folder, level by level, so that a limit leaves out what is deepest. Links are named, but nothing
 * below them is.
 */
import { PaddockError } from "../../base/errors.ts";
import type { ConfinedPath } from "../../engine/fence.ts";
import { shownName } from "../../text/compact_matches.ts";
import { entriesOf, type ListOptions } from "./entries.ts";
import type { Excludes } from "./globs.ts";

export interface TreeNode {
  name: string;
  type: "file" | "directory";
  /** Bytes in a file, if sizes are requested. */
  size?: number;
  /** For folders only; empty if nothing is in the folder, or nothing that is shown. */
  children?: TreeNode[];
  /** Whether only a part of the folder is shown. */
  truncated?: true;
}

export interface TreeOptions extends ListOptions {
  excludes: Excludes;
  /** How many entries may be shown. */
  limit: number;
  /** Whether to show the sizes of files. */
  sizes?: boolean;
}

export interface Tree {
  tree: TreeNode[];
  entries: number;
  truncated: boolean;
}

interface Pending {
  path: ConfinedPath;
  /** Below the folder the tree begins at, with a trailing slash; empty for that folder. */
  prefix: string;
  node: TreeNode;
}

export async function treeOf(folder: ConfinedPath, options: TreeOptions): Promise<Tree> {
  const { workspace, excludes, limit, sizes = false } = options;
  const top: TreeNode = { name: "", type: "directory", children: [] };
  const pending: Pending[] = [{ path: folder, prefix: "", node: top }];
  let entries = 0;
  let truncated = false;
  for (const { path, prefix, node } of pending) {
    const children = await entriesUnlessGone(path, { ...options, isTop: prefix === "" });
    for (const { name, type, size, isLink } of children) {
      const below = prefix + name;
      if (excludes(below)) continue;
      if (entries >= limit) {
        node.truncated = truncated = true;
        break;
      }
      entries++;
      const child: TreeNode = type === "directory"
        ? { name, type, children: [] }
        : { name, type, ...(sizes ? { size } : {}) };
      node.children?.push(child);
      if (type === "directory" && !isLink) {
        const relative = path.relative === "" ? name : `${path.relative}/${name}`;
        const next = workspace.resolve(relative, { follow: false });
        pending.push({ path: next, prefix: `${below}/`, node: child });
      }
    }
  }
  return { tree: top.children ?? [], entries, truncated };
}

/**
 * The tree as text: an indentation for each level, a slash after a folder, the size after a file, … where it is
 * truncated.
 */
export function treeText(nodes: readonly TreeNode[], indent = ""): string {
  return nodes.map(({ name, size, children, truncated }) => {
    const end = children === undefined ? size === undefined ? "" : ` ${size}` : "/";
    const line = `${indent}${shownName(name)}${end}${truncated ? " …" : ""}`;
    return children === undefined || children.length === 0
      ? line
      : `${line}\n${treeText(children, `${indent} `)}`;
  }).join("\n");
}

/** A folder that is removed or cannot be read while the tree is walked is shown as empty. */
async function entriesUnlessGone(path: ConfinedPath, options: ListOptions & { isTop: boolean }) {
  try {
    return (await entriesOf(path, options)).entries;
  } catch (error) {
    if (error instanceof PaddockError && error.code !== "TIMEOUT" && !options.isTop) return [];
    throw error;
  }
}
