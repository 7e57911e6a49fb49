import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../src/base/errors.ts";
import { unifiedDiff } from "../../src/text/diff.ts";
import { applyPatch } from "../../src/text/patch.ts";

const MARK = "\\ No newline at end of file\n";

const long = "x".repeat(500);
const CONFLICTS: [what: string, text: string, patch: string, message: string][] = [
  [
    "a deleted line differs",
    "line A\nline B\nline C\n",
    "@@ -1,3 +1,2 @@\n line A\n-line X\n line C\n",
    'hunk 1 does not match at line 2; expected "line X", found "line B"',
  ],
  [
    "only the white space differs",
    "a\n\tb\n",
    "@@ -1,2 +1 @@\n a\n-  b\n",
    'hunk 1 does not match at line 2; expected "  b", found "\\tb": only the white space differs; ' +
    "copy the line as it is",
  ],
  [
    "all its lines are elsewhere, except for white space",
    "x\ny\n\tif a:\n\t\tb()\nz\n",
    "@@ -1,2 +1,2 @@\n     if a:\n-        b()\n+        c()\n",
    'hunk 1 does not match at line 3; expected "    if a:", found "\\tif a:": only the white space differs; ' +
    "copy the line as it is",
  ],
  [
    "two places are equally near",
    "x\n1\n2\n3\nx\n",
    "@@ -3 +3 @@\n-x\n+y\n",
    "hunk 1 fits at lines 1, 5, and none is nearest to its header; add lines of the file around it, or the right " +
    "line number",
  ],
  [
    "a bare header leaves it open which of many places is meant",
    "x\n".repeat(9),
    "@@\n x\n+y\n",
    "hunk 1 fits at lines 1, 2, 3, 4, 5 and more, and it has no line numbers; add lines of the file around it, or " +
    "the right line number",
  ],
  [
    "a bare header has nothing but new lines below it",
    "a\n",
    "@@\n+b\n",
    "hunk 1 has neither line numbers nor lines of the file around the new ones, so its place is unknown",
  ],
  [
    "the lines of a bare header are only before the hunk above",
    "a\nb\n",
    "@@\n-b\n+B\n@@\n-a\n+A\n",
    'hunk 2 does not match at line 3; expected "a", found the end of the file after line 2',
  ],
  [
    "the second hunk does not match",
    "a\nb\n",
    "@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-x\n+y\n",
    'hunk 2 does not match at line 2; expected "x", found "b"',
  ],
  [
    "half of it matches elsewhere",
    "1\n2\n3\na\nb\nc\nd\n",
    "@@ -1,4 +1,3 @@\n a\n b\n-x\n d\n",
    'hunk 1 does not match at line 6; expected "x", found "c"',
  ],
  [
    "its first line matches elsewhere",
    "1\n2\na\n3\n4\n",
    "@@ -1,3 +1,2 @@\n a\n-x\n y\n",
    'hunk 1 does not match at line 1; expected "a", found "1"',
  ],
  [
    "a line with a lone CR differs",
    "a\rb\nc\n",
    "@@ -1,2 +1 @@\n-a\rX\n c\n",
    'hunk 1 does not match at line 1; expected "a\\rX", found "a\\rb"',
  ],
  [
    "the file is shorter",
    "a\n",
    "@@ -1,2 +1 @@\n a\n-b\n",
    'hunk 1 does not match at line 2; expected "b", found the end of the file after line 1',
  ],
  [
    "the file is empty",
    "",
    "@@ -1 +1 @@\n-a\n+b\n",
    'hunk 1 does not match at line 1; expected "a", found an empty file',
  ],
  [
    "there is no line to insert after",
    "a\n",
    "@@ -7,0 +8 @@\n+b\n",
    "hunk 1 does not match at line 8; found the end of the file after line 1",
  ],
  [
    "hunks overlap",
    "a\nb\nc\n",
    "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n",
    "hunk 2 does not match at line 2; the hunk before it reaches to line 2, and hunks may not overlap",
  ],
  [
    "hunks are out of order",
    "a\nb\n",
    "@@ -2 +2 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A\n",
    "hunk 2 does not match at line 1; the hunk before it reaches to line 2, and hunks may not overlap",
  ],
  [
    "the file has a final newline",
    "a\n",
    `@@ -1 +1 @@\n-a\n${MARK}+b\n`,
    'hunk 1 does not match at line 1; expected no newline after "a", found one',
  ],
  [
    "the file continues",
    "a\nb\n",
    `@@ -1 +1 @@\n-a\n+b\n${MARK}`,
    'hunk 1 does not match at line 2; expected the end of the file, found "b"',
  ],
  [
    "a new file already exists",
    "a\n",
    "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n",
    "hunk 1 does not match at line 1; the patch creates the file, but it exists and is not empty",
  ],
  [
    "long lines differ at the end",
    `${long}a\n`,
    `@@ -1 +0,0 @@\n-${long}b\n`,
    `hunk 1 does not match at line 1; expected "…${"x".repeat(20)}b", found "…${"x".repeat(20)}a"`,
  ],
  [
    "long lines differ at the start",
    `a${long}\n`,
    `@@ -1 +0,0 @@\n-b${long}\n`,
    `hunk 1 does not match at line 1; expected "b${"x".repeat(99)}…", found "a${"x".repeat(99)}…"`,
  ],
  [
    "it treats lone CRs as the ends of lines",
    "a\rb\rc\r",
    "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    'hunk 1 does not match at line 1; expected "a", found "a\\rb\\rc\\r"',
  ],
  [
    "it deletes a file that has more lines",
    "a\nb\n",
    "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    "it deletes the file, but does not contain all of its lines",
  ],
];

for (const [when, text, patch, message] of CONFLICTS) {
  Deno.test(`applyPatch says what does not match when ${when}`, () => {
    const error = assertThrows(() => applyPatch(text, patch), PaddockError);
    assertEquals([error.code, error.message], ["CONFLICT", `patch failed: ${message}`]);
  });
}

/** The text of `count` numbered lines. */
function numbered(count: number, prefix = "line "): string {
  return Array.from({ length: count }, (_, i) => `${prefix}${i + 1}\n`).join("");
}

Deno.test("applyPatch chooses the nearest place when several match, and says where else", () => {
  const patch = (line: number) => `@@ -${line} +${line} @@\n-x\n+y\n`;
  assertEquals(applyPatch("x\n1\n2\n3\nx\n", patch(2)).text, "y\n1\n2\n3\nx\n");
  assertEquals(applyPatch("x\n1\n2\n3\nx\n", patch(4)).text, "x\n1\n2\n3\ny\n");
  assertEquals(applyPatch("x\n1\n2\n3\nx\n", patch(2)).notes, [
    "hunk 1 fits at lines 1, 5; it was applied at line 1, the nearest to its header",
  ]);
  assertEquals(applyPatch("x\n1\n2\n3\nx\n", patch(1)).notes, []); // the header decides
  assertEquals(applyPatch("x\n1\n2\n3\nx\n", patch(999)).text, "x\n1\n2\n3\ny\n");
  assertEquals(applyPatch("x\nx\nx\n", patch(1) + patch(1)).text, "y\ny\nx\n");
});

Deno.test("applyPatch uses either of two places if that makes no difference to the file", () => {
  const removal = (count: number) => `@@\n${" x\n".repeat(count)}-x\n`;
  for (const count of [0, 1, 2]) {
    const patched = applyPatch("a\n" + "x\n".repeat(5) + "b\n", removal(count));
    assertEquals(patched.text, "a\n" + "x\n".repeat(4) + "b\n");
  }
  const swap = "@@\n-x\n-y\n+x\n";
  assertEquals(applyPatch("x\ny\nz\n", swap).text, "x\nz\n");
  assertThrows(() => applyPatch("x\ny\nx\ny\n", swap), PaddockError, "fits at lines 1, 3");
});

Deno.test("applyPatch places a hunk with a bare header by its lines, and says where", () => {
  const patched = applyPatch("1\na\nb\n2\nc\n", "@@\n a\n-b\n+B\n@@ def f():\n-c\n+C\n");
  assertEquals(patched.text, "1\na\nB\n2\nC\n");
  assertEquals(patched.hunks, [{ offset: 0, line: 2 }, { offset: 0, line: 5 }]);
  assertEquals(patched.notes, [
    "hunk 1 has no line numbers; its lines were found at line 2",
    "hunk 2 has no line numbers; its lines were found at line 5",
  ]);
  assertEquals(applyPatch("", "@@\n+new\n").text, "new\n");
});

Deno.test("applyPatch lists the lines of an ambiguous hunk in the data of its error", () => {
  const error = assertThrows(() => applyPatch("x\n1\nx\n", "@@\n-x\n+y\n"), PaddockError);
  assertEquals(error.data, { hunk: 1, line: 1, candidates: [1, 3] });
});

Deno.test("applyPatch looks for a hunk where the one before it was moved to", () => {
  const patch = "@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-x\n+y\n";
  assertEquals(applyPatch("1\n2\n3\na\nx\nx\nx\n", patch).text, "1\n2\n3\nb\nx\ny\nx\n");
});

Deno.test("applyPatch applies to shifted texts with the shift as the offset of every hunk", () => {
  const edits = fc.array(fc.constantFrom("", "", "", "", "", "-", "+", "!"), { minLength: 1, maxLength: 80 });
  fc.assert(fc.property(edits, fc.nat(30), fc.constantFrom("\n", "\r\n"), (kinds, shift, ending) => {
    const before = numbered(kinds.length);
    const after = before.split("\n").map((line, i) => {
      const kind = kinds[i] ?? "";
      return kind === "-"
        ? ""
        : kind === "!"
        ? `new ${i}\n`
        : `${kind && `more ${i}\n`}${line}${line && "\n"}`;
    }).join("");
    if (before === after) return;
    const above = numbered(shift, "above ");
    const toEnding = (text: string) => text.replaceAll("\n", ending);
    const result = applyPatch(toEnding(above + before), unifiedDiff(before, after, { path: "f" }));
    assertEquals(result.text, toEnding(above + after));
    assertEquals(result.hunks.map(({ offset }) => offset), result.hunks.map(() => shift));
  }));
});

Deno.test("applyPatch gives up in limited time when hunks are designed to be searched for everywhere", () => {
  const size = 100_000;
  const repeats = `@@ -1,${size} +1,${size} @@\n${" a\n".repeat(size - 1)}-b\n+c\n`;
  assertThrows(() => applyPatch("a\n".repeat(2 * size), repeats), PaddockError, "does not match");
  const jumps = Array.from(
    { length: size / 2 },
    (_, i) => `@@ -${i % 2 ? 1 : size} +1 @@\n-line ${2 * i + 2}\n`,
  );
  const patch = jumps.join("").replaceAll("+1 @@", "+1,0 @@");
  assertThrows(() => applyPatch(numbered(size), patch), PaddockError, "does not match");
});
