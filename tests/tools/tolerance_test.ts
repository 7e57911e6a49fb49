import { assertEquals, assertStrictEquals } from "@std/assert";
import * as s from "../../src/tools/schema/mod.ts";
import { meantArguments } from "../../src/tools/tolerance.ts";

const schema = s.strictObject({
  name: s.string(),
  count: s.int().min(1).optional(),
  deep: s.boolean().default(false),
  words: s.array(s.string()).optional(),
  edits: s.array(
    s.strictObject({ line: s.int(), text: s.string().optional(), all: s.boolean().default(false) }),
  )
    .optional(),
});

const MEANT: [given: unknown, meant: unknown][] = [
  [{ name: "a", count: null, deep: null }, { name: "a" }],
  [{ name: "a", count: "3", deep: "true" }, { name: "a", count: 3, deep: true }],
  [{ name: "a", count: "-3", deep: "false" }, { name: "a", count: -3, deep: false }],
  [{ name: "a", edits: [{ line: "2", text: null, all: "true" }] }, {
    name: "a",
    edits: [{ line: 2, all: true }],
  }],
  [{ name: "a", edits: '[{"line":"2"}]' }, { name: "a", edits: [{ line: 2 }] }],
  [{ name: "a", words: '["x","y"]' }, { name: "a", words: ["x", "y"] }],
];

for (const [given, meant] of MEANT) {
  Deno.test(`meantArguments reads ${JSON.stringify(given)} as ${JSON.stringify(meant)}`, () => {
    assertEquals(meantArguments(schema, given), meant);
  });
}

/** What is wrong, or could mean something else. */
const LEFT: unknown[] = [
  { name: null },
  { name: "1" },
  { name: "null" },
  { name: "a", count: "3.5" },
  { name: "a", count: "0x10" },
  { name: "a", count: "" },
  { name: "a", count: "99999999999999999" },
  { name: "a", deep: "yes" },
  { name: "a", deep: 1 },
  { name: "a", words: "[x" },
  { name: "a", words: '{"a":1}' },
  { name: "a", words: ["1", "true", null] },
  { name: "a", other: null },
  { name: "a", constructor: null },
  [],
  "text",
  null,
  undefined,
];

for (const given of LEFT) {
  Deno.test(`meantArguments leaves ${JSON.stringify(given)} to the check`, () => {
    assertStrictEquals(meantArguments(schema, given), given);
  });
}
