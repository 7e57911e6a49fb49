/**
 * The schemas of a tool as they are listed. A model pays for every word of what it is to send, so that has types,
 * names, choices and defaults only: the check knows the bounds, and says so when they are missed.
 */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** What is left to the check. */
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
    if (part.default === false) delete part.default; // who is not told otherwise takes it for that
  });
}

/** The same for programs: with the bounds, but for those that every whole number has. */
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
