import { assertEquals, assertThrows } from "@std/assert";
import { unifiedDiff } from "../../src/text/diff.ts";
import { applyStringEdits, type StringEdit, StringEditError } from "../../src/text/string_edits.ts";

type Pair = [oldText: string, newText: string];

function edit(text: string, pairs: readonly Pair[]) {
  return applyStringEdits(text, pairs.map(([oldText, newText]): StringEdit => ({ oldText, newText })));
}

function failure(text: string, pairs: readonly Pair[]): StringEditError {
  const error = assertThrows(() => edit(text, pairs), StringEditError);
  assertEquals(error.code, "INVALID_INPUT");
  return error;
}

function assertFails(error: StringEditError, rpcCode: number, message: string): void {
  assertEquals([error.rpcCode, error.message], [rpcCode, message]);
}

/** The lines that a diff removes and adds. */
function changedLines(before: string, after: string): string[] {
  return unifiedDiff(before, after, { path: "file" }).split("\n").slice(2).filter((line) =>
    /^[-+]/.test(line)
  );
}

Deno.test("TC1: applyStringEdits makes several edits in one file", () => {
  const text = '[server]\nhost = "localhost"\nport = 8080\n\n[app]\ndebug = false\n';
  const result = edit(text, [
    ["port = 8080", "port = 3000"],
    ['host = "localhost"', 'host = "0.0.0.0"'],
    ["debug = false", "debug = true"],
  ]);
  assertEquals(result, {
    text: '[server]\nhost = "0.0.0.0"\nport = 3000\n\n[app]\ndebug = true\n',
    lineRanges: [
      { editIndex: 0, start: 3, end: 3 },
      { editIndex: 1, start: 2, end: 2 },
      { editIndex: 2, start: 6, end: 6 },
    ],
    newRanges: [
      { editIndex: 0, start: 3, end: 3 },
      { editIndex: 1, start: 2, end: 2 },
      { editIndex: 2, start: 6, end: 6 },
    ],
    replaced: 3,
  });
  assertEquals(changedLines(text, result.text), [
    '-host = "localhost"',
    "-port = 8080",
    '+host = "0.0.0.0"',
    "+port = 3000",
    "-debug = false",
    "+debug = true",
  ]);
});

Deno.test("TC2: applyStringEdits makes each edit in the result of the one before it", () => {
  const { text, lineRanges } = edit("AAA", [["AAA", "BBB"], ["BBB", "CCC"]]);
  assertEquals([text, lineRanges.length], ["CCC", 2]);
  assertEquals(changedLines("AAA", text), ["-AAA", "+CCC"]);
});

Deno.test("TC3: applyStringEdits says which edit's string is not found", () => {
  const error = failure("line 1\nline 2\n", [["line 1", "LINE 1"], ["line 3", "LINE 3"]]);
  assertFails(error, -32010, "Edit 1: String not found: line 3");
  assertEquals(error.data, {
    edit_index: 1,
    nearest_match: { line: 2, end_line: 2, text: "line 2", cut: false, differs: ["text"] },
    lines_compared: 2,
    changed_by_earlier_edit: false,
  });
});

Deno.test("TC4: applyStringEdits refuses an empty list", () => {
  assertFails(failure("x", []), -32600, "Edits array cannot be empty");
});

Deno.test("TC5: applyStringEdits does not find what an earlier edit replaced, and says so", () => {
  const error = failure("foo", [["foo", "bar"], ["foo", "baz"]]);
  assertFails(error, -32010, "Edit 1: String not found: foo");
  assertEquals(error.data?.changed_by_earlier_edit, true);
});

Deno.test("TC6: applyStringEdits makes a thousand edits, wherever they fall in a megabyte", () => {
  const line = (i: number) => `value ${i * 7919 % 20011} of ${i};`;
  const lines = Array.from({ length: 40_000 }, (_, i) => line(i));
  const picks = Array.from({ length: 1_000 }, (_, i) => (i * 9973 + 5) % 40_000);
  const result = edit(lines.join("\n"), picks.map((i) => [`${line(i)}\n`, `changed ${i}\nand more\n`]));
  const expected = lines.map((old, i) => picks.includes(i) ? `changed ${i}\nand more` : old).join("\n");
  assertEquals(result.text === expected, true);
  assertEquals(result.lineRanges.length, 1_000);
  assertEquals(result.lineRanges[1], { editIndex: 1, start: 9_980, end: 9_980 });
});

Deno.test("TC7: applyStringEdits refuses a string that an edit made ambiguous", () => {
  const error = failure("A", [["A", "AA"], ["A", "B"]]);
  assertFails(error, -32011, "Edit 1: String appears 2 times: A");
  assertEquals(error.data, { edit_index: 1, count: 2, lines: [1, 1] });
});

const TEXTS: [what: string, before: string, edits: Pair[], after: string][] = [
  ["uses new text literally", "price", [["price", "$& $1 $$ $` \\n"]], "$& $1 $$ $` \\n"],
  ["uses old text literally", "a.c abc", [["a.c", "x"]], "x abc"],
  ["deletes", "abc", [["b", ""]], "ac"],
  ["fills an empty text", "", [["", "a\n"]], "a\n"],
  ["changes nothing when told to", "abc", [["b", "b"]], "abc"],
  ["edits inside what it inserted", "ab", [["a", "xyz"], ["y", "-"]], "x-zb"],
  ["edits around what it inserted", "abc", [["b", "xyz"], ["axyzc", "-"]], "-"],
  ["edits beside what it inserted", "abc", [["b", "xyz"], ["a", "1"], ["c", "2"]], "1xyz2"],
  ["keeps a byte order mark", "\uFEFFab", [["a", "x"]], "\uFEFFxb"],
  ["keeps a missing final newline", "a\nb", [["b", "c"]], "a\nc"],
  ["matches LF with CRLF", "a\r\nb\r\nc\r\n", [["a\nb\n", "x\ny\nz\n"]], "x\r\ny\r\nz\r\nc\r\n"],
  [
    "gives new lines the ending of their line",
    "a\r\nb\nc",
    [["a", "a\nA"], ["c", "c\nC"]],
    "a\r\nA\r\nb\nc\nC",
  ],
  ["keeps mixed endings", "a\r\nb\nc\r\nd", [["a\nb\nc\nd", "a\nB\nc\nd\ne"]], "a\r\nB\nc\r\nd\r\ne"],
  ["treats a lone CR as a character of its line", "a\rb\r\nc", [["b\nc", "B\nC"]], "a\rB\r\nC"],
  ["finds a lone CR by a lone CR", "a\rb\nc", [["a\rb", "a\r\rB"]], "a\r\rB\nc"],
  ["never splits a CRLF", "a\r\nb", [["\nb", ""]], "a"],
  ["uses a CR in new text literally", "a\nb", [["a", "a\r\nA\nx"]], "a\r\nA\nx\nb"],
  ["uses a CR in old text literally", "a\r\nb\r\n", [["a\r\nb", "a\nb"]], "a\nb\r\n"],
  ["distinguishes endings by a CR in old text", "a\nb a\r\nb", [["a\r\nb", "x"]], "a\nb x"],
];

for (const [what, before, edits, after] of TEXTS) {
  Deno.test(`applyStringEdits ${what}`, () => assertEquals(edit(before, edits).text, after));
}

const RANGES: [before: string, edits: Pair[], ranges: [start: number, end: number][]][] = [
  ["a\nb\nc\n", [["b\nc\n", "x"]], [[2, 3]]],
  ["a\nb\nc\n", [["\nb", "x"]], [[1, 2]]],
  ["a\nb\nc\n", [["a", "1\n2\n3"], ["c", "x"]], [[1, 1], [5, 5]]],
  ["a\r\nb\nc", [["b", "x"], ["c", "y"]], [[2, 2], [3, 3]]],
  ["a\rb\nc", [["b", "x"], ["c", "y"]], [[1, 1], [2, 2]]],
  ["", [["", "a\nb"], ["b", "c"]], [[1, 1], [2, 2]]],
];

for (const [before, edits, ranges] of RANGES) {
  Deno.test(`applyStringEdits returns the lines before each edit for ${JSON.stringify([before, edits])}`, () => {
    assertEquals(
      edit(before, edits).lineRanges,
      ranges.map(([start, end], editIndex) => ({ editIndex, start, end })),
    );
  });
}

Deno.test("applyStringEdits counts overlapping places", () => {
  const error = failure("\naXaXa", [["aXa", ""]]);
  assertFails(error, -32011, "Edit 0: String appears 2 times: aXa");
  assertEquals(error.data?.lines, [2, 2]);
});

Deno.test("applyStringEdits names the first hundred places and counts the others", () => {
  const error = failure("x\n".repeat(150), [["x", ""]]);
  assertFails(error, -32011, "Edit 0: String appears 150 times: x");
  assertEquals(error.data?.lines, Array.from({ length: 100 }, (_, i) => i + 1));
});

Deno.test("applyStringEdits finds the empty string before and after every character", () => {
  const error = failure("abc", [["", "x"]]);
  assertFails(error, -32011, "Edit 0: String appears 4 times: ");
  assertEquals(error.data?.hint, "the text to replace is empty");
});

Deno.test("applyStringEdits refuses an edit across the edge of what another inserted", () => {
  const error = failure("a\nb\nc\nd\n", [["b", "x\ny"], ["y\nc", "-"]]);
  assertFails(error, -32012, "Edit 1 conflicts with edit 0");
  assertEquals(error.data, {
    edit_index: 1,
    prior_index: 0,
    lines: { start: 3, end: 4 },
    prior_lines: { start: 2, end: 3 },
  });
  assertFails(failure("abc", [["c", "3"], ["b", "xy"], ["ax", ""]]), -32012, "Edit 2 conflicts with edit 1");
  assertFails(failure("abc", [["b", "xyz"], ["y", "-"], ["zc", ""]]), -32012, "Edit 2 conflicts with edit 0");
});

Deno.test("applyStringEdits says that only the line endings differ", () => {
  const error = failure("x\na\nb\n", [["a\r\nb", ""]]);
  assertFails(error, -32010, "Edit 0: String not found: a\r\nb");
  const nearest = { line: 2, end_line: 3, text: "a\nb", cut: false, differs: ["line_endings"] };
  assertEquals(error.data?.nearest_match, nearest);
  const crOnly = failure("x\ra\rb\r", [["a\nb", ""]]).data?.nearest_match;
  assertEquals(crOnly, { line: 1, end_line: 1, text: "a\rb", cut: false, differs: ["line_endings"] });
});

Deno.test("applyStringEdits does not accept half a character as a place", () => {
  assertFails(failure("😀", [["\ud83d", "x"]]), -32010, "Edit 0: String not found: \\ud83d");
});

Deno.test("applyStringEdits distinguishes the endings of many places", () => {
  const text = "a\n".repeat(20) + "a\r\n";
  assertEquals(edit(text, [["a\r\n", "b\r\n"]]).text, "a\n".repeat(20) + "b\r\n");
});

Deno.test("applyStringEdits replaces every place, or the one nearest to a line of the original", () => {
  const text = "a\nx\nb\nx\nc\nx\n";
  const all = applyStringEdits(text, [{ oldText: "x", newText: "y\nz", replaceAll: true }]);
  assertEquals([all.text, all.replaced], ["a\ny\nz\nb\ny\nz\nc\ny\nz\n", 3]);
  assertEquals(all.newRanges.map(({ start, end }) => [start, end]), [[2, 3], [5, 6], [8, 9]]);
  // Lines are those of the original, whatever the earlier edits have inserted.
  const near = applyStringEdits(text, [
    { oldText: "a\n", newText: "a\n1\n2\n3\n" },
    { oldText: "x", newText: "y", nearLine: 4 },
  ]);
  assertEquals(near.text, "a\n1\n2\n3\nx\nb\ny\nc\nx\n");
  assertEquals(near.newRanges, [{ editIndex: 0, start: 1, end: 4 }, { editIndex: 1, start: 7, end: 7 }]);
  // None is nearest.
  assertThrows(() => applyStringEdits(text, [{ oldText: "x", newText: "y", nearLine: 3 }]), StringEditError);
});

Deno.test("applyStringEdits replaces overlapping places from the first one on", () => {
  const { text, replaced } = applyStringEdits("aXaXaXa", [{
    oldText: "aXa",
    newText: "-",
    replaceAll: true,
  }]);
  assertEquals([text, replaced], ["-X-", 2]);
});

Deno.test("applyStringEdits keeps the line endings of every place it replaces", () => {
  const { text } = applyStringEdits("a\r\nb\r\n-\na\nb\n", [
    { oldText: "a\nb", newText: "1\n2\n3", replaceAll: true },
  ]);
  assertEquals(text, "1\r\n2\r\n3\r\n-\n1\n2\n3\n");
});
