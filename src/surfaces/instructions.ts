/** What is known of a surface before it is loaded: what clients are told, and methods beside MCP's own. */
import { type SurfaceConfig } from "../base/config.ts";

/** Told to a client when it connects. */
export const INSTRUCTIONS: Record<SurfaceConfig["kind"], string> = {
  roots:
    "Files live in named roots. Call list_roots first to see the roots and what is allowed on each; every " +
    "other tool takes `root` and a `path` relative to it. Paths outside a root are refused.",
  flat: "Files live in one folder. Call list_files to see them; names are plain file names, without folders.",
};

/** Operations that a surface offers as methods of their own too. */
export const BARE_METHODS: Record<SurfaceConfig["kind"], readonly string[]> = {
  roots: [],
  flat: ["list_files", "read_file", "edit_file"],
};
