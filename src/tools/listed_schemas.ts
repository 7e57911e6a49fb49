/**
 * A tool's schemas as listed. A model pays for every word of its input, so the input schema has only types,
 * names, choices and defaults: the argument check knows the bounds, and reports when they are exceeded.
 */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** What is left to the argument check. */
const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "pattern",
]
  .concat("minItems", "maxItems");

export function inputSchema(schema: z.ZodObject): JsonSchema {
  return jsonSchema(schema, "input", (part) => {
    for (const bound of BOUNDS) delete part[bound];
    if (part.default === false) delete part.default; // everyone assumes this default
  });
}

/** The same for programs: with the bounds, except those that every integer has. */
export function programSchema(schema: z.ZodObject): JsonSchema {
  return jsonSchema(schema, "input", withoutUsualBounds);
}

export function outputSchema(schema: z.ZodObject): JsonSchema {
  return jsonSchema(schema, "output", withoutUsualBounds);
}

function withoutUsualBounds(part: JsonSchema): void {
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
}

function jsonSchema(
  schema: z.ZodObject,
  io: "input" | "output",
  trim: (part: JsonSchema) => void,
): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => trim(jsonSchema as JsonSchema),
  });
  return rest;
}
