/** Which tools a configuration offers, from what is known about a tool without loading it. */
import type { Config, RootConfig } from "../base/config.ts";
import type { Tool } from "../tools/tool.ts";

export type ToolFacts = Pick<Tool<never>, "name" | "access" | "needsUndo">;

export function isOffered(tool: ToolFacts, config: Pick<Config, "readOnly" | "surface">): boolean {
  const { readOnly, surface } = config;
  if (surface.kind !== "roots") return !(readOnly && tool.access === "write");
  if (tool.needsUndo && !surface.roots.some(isRecorded)) return false;
  return tool.access === "meta" ||
    surface.roots.some((root) => refusalOn(root, tool, readOnly) === undefined);
}

/** Why a tool may not be used on a root; undefined if it may. */
export function refusalOn(root: RootConfig, tool: ToolFacts, readOnly: boolean): string | undefined {
  const allowed = root.allowedTools;
  if (!allowed.includes("*") && !allowed.includes(tool.name)) {
    return `tool ${tool.name} not allowed on root ${root.name}; allowed there: ${allowed.join(", ")}`;
  }
  if (readOnly && tool.access === "write") {
    return `tool ${tool.name} not allowed on root ${root.name}: the server is read-only`;
  }
  return undefined;
}

function isRecorded({ undo }: RootConfig): boolean {
  return undo !== undefined && "store" in undo;
}
