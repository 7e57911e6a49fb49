/** What is known about a surface before it is loaded: instructions for clients, and methods besides MCP's own. */
import type { Config, SurfaceConfig } from "../base/config.ts";

/** Sent to a client when it connects. */
export const INSTRUCTIONS: Record<SurfaceConfig["kind"], string> = {
  roots:
    "Files live in named roots. Call list_roots first to see the roots and what is allowed on each; every " +
    "other tool takes `root` and a `path` relative to it. Paths outside a root are refused.",
  classic:
    "Files live in the directories that list_allowed_directories names; paths elsewhere are refused. Paths are " +
    "absolute, or relative to the first of these directories.",
  flat: "Files live in one folder. Call list_files to see them; names are plain file names, without folders.",
  workspaces:
    "Files live in workspaces: call workspace_list to see them, workspace_create for a new one. Every other tool " +
    "takes `workspaceId` and paths relative to that workspace. Every change is a commit: fs_get_commit_history, " +
    "fs_show_commit and fs_diff look back, fs_restore undoes. Paths outside the workspace are refused.",
};

/** Operations that a surface also offers as methods of their own. */
export const BARE_METHODS: Record<SurfaceConfig["kind"], readonly string[]> = {
  roots: [],
  classic: [],
  flat: ["list_files", "read_file", "edit_file"],
  workspaces: [],
};

/** The tool that reads what a surface's resources are; a surface without one has no resources. */
const READING: Partial<Record<SurfaceConfig["kind"], string>> = {
  roots: "read_file",
  workspaces: "fs_read_text_file",
};

/** Whether files are also resources: only if a client can read them with a tool, too. */
export function hasResources({ surface, tools }: Pick<Config, "surface" | "tools">): boolean {
  const reading = READING[surface.kind];
  return reading !== undefined && (tools?.includes(reading) ?? true);
}
