/** Generates calls from a tool's input schema: one argument is the attack, the others are plausible. */

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const BY_NAME: Readonly<Record<string, unknown>> = {
  root: "field",
  source_root: "field",
  dest_root: "field",
  path: "ok.txt",
  source_path: "ok.txt",
  dest_path: "fresh.txt",
  content: "OVERWRITTEN\n",
  pattern: "[A-Za-z]*", // as a regular expression and as a glob
  patch: "--- a/ok.txt\n+++ b/ok.txt\n@@ -1 +1 @@\n-ok\n+OVERWRITTEN\n",
};

/** The names of path arguments; those inside a list of objects as `list.name`. */
export function pathArguments({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, { items }]) => {
    const isPath = /(^|_)(path|paths|source|destination)$/.test(name);
    const below = items?.properties === undefined ? [] : pathArguments(items);
    return [...(isPath ? [name] : []), ...below.map((each) => `${name}.${each}`)];
  });
}

/** For a list of operations: one operation in which the argument is the attack. */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  path: { op: "write", content: "OVERWRITTEN\n" },
  source: { op: "move", destination: "fresh.txt" },
  destination: { op: "move", source: "ok.txt" },
};

export function plausibleCall(
  schema: Schema,
  { argument, path }: { argument: string; path: string },
): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const [list = "", below] = argument.split(".");
  if (below !== undefined) {
    const whole = plausibleCall(schema, { argument: list, path: "" });
    return { ...whole, [list]: [{ ...OPERATIONS[below], [below]: path }] };
  }
  const useful = Object.keys(properties).filter((name) => name in BY_NAME);
  return Object.fromEntries([...new Set([...required, ...useful, argument])].map((name) => {
    const wanted = properties[name] ?? {};
    if (name !== argument) return [name, BY_NAME[name] ?? plausible(wanted)];
    return [name, wanted.type === "array" ? [path] : path];
  }));
}

function plausible(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return plausible(schema.anyOf[0] ?? {});
  switch (schema.type) {
    case "array":
      return schema.items === undefined ? [] : [plausible(schema.items)];
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, plausible(schema.properties?.[name] ?? {})]),
      );
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, 1);
    case "boolean":
      return true;
    default:
      return "ok";
  }
}
