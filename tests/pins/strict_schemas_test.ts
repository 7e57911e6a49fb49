/**
 * Model APIs take a part of JSON Schema only. OpenAI's strict mode wants every object closed and every property
 * required, with null for what may be left out; Gemini's function declarations know no `additionalProperties`, no
 * `default` and no unions. Every tool has to survive both conversions, and take the calls that come of them.
 */
import { assert, assertEquals } from "@std/assert";
import { FLAT_TOOLS } from "../../src/surfaces/flat/surface.ts";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { WORKSPACES_TOOLS } from "../../src/surfaces/workspaces/surface.ts";
import { inputSchema } from "../../src/tools/listed_schemas.ts";
import { meantArguments } from "../../src/tools/tolerance.ts";
import { type Tool } from "../../src/tools/tool.ts";

const TOOLS: readonly Tool<never>[] = [...ROOTS_TOOLS, ...WORKSPACES_TOOLS, ...FLAT_TOOLS];

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  default?: unknown;
  nullable?: boolean;
}

const TYPES = ["string", "integer", "boolean", "array", "object"];
const KNOWN = [
  "type",
  "description",
  "enum",
  "items",
  "properties",
  "required",
  "additionalProperties",
  "default",
];

/** Every schema in a schema, itself first. */
function* parts(schema: Schema): Generator<Schema> {
  yield schema;
  if (schema.items !== undefined) yield* parts(schema.items);
  for (const property of Object.values(schema.properties ?? {})) yield* parts(property);
}

function openAi({ default: _, items, properties, required = [], ...rest }: Schema): Schema {
  if (items !== undefined) return { ...rest, items: openAi(items) };
  if (properties === undefined) return rest;
  const all = Object.entries(properties).map(([name, property]): [string, Schema] => {
    const strict = openAi(property);
    return [name, required.includes(name) ? strict : nullable(strict)];
  });
  return { ...rest, properties: Object.fromEntries(all), required: Object.keys(properties) };
}

function nullable(schema: Schema): Schema {
  const choices = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { ...schema, ...choices, type: [String(schema.type), "null"] };
}

function gemini({ default: _, additionalProperties: __, items, properties, ...rest }: Schema): Schema {
  return {
    ...rest,
    type: String(rest.type).toUpperCase(),
    ...(items === undefined ? {} : { items: gemini(items) }),
    ...(properties === undefined ? {} : {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, gemini(property)]),
      ),
    }),
  };
}

/** The least that a strict model sends: something for what is required, null for everything else. */
function leastCall(schema: Schema): unknown {
  const type = Array.isArray(schema.type) ? schema.type.at(-1) : schema.type;
  if (type === "null") return null;
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === "object") {
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([name, property]) => [name, leastCall(property)]));
  }
  if (type === "array") return [leastCall(schema.items ?? {})];
  return type === "string" ? "a" : type === "integer" ? 1 : true;
}

for (const tool of TOOLS) {
  const schema = inputSchema(tool.input) as Schema;

  Deno.test(`${tool.name} (${schema.required?.[0] ?? "nothing"}) is made of what all model APIs know`, () => {
    for (const part of parts(schema)) {
      assertEquals(Object.keys(part).filter((key) => !KNOWN.includes(key)), []);
      assert(TYPES.includes(String(part.type)), JSON.stringify(part));
      if (part.type === "array") assert(part.items !== undefined, JSON.stringify(part));
      assert(part.enum === undefined || part.enum.every((value) => typeof value === "string"));
    }
  });

  Deno.test(`${tool.name} (${schema.required?.[0] ?? "nothing"}) survives the strict conversions`, () => {
    const strict = openAi(schema);
    for (const part of parts(strict)) {
      if (part.properties === undefined) continue;
      assertEquals(part.additionalProperties, false);
      assertEquals(part.required, Object.keys(part.properties));
    }
    const call = meantArguments(tool.input, leastCall(strict));
    if (tool.name !== "glob") assertEquals(tool.input.safeParse(call).error, undefined);
    for (const part of parts(gemini(schema))) {
      assertEquals(
        Object.keys(part).filter((key) => key === "additionalProperties" || key === "default"),
        [],
      );
      const names = Object.keys(part.properties ?? {});
      assertEquals((part.required ?? []).filter((name) => !names.includes(name)), []);
    }
  });
}
