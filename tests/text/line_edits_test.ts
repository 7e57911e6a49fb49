import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { applyLineEdits, type LineEdit, type LineEdits } from "../../src/text/line_edits.ts";

const replace = (line: number, content: string): LineEdit => ({ line, operation: "replace", content });
const insert = (line: number, content: string): LineEdit => ({ line, operation: "insert", content });
const remove = (line: number): LineEdit => ({ line, operation: "delete" });

type Row = [
  what: string,
  before: string,
  edits: LineEdit[],
  after: string,
  modified: number,
  append?: string,
];

const EDITS: Row[] = [
  ["replaces one line", "a\nb\nc\n", [replace(1, "B")], "a\nB\nc\n", 1],
  ["inserts before a line", "a\nb\nc\n", [insert(1, "x")], "a\nx\nb\nc\n", 1],
  ["inserts after the last line", "a\nb\n", [insert(2, "x")], "a\nb\nx\n", 1],
  ["deletes a line", "a\nb\nc\n", [remove(1)], "a\nc\n", 1],
  ["uses line numbers of the original", "a\nb\nc\n", [remove(0), replace(2, "C")], "b\nC\n", 2],
  ["accepts edits in any order", "a\nb\nc\n", [replace(2, "C"), insert(0, "x"), remove(1)], "x\na\nC\n", 3],
  ["keeps the order of insertions at one line", "a\n", [insert(0, "x"), insert(0, "y")], "x\ny\na\n", 2],
  ["inserts before a replaced line", "a\n", [replace(0, "A"), insert(0, "x")], "x\nA\n", 2],
  ["inserts before a deleted line", "a\nb\n", [remove(1), insert(1, "x")], "a\nx\n", 2],
  ["fills an empty file line by line", "", [0, 1, 2].map((i) => insert(i, `${i}`)), "0\n1\n2\n", 3],
  ["fills it in any order", "", [insert(2, "2"), insert(0, "0"), insert(1, "1")], "0\n1\n2\n", 3],
  ["goes past the end", "a\n", [insert(2, "y"), insert(3, "z"), insert(1, "x")], "a\nx\ny\nz\n", 3],
  ["keeps the order past the end", "", [insert(0, "a"), insert(1, "b"), insert(1, "c")], "a\nb\nc\n", 3],
  [
    "inserts into what it inserted past the end",
    "",
    [
      insert(0, "a\nb\nc"),
      insert(1, "x\ny\nz"),
      insert(2, "1"),
    ],
    "a\nx\n1\ny\nz\nb\nc\n",
    7,
  ],
  [
    "inserts past the end among old lines that moved down",
    "a\nb\n",
    [insert(0, "1\n2\n3"), insert(4, "x")],
    [
      ..."123axb",
      "",
    ].join("\n"),
    4,
  ],
  ["replaces by several lines", "a\nb\nc\n", [replace(1, "x\ny\nz")], "a\nx\ny\nz\nc\n", 3],
  [
    "starts no line for a newline at the end",
    "a\nb\n",
    [replace(0, "x\n"), insert(1, "y\n")],
    "x\ny\nb\n",
    2,
  ],
  ["treats further newlines as empty lines", "a\n", [insert(0, "x\n\n")], "x\n\na\n", 2],
  ["treats empty content as an empty line", "a\nb\n", [replace(0, ""), insert(1, "")], "\n\nb\n", 2],
  ["deletes every line", "a\nb\n", [remove(0), remove(1)], "", 2],
  ["keeps a byte order mark", "\uFEFFa\nb\n", [remove(0), insert(0, "x")], "\uFEFFx\nb\n", 2],
  ["leaves a byte order mark alone", "\uFEFFa\n", [remove(0)], "\uFEFF", 1],
  [
    "keeps the ending of a replaced line",
    "a\r\nb\nc\rd\n",
    [replace(0, "A"), replace(2, "C")],
    [
      "A\r\n",
      "b\n",
      "C\r",
      "d\n",
    ].join(""),
    2,
  ],
  [
    "gives new lines the usual ending",
    "a\r\nb\r\n",
    [insert(1, "x\ny"), insert(0, "z")],
    [
      ...["z", "a", "x", "y", "b", ""],
    ].join("\r\n"),
    3,
  ],
  [
    "gives the usual ending inside a replacement",
    "a\nb\r\nc\r\n",
    [replace(0, "x\ny")],
    "x\r\ny\nb\r\nc\r\n",
    2,
  ],
  ["accepts every ending in content", "a\n", [insert(0, "x\r\ny\rz\r\n")], "x\ny\nz\na\n", 3],
  ["uses the endings of the content for a new file", "", [insert(0, "x\r\ny")], "x\r\ny\r\n", 2],
  ["keeps a missing final newline", "a\nb", [replace(1, "B")], "a\nB", 1],
  ["keeps it missing after an edit elsewhere", "a\nb", [insert(0, "x")], "x\na\nb", 1],
  ["keeps it missing when lines come after", "a\r\nb", [insert(2, "c\nd")], "a\r\nb\r\nc\r\nd", 2],
  ["keeps it missing when the last line is new", "a\nb", [remove(1), insert(1, "x")], "a\nx", 2],
  ["leaves the line before a deleted last one as it was", "a\r\nb", [remove(1)], "a\r\n", 1],
  ["ends an empty last line", "a\nb", [replace(1, "")], "a\n\n", 1],
  ["never makes one ending of two", "a\rb\n\nc\n", [remove(1)], "a\r\n\nc\n", 1],
  ["never makes one ending of two in a replacement", "a\rb\rc\n", [replace(2, "x\n\n")], "a\rb\rx\r\n\n", 2],
  ["changes nothing when asked for nothing", "a\r\n\nb", [], "a\r\n\nb", 0],
  ["appends", "a\n", [], "a\nx\ny\n", 2, "x\ny\n"],
  ["appends without a final newline when given none", "a\n", [], "a\nx", 1, "x"],
  ["appends on a new line", "a", [], "a\nx\n", 1, "x\n"],
  ["appends the usual ending", "a\r\nb", [], "a\r\nb\r\nx\r\ny", 2, "x\ny"],
  ["appends to an empty file as given", "", [], "x\r\ny\nz", 3, "x\r\ny\nz"],
  ["appends after edits", "a\nb", [remove(1), insert(0, "x")], "x\na\nz", 3, "z"],
  ["appends nothing", "a", [], "a", 0, ""],
  ["appends an empty line after a lone CR", "a\rb\nc\r", [], "a\rb\nc\r\r", 1, "\n"],
];

for (const [what, before, edits, after, linesModified, append] of EDITS) {
  Deno.test(`applyLineEdits ${what}`, () => {
    const { text, ...counts } = applyLineEdits(before, { edits, append });
    assertEquals(text, after);
    const totalLines = after.replace("\uFEFF", "").match(/[^\r\n]*(\r\n|\r|\n)|[^\r\n]+$/g)?.length ?? 0;
    assertEquals(counts, { linesModified, totalLines });
  });
}

const REFUSALS: [message: string, edits: LineEdit[], index?: number][] = [
  ["Line 3 out of range for replace operation", [replace(0, "x"), replace(3, "x")], 1],
  ["Line 3 out of range for delete operation", [remove(3)]],
  ["Line 4 out of range for insert operation", [insert(4, "x")]],
  ["Line 6 out of range for insert operation", [insert(3, "x"), insert(4, "y"), insert(6, "z")], 2],
  ["Line 4 out of range for insert operation", [remove(0), insert(4, "x")], 1],
  ["Line 1 is replaced or deleted by more than one edit", [replace(1, "x"), remove(1)], 1],
  ["Line 1 is replaced or deleted by more than one edit", [remove(1), insert(1, "x"), remove(1)], 2],
  ["Line 0 is replaced or deleted by more than one edit", [replace(0, "x"), replace(0, "x")], 1],
  ["Invalid edit operation: append", [{ line: 0, operation: "append", content: "x" }]],
  ["Invalid edit operation: ", [{ line: 0, operation: "" }]],
  ["Delete operation cannot specify content", [{ line: 0, operation: "delete", content: "" }]],
  ["Replace operation must specify content", [{ line: 0, operation: "replace" }]],
  ["Insert operation must specify content", [{ line: 0, operation: "insert" }]],
  ["Line numbers must be non-negative integers", [insert(0, "x"), remove(-1)], 1],
  ["Line numbers must be non-negative integers", [remove(0.5)]],
  ["Line numbers must be non-negative integers", [remove(NaN)]],
  ["Line numbers must be non-negative integers", [insert(Infinity, "x")]],
];

for (const [message, edits, index = 0] of REFUSALS) {
  Deno.test(`applyLineEdits refuses ${JSON.stringify(edits)}`, () => {
    assertRefused(message, { edits }, index);
  });
}

Deno.test("applyLineEdits counts from 1, in messages too, when the caller does", () => {
  assertEquals(applyLineEdits("a\nb\n", { edits: [replace(1, "x"), insert(3, "y")], base: 1 }), {
    text: "x\nb\ny\n",
    linesModified: 2,
    totalLines: 3,
  });
  assertRefused("Line 4 out of range for replace operation", { edits: [replace(4, "x")], base: 1 });
  assertRefused("Line 1 is replaced or deleted by more than one edit", {
    edits: [remove(1), remove(1)],
    base: 1,
  }, 1);
  assertRefused("Line numbers must be positive integers", { edits: [remove(0)], base: 1 });
});

Deno.test("applyLineEdits applies a thousand edits to ten megabytes of short lines", () => {
  const lines = 5_000_000;
  const edits = Array.from({ length: 1_000 }, (_, i) => replace(i * 5_000, "b"));
  const { text, totalLines } = applyLineEdits("a\n".repeat(lines), { edits });
  assertEquals(totalLines, lines);
  assertEquals(text.slice(0, 4) + text.slice(9_998, 10_004), "b\na\na\nb\na\n");
});

function assertRefused(message: string, edits: LineEdits, edit_index = 0): void {
  const error = assertThrows(() => applyLineEdits("a\nb\nc\n", edits), PaddockError);
  assertEquals([error.code, error.message, error.data], ["INVALID_INPUT", message, { edit_index }]);
}
