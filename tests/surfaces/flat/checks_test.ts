import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { type Base, checkEdit, checkList, checkRead } from "../../../src/surfaces/flat/checks.ts";

function refused(check: () => unknown): string {
  const error = assertThrows(check, PaddockError);
  assertEquals(error.code, "INVALID_INPUT");
  return error.message;
}

Deno.test("checkList accepts no arguments", () => {
  for (const given of [{}, undefined, null]) assertEquals(checkList(given), {});
  assertEquals(refused(() => checkList({ a: 1 })), 'Unknown argument "a"; there are none');
  for (const given of [[], "x", 5, true]) {
    assertEquals(refused(() => checkList(given)), "arguments must be an object");
  }
});

Deno.test("checkRead returns the range in the caller's numbers", () => {
  for (const base of [0, 1] as const) {
    const range = (start?: number, end?: number) => ({ name: "a", range: { start, end, base } });
    assertEquals(checkRead({ name: "a" }, base), range());
    assertEquals(checkRead({ name: "a", start_line: base, end_line: 9 }, base), range(base, 9));
    assertEquals(checkRead({ name: "a", start_line: null, end_line: 3 }, base), range(undefined, 3));
    assertEquals(checkRead({ name: "a", start_line: 3, end_line: 3 }, base), range(3, 3));
  }
});

Deno.test("checkRead says what is wrong: first the name, then the numbers, then their order", () => {
  const lines = (base: Base) => `Line numbers must be ${base === 0 ? "non-negative" : "positive"} integers`;
  for (const base of [0, 1] as const) {
    const cases: [given: unknown, message: string][] = [
      [{}, "Invalid filename format"],
      [{ name: "a/b", start_line: -1 }, "Invalid filename format"],
      [{ name: "a", start_line: base - 1 }, lines(base)],
      [{ name: "a", end_line: base - 1 }, lines(base)],
      [{ name: "a", start_line: 9, end_line: base - 1 }, lines(base)],
      [{ name: "a", start_line: 2 ** 53 }, lines(base)],
      [{ name: "a", start_line: NaN }, lines(base)],
      [{ name: "a", start_line: 3, end_line: 1 }, "Invalid line range: start 3 > end 1"],
      [{ name: "a", lines: 3 }, 'Unknown argument "lines"; known: name, start_line, end_line'],
    ];
    for (const [given, message] of cases) assertEquals(refused(() => checkRead(given, base)), message);
  }
});

Deno.test("checkRead clamps an end line that is too large for an exact number", () => {
  for (const end_line of [2 ** 53, 2 ** 53 + 2, 1e300, Infinity]) {
    assertEquals(checkRead({ name: "a", start_line: 5, end_line }, 1).range.end, Number.MAX_SAFE_INTEGER);
  }
  assertEquals(
    refused(() => checkRead({ name: "a", end_line: 1.5 }, 0)),
    "Line numbers must be non-negative integers",
  );
});

Deno.test("checkEdit returns edits in the caller's numbers, and undefined for what was not given", () => {
  assertEquals(checkEdit({ name: "a" }, 0), {
    name: "a",
    edits: [],
    append: undefined,
    createIfMissing: undefined,
  });
  const kept = [
    { line: 1, operation: "replace", content: "x" },
    { line: 2, operation: "insert", content: "" },
  ];
  const edits = [...kept, { line: 3, operation: "delete", content: null }];
  assertEquals(checkEdit({ name: "a", edits, append: "", create_if_missing: false }, 1), {
    name: "a",
    edits: [...kept, { line: 3, operation: "delete" }],
    append: "",
    createIfMissing: false,
  });
});

Deno.test("checkEdit accepts an empty list of edits together with text to append", () => {
  assertEquals(checkEdit({ name: "a", edits: [], append: "x" }, 0).append, "x");
});

Deno.test("checkEdit refuses invalid edits", () => {
  const edit = (...edits: unknown[]) => ({ name: "a", edits });
  const cases: [given: unknown, message: string][] = [
    [{ name: "" }, "Invalid filename format"],
    [{ name: "a", edits: "x" }, "edits must be a list"],
    [{ name: "a", edits: { length: 1 } }, "edits must be a list"],
    [edit(), "edits is empty: there is nothing to do; give at least one edit, or text to append"],
    [
      { ...edit(), append: "" },
      "edits is empty: there is nothing to do; give at least one edit, or text to append",
    ],
    [{ name: "a", append: 5 }, "append must be a string"],
    [{ name: "a", append: null }, "append must be a string"],
    [{ name: "a", create_if_missing: 1 }, "create_if_missing must be true or false"],
    [edit([]), "an edit must be an object"],
    [edit(null), "every edit needs a line"],
    [edit({ line: -1, operation: "x" }), "Line numbers must be non-negative integers"],
    [edit({ line: 0, operation: "x".repeat(200) }), `Invalid edit operation: ${"x".repeat(100)}`],
    [edit({ line: 0, operation: "delete", content: "" }), "Delete operation cannot specify content"],
    [edit({ line: 0, operation: "replace" }), "Replace operation must specify content"],
    [edit({ line: 0, operation: "insert", content: null }), "Insert operation must specify content"],
    [edit({ line: 0, operation: "insert", content: 1 }), "content must be a string"],
    [
      edit({ line: 0, operation: "insert", content: "\ud800" }),
      "content holds a lone surrogate and cannot be written as UTF-8",
    ],
    [{ name: "a", append: "\udfff" }, "append holds a lone surrogate and cannot be written as UTF-8"],
    [edit({ line: 0, operation: "delete", x: 1 }), 'Unknown argument "x"; known: line, operation, content'],
    [
      { name: "a", ["k".repeat(300)]: 1 },
      `Unknown argument "${"k".repeat(100)}"; known: name, edits, append, create_if_missing`,
    ],
  ];
  for (const [given, message] of cases) assertEquals(refused(() => checkEdit(given, 0)), message);
});

Deno.test("checkEdit counts the edits before it examines them", () => {
  const edits = Array.from({ length: 1_001 }, () => 5);
  assertEquals(
    refused(() => checkEdit({ name: "a", edits }, 0)),
    "Too many edits: 1001; at most 1000 in one call",
  );
});

Deno.test("checkEdit survives an operation that cannot be printed as text", () => {
  const shown = (operation: unknown) =>
    refused(() => checkEdit({ name: "a", edits: [{ line: 0, operation, content: "" }] }, 0));
  assertEquals(shown({ toString: 5, valueOf: 5 }), 'Invalid edit operation: {"toString":5,"valueOf":5}');
  assertEquals(shown(["replace"]), 'Invalid edit operation: ["replace"]');
  assertEquals(shown(undefined), "Invalid edit operation: undefined");
  assertEquals(shown(null), "Invalid edit operation: null");
});
