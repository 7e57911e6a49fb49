/** Paths as a model reads them: an indented tree or a list, whichever is shorter. A folder ends with a slash. */
import { shownName } from "./compact_matches.ts";

export interface TreeEntry {
  /** With slashes between names. */
  readonly path: string;
  readonly type: string;
  readonly size?: number | undefined;
}

/** How many entries to process between two pauses. */
const PIECE = 4_096;

/** In steps. */
export function* compactPaths(entries: readonly TreeEntry[]): Generator<void, string> {
  const list: string[] = [];
  for (const entry of entries) if (list.push(shownName(entry.path) + about(entry)) % PIECE === 0) yield;
  const tree = yield* treeText(entries);
  const text = list.join("\n");
  return tree.length < text.length ? tree : text;
}

/** What follows an entry's name. */
export function about({ type, size }: Omit<TreeEntry, "path">): string {
  if (type === "directory") return "/";
  const mark = type === "symlink" ? "@" : type === "other" ? "=" : "";
  return size === undefined || type !== "file" ? mark : ` ${size}`;
}

interface Node {
  entry?: TreeEntry;
  readonly children: Map<string, Node>;
}

function* treeText(entries: readonly TreeEntry[]): Generator<void, string> {
  const top: Node = { children: new Map() };
  for (const [i, entry] of entries.entries()) {
    if (i % PIECE === PIECE - 1) yield;
    let node = top;
    for (const name of entry.path.split("/")) {
      const child: Node = node.children.get(name) ?? { children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    node.entry = entry;
  }
  const lines: string[] = [];
  const write = function* (node: Node, indent: string): Generator<void, void> {
    for (const [name, child] of node.children) {
      let [label, last] = [shownName(name), child];
      // A folder that contains nothing but one folder shares its line.
      while (last.entry === undefined && last.children.size === 1) {
        const [only] = last.children;
        if (only === undefined || only[1].children.size === 0) break;
        label += `/${shownName(only[0])}`;
        last = only[1];
      }
      const { entry = { type: "directory" } } = last;
      lines.push(indent + label + about(last.children.size > 0 ? { type: "directory" } : entry));
      if (lines.length % PIECE === 0) yield;
      yield* write(last, `${indent} `);
    }
  };
  yield* write(top, "");
  return lines.join("\n");
}
