/** A tool as it is listed, from its definition. */
import * as s from "./schema/mod.ts";
import type { Tool, ToolListing } from "./tool.ts";

/** The list for programs includes the bounds of arguments. */
export function listingOf<C>(tool: Tool<C>, { forPrograms = false } = {}): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: s.jsonSchema(tool.input, "input", { isBrief: !forPrograms }),
    ...(tool.textOnly ? {} : { outputSchema: s.jsonSchema(tool.output, "output") }),
    annotations: tool.hints ?? {
      title: tool.title,
      readOnlyHint: tool.access !== "write",
      destructiveHint: false,
      ...(tool.idempotent ? { idempotentHint: true } : {}),
      openWorldHint: false,
    },
  };
}
