/** Random calls of listed tools: each argument follows its schema, follows its name, or is plain wrong. */
import type { Random } from "../support/random.ts";
import { glob, json, patch, pattern, text } from "./garbage.ts";

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Listed {
  name: string;
  inputSchema: Schema;
}

/** Names of arguments that some tools have, with values that get further than random ones. */
export type Hints = Record<string, readonly unknown[]>;

export interface Call {
  name: string;
  arguments: unknown;
}

export function randomCall(
  random: Random,
  { tools, hints }: { tools: readonly Listed[]; hints: Hints },
): Call {
  const tool = random.pick(tools);
  const name = random.next() < 0.02 ? text(random) : tool.name;
  if (random.next() < 0.03) return { name, arguments: json(random) };
  return { name, arguments: object(random, { schema: tool.inputSchema, hints }) };
}

function object(
  random: Random,
  { schema, hints }: { schema: Schema; hints: Hints },
): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const result: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(properties)) {
    if (random.next() < (required.includes(key) ? 0.98 : 0.4)) {
      result[key] = argument(random, { key, wanted, hints });
    }
  }
  if (random.next() < 0.03) result[text(random)] = json(random);
  return result;
}

function argument(
  random: Random,
  { key, wanted, hints }: { key: string; wanted: Schema; hints: Hints },
): unknown {
  if (random.next() < 0.05) return json(random);
  const hinted = Object.hasOwn(hints, key) ? hints[key] : undefined;
  if (hinted !== undefined && random.next() < 0.9) return random.pick(hinted);
  if (key === "pattern") return random.next() < 0.5 ? pattern(random) : glob(random);
  if (key === "patch") return patch(random);
  return bySchema(random, { key, wanted, hints });
}

function bySchema(
  random: Random,
  { key, wanted, hints }: { key: string; wanted: Schema; hints: Hints },
): unknown {
  if (wanted.const !== undefined) return wanted.const;
  if (wanted.enum !== undefined) return random.pick(wanted.enum);
  if (wanted.anyOf !== undefined) return bySchema(random, { key, wanted: random.pick(wanted.anyOf), hints });
  switch (wanted.type) {
    case "array":
      return Array.from(
        { length: random.below(4) },
        () => bySchema(random, { key, wanted: wanted.items ?? {}, hints }),
      );
    case "object":
      return object(random, { schema: wanted, hints });
    case "integer":
    case "number":
      return random.pick([0, 1, 2, 3, 10, -1, 2 ** 53, 1.5, random.below(1_000)]);
    case "boolean":
      return random.next() < 0.5;
    default:
      return text(random);
  }
}
