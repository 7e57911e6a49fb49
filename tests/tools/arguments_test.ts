import { assert, assertEquals, assertThrows } from "@std/assert";
import * as s from "../../src/tools/schema/mod.ts";
import { PaddockError } from "../../src/base/errors.ts";
import { parseArguments } from "../../src/tools/arguments.ts";

const schema = s.strictObject({
  name: s.string().min(1).max(5),
  count: s.int().min(1).max(10).optional(),
  ratio: s.number().min(0).max(1).optional(),
  mode: s.choice(["overwrite", "append"]).default("overwrite"),
  flag: s.boolean().optional(),
  edits: s.array(s.strictObject({ line: s.int(), text: s.string().optional() })).min(1).max(2).optional(),
  version: s.literal("v1").optional(),
  tags: s.record(s.int()).optional(),
  pattern: s.string().regex(/^a/).optional(),
  either: s.union([s.string(), s.int()]).optional(),
  host: s.string().refine((host) => host !== "evil", "must be somebody nice").optional(),
});

const KNOWN = "known arguments: name, count, ratio, mode, flag, edits, version, tags, pattern, either, host";

function refusal(given: unknown): PaddockError {
  const error = assertThrows(() => parseArguments(schema, given), PaddockError);
  assertEquals(error.code, "INVALID_INPUT");
  return error;
}

const MISTAKES: [given: unknown, message: string][] = [
  // required
  [undefined, "name is required (a string)"],
  [null, "name is required (a string)"],
  [{}, "name is required (a string)"],
  [{ name: undefined }, "name is required (a string)"],
  // not even an object
  [[], "arguments must be an object, not []"],
  ["x", 'arguments must be an object, not "x"'],
  [5, "arguments must be an object, not 5"],
  // wrong type
  [{ name: 1 }, "name must be a string; 1 was given"],
  [{ name: null }, "name must be a string; null was given"],
  [{ name: ["x"] }, 'name must be a string; ["x"] was given'],
  [{ name: "a", count: "3" }, 'count must be a number; "3" was given'],
  [{ name: "a", count: 1.5 }, "count must be a whole number; 1.5 was given"],
  [{ name: "a", flag: "true" }, 'flag must be true or false; "true" was given'],
  [{ name: "a", edits: {} }, "edits must be a list; {} was given"],
  [{ name: "a", edits: [1] }, "edits[0] must be an object; 1 was given"],
  [{ name: "a", tags: [] }, "tags must be an object; [] was given"],
  [{ name: "a", tags: { a: "x" } }, 'tags.a must be a number; "x" was given'],
  // one of a few
  [{ name: "a", mode: "truncate" }, 'mode must be one of: overwrite, append; "truncate" was given'],
  [{ name: "a", mode: 1 }, "mode must be one of: overwrite, append; 1 was given"],
  [{ name: "a", version: "v2" }, 'version must be "v1"; "v2" was given'],
  // ranges
  [{ name: "" }, 'name must be a string with a length of at least 1; "" was given'],
  [{ name: "abcdef" }, 'name must be a string with a length of at most 5; "abcdef" was given'],
  [{ name: "a", count: 0 }, "count must be at least 1; 0 was given"],
  [{ name: "a", count: 11 }, "count must be at most 10; 11 was given"],
  [{ name: "a", ratio: -0.5 }, "ratio must be at least 0; -0.5 was given"],
  [{ name: "a", ratio: 1.5 }, "ratio must be at most 1; 1.5 was given"],
  [{ name: "a", edits: [] }, "edits must be a list with a length of at least 1; [] was given"],
  // no words of our own
  [
    { name: "a", pattern: "b" },
    'pattern is not valid: Invalid string: must match pattern /^a/; "b" was given',
  ],
  [{ name: "a", either: true }, "either is not valid: Invalid input; true was given"],
  [{ name: "a", host: "evil" }, "host must be somebody nice"],
  // unknown arguments
  [{ name: "a", nmae: "b" }, `unknown argument "nmae"; ${KNOWN}`],
  [{ name: "a", edits: [{ line: 1, x: 2 }] }, 'unknown argument "x" in edits[0]; known there: line, text'],
];

for (const [given, message] of MISTAKES) {
  Deno.test(`parseArguments refuses ${JSON.stringify(given)}`, () => {
    assertEquals(refusal(given).message, message);
  });
}

Deno.test("parseArguments says so when a tool takes no arguments", () => {
  assertThrows(
    () => parseArguments(s.strictObject({}), { root: "a" }),
    PaddockError,
    'unknown argument "root"; this tool takes none',
  );
});

Deno.test("parseArguments returns the arguments with their defaults when nothing is wrong", () => {
  assertEquals(parseArguments(schema, { name: "a" }), { name: "a", mode: "overwrite" });
  assertEquals(parseArguments(schema, { name: "abcde", count: 10, mode: "append", tags: { x: 1 } }), {
    name: "abcde",
    count: 10,
    mode: "append",
    tags: { x: 1 },
  });
  assertEquals(parseArguments(s.strictObject({}), undefined), {});
});

Deno.test("parseArguments reports several mistakes at once", () => {
  const error = refusal({ name: 1, count: 0, edits: [{ line: "x" }, {}], extra: true });
  const mistakes = [
    "name must be a string; 1 was given",
    "count must be at least 1; 0 was given",
    'edits[0].line must be a number; "x" was given',
    "edits[1].line is required (a number)",
    `unknown argument "extra"; ${KNOWN}`,
  ];
  assertEquals(error.message, mistakes.join("; "));
  assertEquals(error.data, { mistakes });
});

Deno.test("parseArguments keeps its answer short when names and values are huge or many", () => {
  const huge = "k".repeat(1_000_000);
  const floods: unknown[] = [
    { name: huge },
    { name: [huge] },
    { [huge]: 1 },
    { name: "a", tags: { [huge]: "x" } },
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 1])),
    { name: "a", tags: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, "x"])) },
    huge,
    [huge],
  ];
  for (const flood of floods) {
    const error = refusal(flood);
    assert(error.message.length < 2_500, `${error.message.length} characters`);
    assert(JSON.stringify(error.data ?? {}).length < 3_000);
  }
  const { message } = refusal(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 1])));
  assert(message.startsWith("name is required (a string); ") && message.endsWith("; and 91 more mistakes"));
});

Deno.test("parseArguments treats names that every object inherits as unknown", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const given: unknown = JSON.parse(`{"name":"a","${name}":{"count":1}}`);
    assertEquals(refusal(given).message, `unknown argument "${name}"; ${KNOWN}`);
  }
  assertEquals(
    refusal(JSON.parse('{"__proto__":{"name":"a"}}')).message,
    `name is required (a string); unknown argument "__proto__"; ${KNOWN}`,
  );
  assertEquals(Object.hasOwn(Object.prototype, "count"), false);
});
