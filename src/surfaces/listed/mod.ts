/**
 * The tools of every surface as they are listed, generated from their definitions (`deno task docs`): a client asks
 * for the list before anything else, and loading all tools for it took most of the startup time.
 */
import type { Config } from "../../base/config.ts";
import type { ToolListing } from "../../tools/tool.ts";
import { isOffered, type ToolFacts } from "../offered.ts";
import { slashName } from "../slash_name.ts";

/** One line of a generated file. */
export interface ListedTool extends Omit<ToolFacts, "name"> {
  readonly listing: ToolListing;
}

type Listed = Pick<Config, "surface" | "readOnly" | "tools">;

export async function listedTools(config: Listed): Promise<ToolListing[]> {
  const { surface, tools: chosen } = config;
  const isSlashed = surface.kind === "workspaces" && surface.toolNames === "slash";
  return (await allOf(surface.kind)).flatMap(({ listing, ...facts }) => {
    const { name } = listing;
    const isChosen = chosen === undefined || chosen.includes(name) || chosen.includes(slashName(name));
    if (!isChosen || !isOffered({ ...facts, name }, config)) return [];
    return [isSlashed ? { ...listing, name: slashName(name) } : listing];
  });
}

async function allOf(kind: Config["surface"]["kind"]): Promise<readonly ListedTool[]> {
  switch (kind) {
    case "roots":
      return (await import("./roots.json", { with: { type: "json" } })).default as readonly ListedTool[];
    case "classic":
      return (await import("./classic.json", { with: { type: "json" } })).default as readonly ListedTool[];
    case "flat":
      return (await import("./flat.json", { with: { type: "json" } })).default as readonly ListedTool[];
    case "workspaces":
      return (await import("./workspaces.json", { with: { type: "json" } })).default as readonly ListedTool[];
  }
}
