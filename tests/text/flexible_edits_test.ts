import { assertEquals, assertThrows } from "@std/assert";
import { type FlexibleEdit, FlexibleEditError, flexibleEditSteps } from "../../src/text/flexible_edits.ts";
import { runAll } from "../../src/text/steps.ts";

function edited(text: string, ...edits: [oldText: string, newText: string][]): string {
  const all: FlexibleEdit[] = edits.map(([oldText, newText]) => ({ oldText, newText }));
  return runAll(flexibleEditSteps(text, all));
}

function failure(text: string, ...edits: [oldText: string, newText: string][]) {
  const { index, failure } = assertThrows(() => edited(text, ...edits), FlexibleEditError);
  return { index, ...failure };
}

const CASES: readonly [what: string, text: string, edits: [string, string][], made: string][] = [
  ["an exact text", "a b c", [["b", "B"]], "a B c"],
  [
    "one edit after another, each on the result of the one before",
    "a",
    [["a", "b"], ["b", "c"], ["c", "$&"]],
    "$&",
  ],
  ["nothing", "a\r\nb", [], "a\r\nb"],
  ["lines with other indentation, which is kept", "  if (x) {\n    y();\n  }\n", [[
    "if (x) {\n  y();\n}",
    "if (z) {\n  y();\n}",
  ]], "  if (z) {\n  y();\n}\n"],
  [
    "further lines, by how much more they are indented",
    "    a\n    b\n",
    [["a\n  b ", "a\n    c"]],
    "    a\n      c\n",
  ],
  ["blanks at the ends of lines", "a  \nb\t\n", [["a\nb", "c\nd"]], "c\nd\n"],
  ["a text with CRLF in a file with LF", "a\nb\n", [["a\r\nb", "c\r\nd"]], "c\nd\n"],
  ["a text with LF in a file with CRLF", "a\r\nb\r\n", [["a\nb", "c\nd\ne"]], "c\r\nd\r\ne\r\n"],
  [
    "lines with other indentation in a file with CRLF",
    "  a\r\n  b\r\nc",
    [["a\nb", "d\ne\nf"]],
    "  d\r\ne\r\nf\r\nc",
  ],
  ["the last line of a file with CRLF", "x\r\n  a", [["\ta", "b\nc"]], "x\r\n  b\r\nc"],
  ["the only line", "  a", [["\ta", "b\nc"]], "  b\nc"],
  ["mixed endings, each where it was", " a\r\n b\n c\n", [["a\nb", "d\ne"]], " d\r\ne\n c\n"],
  ["a byte order mark is kept", "\ufeffa\n", [["a", "b"]], "\ufeffb\n"],
];

for (const [what, text, edits, made] of CASES) {
  Deno.test(`flexibleEditSteps replaces ${what}`, () => assertEquals(edited(text, ...edits), made));
}

Deno.test("flexibleEditSteps refuses text that matches several places, and lists them", () => {
  assertEquals(failure("a\nb\na\n", ["a", "x"]), {
    index: 0,
    kind: "several",
    count: 2,
    lines: [{ line: 1, text: "a" }, { line: 3, text: "a" }],
  });
  assertEquals(failure("q\n a\r\nb\n  a\r\n", ["q", "q"], ["\ta", "x"]), {
    index: 1,
    kind: "several",
    count: 2,
    lines: [{ line: 2, text: " a" }, { line: 4, text: "  a" }],
  });
});

Deno.test("flexibleEditSteps refuses an empty text, and a missing one", () => {
  assertEquals(failure("a", ["", "x"]), { index: 0, kind: "empty" });
  assertEquals(failure("a", ["a", "b"], ["zzz", "x"]).kind, "missing");
});

Deno.test("flexibleEditSteps searches many lines in steps", () => {
  const text = `${Array.from({ length: 100_000 }, (_, i) => `  line ${i}`).join("\n")}\n`;
  const steps = flexibleEditSteps(text, [{ oldText: "\tline 99999", newText: "last" }]);
  let count = 0;
  let next = steps.next();
  for (; !next.done; next = steps.next()) count++;
  assertEquals([count > 3, next.value.endsWith("  line 99998\n  last\n")], [true, true]);
});

Deno.test("flexibleEditSteps pauses by comparisons where lines repeat", () => {
  const steps = flexibleEditSteps("\n".repeat(20_000), [{ oldText: `${"\n".repeat(8_000)}x`, newText: "y" }]);
  let pauses = 0;
  assertThrows(() => {
    while (!steps.next().done) pauses++;
  }, FlexibleEditError);
  assertEquals(pauses > 2_000, true, `${pauses} pauses`);
});
