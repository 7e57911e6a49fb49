/** What is in a folder of a workspace, as the surface shows it: files and folders, and never a `.git`. */
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedPath, isGitName } from "../../engine/fence.ts";
import { fileInfo } from "../../engine/file_info.ts";
import { listFolderCounted } from "../../engine/metadata.ts";
import type { OpenWorkspace } from "./context.ts";

export interface Entry {
  name: string;
  type: "file" | "directory";
  /** Bytes in a file; 0 for a folder, and for what is neither. */
  size: number;
  /** Whether it is a link: what it leads to is shown, but never entered. */
  isLink: boolean;
}

export interface ListOptions {
  workspace: OpenWorkspace;
  signal: AbortSignal;
}

export interface Entries {
  /** In order of their names. */
  entries: Entry[];
  /** How many more there are, with names that are not valid UTF-8; missing if there are none. */
  counted: { unnamed?: number };
}

export async function entriesOf(folder: ConfinedPath, options: ListOptions): Promise<Entries> {
  const { entries: infos, unnamed } = await listFolderCounted(folder, options.signal);
  const entries = infos
    .filter(({ name }) => !isGitName(name))
    .map(({ name, type, size }) => {
      if (type === "symlink") return { name, ...targetOf(folder, name, options.workspace), isLink: true };
      if (type === "directory") return { name, type, size: 0, isLink: false };
      return { name, type: "file" as const, size: type === "file" ? size : 0, isLink: false };
    });
  return { entries, counted: unnamed > 0 ? { unnamed } : {} };
}

/** Reveals nothing about what is outside, in a `.git`, or missing. */
function targetOf(
  folder: ConfinedPath,
  name: string,
  workspace: OpenWorkspace,
): Pick<Entry, "type" | "size"> {
  try {
    const path = folder.relative === "" ? name : `${folder.relative}/${name}`;
    const { type, size } = fileInfo(workspace.resolve(path));
    return { type, size: type === "file" ? size : 0 };
  } catch (error) {
    if (error instanceof PaddockError) return { type: "file", size: 0 };
    throw error;
  }
}
