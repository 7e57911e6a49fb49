/**
 * Model APIs accept only part of JSON Schema. Every tool of every surface has to survive the conversion to strict
 * schemas for OpenAI (its agents SDK) and to declarations for Gemini (Google's SDK), and accept the resulting calls:
 * with null for everything that may be left out.
 */
import { assert, assertEquals } from "@std/assert";
import * as s from "../../src/tools/schema/mod.ts";
import { meantArguments } from "../../src/tools/tolerance.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { GoogleGenAI } from "../packages/google_genai.ts";
import { mcpToFunctionTool } from "../packages/openai_agents.ts";
import { SURFACE_TOOLS } from "../support/surfaces.ts";

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  default?: unknown;
}

const TYPES = ["string", "integer", "boolean", "array", "object"];
/** What both of them document, and all others are known to accept. */
const KNOWN = "type description enum items properties required additionalProperties default".split(" ");
/** The fields of Gemini's Schema that could result from those. */
const GEMINI = "type description enum items properties required default nullable".split(" ");
/** OpenAI's limits for strict schemas. */
const MOST_LEVELS = 10;
const MOST_PROPERTIES = 5_000;

/** Every schema in a schema, itself first, with its depth. */
function* parts(schema: Schema, level = 1): Generator<{ part: Schema; level: number }> {
  yield { part: schema, level };
  const below = [schema.items ?? [], Object.values(schema.properties ?? {})].flat();
  for (const part of below) yield* parts(part, level + 1);
  for (const part of schema.anyOf ?? []) yield* parts(part, level);
}

/** As listed for models. */
function inputSchema(input: s.Fielded): s.JsonSchema {
  return s.jsonSchema(input, "input", { isBrief: true });
}

function openAi(tool: Tool<never>): { strict: boolean; parameters: Schema } {
  const { name, description, input } = tool;
  type Given = Parameters<typeof mcpToFunctionTool>;
  const listed = { name, description, inputSchema: inputSchema(input) } as unknown as Given[0];
  const converted = mcpToFunctionTool(listed, { name: "paddock" } as unknown as Given[1], true);
  return { strict: converted.strict, parameters: converted.parameters as Schema };
}

/** The least that a strict model sends: something for what is required, null for everything else. */
function leastCall(schema: Schema): unknown {
  const isNull = schema.type === "null" || schema.anyOf?.some(({ type }) => type === "null") ||
    (Array.isArray(schema.type) && schema.type.includes("null"));
  if (isNull) return null;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === "object") {
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([name, property]) => [name, leastCall(property)]));
  }
  if (schema.type === "array") return [leastCall(schema.items ?? {})];
  return schema.type === "string" ? "a" : schema.type === "integer" ? 1 : true;
}

/** What Google's SDK sends to the API for these tools. */
async function geminiDeclarations(tools: readonly Tool<never>[]): Promise<Declaration[]> {
  let sent: Declaration[] = [];
  const api = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    sent = (await request.json()).tools[0].functionDeclarations;
    return Response.json({ candidates: [{ content: { role: "model", parts: [{ text: "ok" }] } }] });
  });
  try {
    const baseUrl = `http://127.0.0.1:${api.addr.port}`;
    const ai = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl } });
    const functionDeclarations = tools.map(({ name, description, input }) => ({
      name,
      description,
      parameters: inputSchema(input),
    }));
    await ai.models.generateContent({
      model: "any",
      contents: "hello",
      config: { tools: [{ functionDeclarations }] },
    });
  } finally {
    await api.shutdown();
  }
  return sent;
}

interface Declaration {
  name: string;
  description: string;
  parameters: Schema;
}

for (const [surface, tools] of Object.entries(SURFACE_TOOLS) as [string, readonly Tool<never>[]][]) {
  Deno.test(`the tools of the ${surface} surface use only what all model APIs accept`, () => {
    for (const { name, input } of tools) {
      for (const { part } of parts(inputSchema(input) as Schema)) {
        assertEquals(Object.keys(part).filter((key) => !KNOWN.includes(key)), [], name);
        assert(TYPES.includes(String(part.type)), `${name}: ${JSON.stringify(part)}`);
        if (part.type === "array") assert(part.items !== undefined, `${name}: ${JSON.stringify(part)}`);
        assert(part.enum === undefined || part.enum.every((value) => typeof value === "string"), name);
      }
    }
  });

  Deno.test(`the tools of the ${surface} surface can be converted to OpenAI's strict form, and accept its calls`, () => {
    for (const tool of tools) {
      const { strict, parameters } = openAi(tool);
      assertEquals(strict, true, tool.name);
      const all = [...parts(parameters)];
      assert(all.length <= MOST_PROPERTIES && all.every(({ level }) => level <= MOST_LEVELS), tool.name);
      for (const { part: { type, properties = {}, required, additionalProperties } } of all) {
        if (type !== "object") continue;
        assertEquals(additionalProperties, false, tool.name);
        assertEquals(required ?? [], Object.keys(properties), tool.name);
      }
      const call = meantArguments(tool.input, leastCall(parameters));
      if (tool.name !== "glob") assertEquals(tool.input.check(call).issues, undefined, tool.name);
    }
  });

  Deno.test(`the tools of the ${surface} surface can be converted to Gemini's declarations`, async () => {
    const declared = await geminiDeclarations(tools);
    assertEquals(declared.map(({ name }) => name), tools.map(({ name }) => name));
    for (const { name, parameters } of declared) {
      for (const { part } of parts(parameters)) {
        assertEquals(Object.keys(part).filter((key) => !GEMINI.includes(key)), [], name);
        assert(TYPES.includes(String(part.type).toLowerCase()), `${name}: ${JSON.stringify(part)}`);
        const names = Object.keys(part.properties ?? {});
        assertEquals((part.required ?? []).filter((each) => !names.includes(each)), [], name);
      }
    }
  });
}
