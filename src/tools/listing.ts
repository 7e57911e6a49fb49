/** A tool as it is listed, from its definition. */
import type { ZodObject } from "zod";
import { inputSchema, type JsonSchema, outputSchema, programSchema } from "./listed_schemas.ts";
import type { Tool, ToolListing } from "./tool.ts";

/** The list for programs includes the bounds of arguments; a model pays for every word. */
export function listingOf<C>(tool: Tool<C>, { forPrograms = false } = {}): ToolListing {
  const schema: (input: ZodObject) => JsonSchema = forPrograms ? programSchema : inputSchema;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schema(tool.input),
    ...(tool.textOnly ? {} : { outputSchema: outputSchema(tool.output) }),
    annotations: tool.hints ?? {
      title: tool.title,
      readOnlyHint: tool.access !== "write",
      destructiveHint: false,
      ...(tool.idempotent ? { idempotentHint: true } : {}),
      openWorldHint: false,
    },
  };
}
