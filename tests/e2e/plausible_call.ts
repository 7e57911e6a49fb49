/**
 * Calls made from a tool's input schema: one argument is the attack, and whatever else the tool needs gets a
 * plausible value. So a new tool is attacked without a line here, or with one in the table below.
 */

export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** The arguments of a tool that take a path; in a list of objects as `list.name`. */
export function pathArguments({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, { items }]) => {
    const isPath = /(^|_)(path|paths|file|folder|source|destination)$/.test(name);
    const below = items?.properties === undefined ? [] : pathArguments(items);
    return [...(isPath ? [name] : []), ...below.map((each) => `${name}.${each}`)];
  });
}

/** A call of a tool, complete and plausible except for the attack. */
export function callWith(schema: Schema, { argument, path }: { argument: string; path: string }) {
  const { properties = {}, required = [] } = schema;
  const [list = "", below] = argument.split(".");
  if (below !== undefined) {
    const whole: Record<string, unknown> = callWith(schema, { argument: list, path: "" });
    return { ...whole, [list]: [{ ...OPERATIONS[below], [below]: path }] };
  }
  const useful = Object.keys(properties).filter((name) => /(^|_)root$/.test(name) || name in BY_NAME);
  const names = new Set([...required, ...useful, argument]);
  return Object.fromEntries(
    [...names].map((name) => {
      const wanted = properties[name] ?? {};
      if (name !== argument) return [name, plausible(name, wanted)];
      return [name, wanted.type === "array" ? [path] : path];
    }),
  );
}

/** For a list of operations: one in which an argument is the attack. */
const OPERATIONS: Record<string, Record<string, unknown>> = {
  path: { op: "write", content: "OVERWRITTEN\n" },
  source: { op: "move", destination: "fresh.txt" },
  destination: { op: "move", source: "ok.txt" },
};

const BY_NAME: Record<string, unknown> = {
  source_path: "ok.txt",
  dest_path: "fresh.txt",
  content: "OVERWRITTEN\n",
  pattern: "[A-Za-z]*", // as a regular expression and as a glob
  patch: "--- a/ok.txt\n+++ b/ok.txt\n@@ -1 +1 @@\n-ok\n+OVERWRITTEN\n",
};

function plausible(name: string, schema: Schema): unknown {
  if (/(^|_)root$/.test(name)) return "field";
  if (name in BY_NAME) return BY_NAME[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const { type, anyOf, properties = {}, required = [] } = schema;
  if (anyOf?.[0] !== undefined) return plausible(name, anyOf[0]);
  switch (type) {
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return false;
    case "array":
      return [plausible("", schema.items ?? {})];
    case "object":
      return Object.fromEntries(required.map((key) => [key, plausible(key, properties[key] ?? {})]));
    default:
      return "ok";
  }
}
