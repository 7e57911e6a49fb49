/** The tools of every surface: statements about all of them are tested over this list, so a new surface is included. */
import { FLAT_TOOLS } from "../../src/surfaces/flat/surface.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { WORKSPACES_TOOLS } from "../../src/surfaces/workspaces/surface.ts";
import type { Tool } from "../../src/tools/tool.ts";

export const SURFACE_TOOLS = {
  flat: FLAT_TOOLS,
  roots: ROOTS_TOOLS,
  workspaces: WORKSPACES_TOOLS,
} satisfies Record<string, readonly Tool<never>[]>;

export type SurfaceName = keyof typeof SURFACE_TOOLS;
