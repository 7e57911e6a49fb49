/** Operations that a surface offers as methods of their own too, beside MCP's: known before it is loaded. */
export const BARE_METHODS: Record<SurfaceConfig["kind"], readonly string[]> = {
  roots: [],
  flat: ["list_files", "read_file", "edit_file"],
  workspaces: [],
};

/** What a client is told when it connects. Apart from the surfaces, because it is needed before they are. */
import { type SurfaceConfig } from "../base/config.ts";

export const INSTRUCTIONS: Record<SurfaceConfig["kind"], string> = {
  roots:
    "Files live in named roots. Call list_roots first to see the roots and what is allowed on each; every " +
    "other tool takes `root` and a `path` relative to it. Paths outside a root are refused.",
  flat: "Files live in one folder. Call list_files to see them; names are plain file names, without folders.",
  workspaces:
    "Files live in workspaces, where every change is a commit that can be undone. Call workspace_list " +
    "to see them, or workspace_create for a new one.",
};
