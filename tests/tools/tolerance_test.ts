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

Deno.test("meantArguments reads no list in text that is more complex than a request may be, however it is divided", () => {
  const edits = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ line: 1 })));
  const words = (count: number) => JSON.stringify(Array.from({ length: count }, () => "x"));
  const isRead = (given: Record<string, unknown>) =>
    Object.values(meantArguments(schema, given) as Record<string, unknown>).filter(Array.isArray).length;
  assertEquals(isRead({ words: words(49_000) }), 1);
  assertEquals(isRead({ words: words(51_000) }), 0);
  assertEquals(isRead({ edits: edits(26_000) }), 0);
  assertEquals(isRead({ edits: edits(16_000), words: words(20_000) }), 1);
  assertEquals(isRead({ words: `${"[".repeat(129)}${"]".repeat(129)}` }), 0);
  assertEquals(isRead({ words: "[".repeat(5_000_000) }), 0);
  assertEquals(isRead({ words: `[${" ".repeat(5_000_000)}"x"]` }), 1);
});
