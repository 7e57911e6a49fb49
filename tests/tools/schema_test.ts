/** Schemas, compared with the same in zod: what they accept, what they make of it, what they say, how they are listed. */
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { z } from "zod";
import * as s from "../../src/tools/schema/mod.ts";
import { trials } from "../support/trials.ts";

/** The same schema twice. */
interface Pair {
  ours: s.Schema;
  zods: z.ZodType;
}

const RUNS = trials(1_000);
const NAMES = ["a", "b", "c"];
const MESSAGE = "must be somebody nice";

const bound = fc.integer({ min: -2, max: 5 });
const length = fc.integer({ min: 0, max: 3 });

const text: fc.Arbitrary<Pair> = fc.record({
  least: fc.option(length),
  most: fc.option(length),
  hasPattern: fc.boolean(),
  isPicky: fc.boolean(),
}).map(({ least, most, hasPattern, isPicky }) => {
  let [ours, zods] = [s.string(), z.string()];
  if (least !== null) [ours, zods] = [ours.min(least), zods.min(least)];
  if (most !== null) [ours, zods] = [ours.max(most), zods.max(most)];
  if (hasPattern) [ours, zods] = [ours.regex(/^a/), zods.regex(/^a/)];
  const isNice = (given: string) => given !== "b";
  if (isPicky) [ours, zods] = [ours.refine(isNice, MESSAGE), zods.refine(isNice, MESSAGE)];
  return { ours, zods };
});

const numeric: fc.Arbitrary<Pair> = fc.record({
  isWhole: fc.boolean(),
  least: fc.option(bound),
  most: fc.option(bound),
}).map(({ isWhole, least, most }) => {
  let ours = isWhole ? s.int() : s.number();
  let zods: z.ZodNumber = isWhole ? z.int() : z.number();
  if (least !== null) [ours, zods] = [ours.min(least), zods.min(least)];
  if (most !== null) [ours, zods] = [ours.max(most), zods.max(most)];
  return { ours, zods };
});

const choice: fc.Arbitrary<Pair> = fc.constantFrom<Pair>(
  { ours: s.boolean(), zods: z.boolean() },
  { ours: s.choice(["a", "b"]), zods: z.enum(["a", "b"]) },
  { ours: s.literal("a"), zods: z.literal("a") },
  { ours: s.literal(true), zods: z.literal(true) },
  {
    ours: s.choice(["a"], { wording: (given) => `not ${given}` }),
    zods: z.enum(["a"], { error: ({ input }) => `not ${input}` }),
  },
);

/** What may be missing, and what has a description. */
function dressed(pair: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  return fc.tuple(
    pair,
    fc.constantFrom("plain", "optional", "default", "nullable"),
    fc.boolean(),
    fc.boolean(),
  ).map(
    ([{ ours, zods }, how, isDescribed, isDescribedAfter]) => {
      if (isDescribed) [ours, zods] = [ours.describe("within"), zods.describe("within")];
      if (how === "optional") [ours, zods] = [ours.optional(), zods.optional()];
      if (how === "default") [ours, zods] = [ours.default("usual"), zods.default("usual")];
      if (how === "nullable") [ours, zods] = [ours.nullable(), zods.nullable()];
      if (isDescribedAfter) [ours, zods] = [ours.describe("around"), zods.describe("around")];
      return { ours, zods };
    },
  );
}

const { whole: schema } = fc.letrec<{ whole: Pair; any: Pair; list: Pair; record: Pair; union: Pair }>((
  tie,
) => ({
  any: dressed(
    fc.oneof({ maxDepth: 3 }, text, numeric, choice, tie("list"), tie("whole"), tie("record"), tie("union")),
  ),
  list: fc.tuple(tie("any"), fc.option(length), fc.option(length)).map(([item, least, most]) => {
    let [ours, zods] = [s.array(item.ours), z.array(item.zods)];
    if (least !== null) [ours, zods] = [ours.min(least), zods.min(least)];
    if (most !== null) [ours, zods] = [ours.max(most), zods.max(most)];
    return { ours, zods };
  }),
  record: tie("any").map((value) => ({ ours: s.record(value.ours), zods: z.record(z.string(), value.zods) })),
  union: fc.tuple(text, numeric).map(([one, other]) => ({
    ours: s.union([one.ours, other.ours]),
    zods: z.union([one.zods, other.zods]),
  })),
  whole: fc.tuple(
    fc.dictionary(fc.constantFrom(...NAMES), tie("any"), { noNullPrototype: true }),
    fc.constantFrom("strict", "dropping", "loose"),
  ).map(([fields, others]) => {
    const ours = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.ours]));
    const zods = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.zods]));
    if (others === "strict") return { ours: s.strictObject(ours), zods: z.strictObject(zods) };
    if (others === "loose") return { ours: s.looseObject(ours), zods: z.looseObject(zods) };
    return { ours: s.object(ours), zods: z.object(zods) };
  }),
}));

/** What JSON can hold, and often what a schema expects. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      "",
      "a",
      "b",
      "abcd",
      "usual",
      true,
      false,
      null,
      0,
      1,
      -3,
      1.5,
      2 ** 60,
      -(2 ** 60),
      1e300,
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES, "d", "constructor"), tie("value"), { noNullPrototype: true }),
  ),
}));

/**
 * Each message with its place. zod goes on checking some values whose type is wrong, and does not always say that a
 * list is too short if something is wrong in it.
 */
function said(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string[] {
  const all = issues.map(({ path, message }) => ({ place: path.map(String).join("."), message }));
  const isType = (message: string) => message.startsWith("Invalid input: expected ");
  return all.filter(({ place, message }) => {
    const ofType = all.some((other) => other.place === place && isType(other.message));
    const within = all.some((other) => other.place.startsWith(`${place}.`));
    return (isType(message) || !ofType) && !(within && message.startsWith("Too small: expected array"));
  }).map(({ place, message }) => `${place}: ${message}`).sort();
}

Deno.test("a schema accepts what zod's accepts, makes the same of it, and says the same", () => {
  let accepted = 0;
  fc.assert(
    fc.property(schema, value, ({ ours, zods }, given) => {
      const theirs = zods.safeParse(given);
      const checked = ours.check(given);
      if (theirs.success) {
        accepted++;
        assertEquals(checked.issues, undefined);
        assertEquals(checked.value, theirs.data);
      } else {
        assertEquals(said(checked.issues ?? []), said(theirs.error.issues));
      }
    }),
    { numRuns: RUNS },
  );
  if (accepted < RUNS / 50) throw new Error(`only ${accepted} values were accepted`);
});

for (const io of ["input", "output"] as const) {
  Deno.test(`a schema is listed as zod's is: ${io}`, () => {
    fc.assert(
      fc.property(schema, ({ ours, zods }) => {
        const { $schema: _, ...theirs } = z.toJSONSchema(zods, {
          io,
          override: ({ jsonSchema }) => {
            if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
            if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
          },
        });
        assertEquals(s.jsonSchema(ours, io), theirs as s.JsonSchema);
      }),
      { numRuns: RUNS / 10 },
    );
  });
}

Deno.test("a schema keeps a field called __proto__ a field", () => {
  const given = JSON.parse('{"__proto__":{"evil":true},"a":"b"}');
  const kept = s.parsed(s.looseObject({ a: s.string() }), given);
  assertEquals([Object.getPrototypeOf(kept), Object.keys(kept)], [Object.prototype, ["a", "__proto__"]]);
  const named = s.parsed(s.record(s.looseObject({})), { ["__proto__"]: { a: 1 } });
  assertEquals([Object.getPrototypeOf(named), Object.keys(named)], [Object.prototype, ["__proto__"]]);
  assertEquals(s.strictObject({ a: s.string() }).check(given).issues?.map(({ message }) => message), [
    'Unrecognized key: "__proto__"',
  ]);
});

Deno.test("a schema's default is a new list for each value", () => {
  const schema = s.object({ names: s.array(s.string()).default([]) });
  s.parsed(schema, {}).names.push("a");
  assertEquals(s.parsed(schema, {}), { names: [] });
});

interface Node {
  name: string;
  below?: Node[];
}

Deno.test("a recursive schema checks every level, and is listed by its name", () => {
  const node = s.recursive<Node>("node", (self) =>
    s.strictObject({
      name: s.string(),
      below: s.array(self).optional(),
    }));
  const tree = { name: "a", below: [{ name: "b", below: [{ name: "c" }] }] };
  assertEquals(s.parsed(node, tree), tree);
  assertThrows(
    () => s.parsed(node, { name: "a", below: [{ name: "b", below: [{ name: 1 }] }] }),
    TypeError,
    "below.0.below.0.name: Invalid input: expected string, received number",
  );
  assertEquals(s.jsonSchema(s.object({ tree: node }), "output"), {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    required: ["tree"],
    additionalProperties: false,
    $defs: {
      node: {
        type: "object",
        properties: {
          name: { type: "string" },
          below: { type: "array", items: { $ref: "#/$defs/node" } },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  });
});

Deno.test("a brief list has no bounds, and no default that everyone assumes", () => {
  const schema = s.strictObject({
    name: s.string().min(1).max(9).regex(/^a/),
    count: s.int().min(1).default(3),
    flag: s.boolean().default(false),
    items: s.array(s.number().max(9)).min(1).optional(),
  });
  assertEquals(s.jsonSchema(schema, "input", { isBrief: true }), {
    type: "object",
    properties: {
      name: { type: "string" },
      count: { default: 3, type: "integer" },
      flag: { type: "boolean" },
      items: { type: "array", items: { type: "number" } },
    },
    required: ["name"],
    additionalProperties: false,
  });
});
