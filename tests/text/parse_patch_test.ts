import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../src/base/errors.ts";
import { parsePatch } from "../../src/text/parse_patch.ts";
import { applyPatch } from "../../src/text/patch.ts";

const NAMES = "--- a/f\n+++ b/f\n";
const MARK = "\\ No newline at end of file\n";
const CHANGE_B = `${NAMES}@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`;
const GIT = "diff --git a/f b/f\nindex 0123456..789abcd\n";

const EXAMPLE = '"@@ -1,3 +1,4 @@"';
const MALFORMED: [what: string, patch: string, message: string][] = [
  ["empty", "", "it is empty"],
  ["blank", " \n\r\n", "it is empty"],
  ["prose", "Change a to b.\n", `it has no hunk, which begins with a line like ${EXAMPLE}`],
  ["names alone", NAMES, `line 3: expected a line like ${EXAMPLE}, found the end of the patch`],
  ["names and prose", `${NAMES}-a\n`, `line 3: expected a line like ${EXAMPLE}, found "-a"`],
  ["one name", "--- a/f\n@@ -1 +1 @@\n-a\n+b\n", 'line 2: expected "+++ " and the new name before it'],
  [
    "binary",
    "diff --git a/f b/f\nnew file mode 100644\nBinary files /dev/null and b/f differ\n",
    "it is binary, and only text can be patched",
  ],
  [
    "binary in git's format",
    "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQ\n",
    "it is binary, and only text can be patched",
  ],
  [
    "only a rename",
    "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n",
    "it only renames or copies a file, without changing its content",
  ],
  [
    "only a mode",
    "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
    "it only changes the mode of a file",
  ],
  [
    "only an empty file",
    "diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n",
    "it only creates or deletes an empty file",
  ],
  [
    "in another format",
    "*** Begin Patch\n*** Update File: f\n-a\n+b\n",
    "it is in another format; a unified diff is needed, as `diff -u` writes it",
  ],
  [
    "for two files",
    `${CHANGE_B}--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n`,
    "line 8: a second file begins here; send one patch for each file",
  ],
  [
    "for two files, the first a rename",
    `diff --git a/x b/y\nrename from x\nrename to y\n${GIT}${CHANGE_B}`,
    "line 4: a second file begins here; send one patch for each file",
  ],
  [
    "with a hunk header without its end",
    `${NAMES}@@ -1,2 +1,2\n-a\n+b\n`,
    `line 3: expected a line like ${EXAMPLE}, found "@@ -1,2 +1,2"`,
  ],
  [
    "with half a hunk header",
    `${NAMES}@@ -1 @@\n-a\n+b\n`,
    `line 3: expected a line like ${EXAMPLE}, found "@@ -1 @@"`,
  ],
  [
    "with a combined hunk header",
    "@@@ -1,2 -1,2 +1,3 @@@\n",
    `line 1: expected a line like ${EXAMPLE}, found "@@@ -1,2 -1,2 +1,3 @@@"`,
  ],
  [
    "with a line number of 20 digits",
    `@@ -${"9".repeat(20)} +1 @@\n-a\n+b\n`,
    `line 1: expected a line like ${EXAMPLE}, found "@@ -${"9".repeat(20)} +1 @@"`,
  ],
  [
    "with a line that begins differently",
    "@@ -1,2 +1,2 @@\n-a\nb\n+c\n",
    'line 3: a line in a hunk begins with " ", "-" or "+"; found "b"',
  ],
  [
    "with a line that begins differently after a blank one",
    "@@ -1,9 +1,9 @@\n-a\n+b\n\nc\n-d\n",
    'line 5: a line in a hunk begins with " ", "-" or "+"; found "c"',
  ],
  [
    "too short before prose",
    `${NAMES}@@ -1,3 +1,3 @@\n a\n-b\n+B\nDone.\n`,
    'line 7: a line in a hunk begins with " ", "-" or "+"; found "Done."',
  ],
  [
    "too short before a fence that is followed by more of a hunk",
    "@@ -1,9 +1,9 @@\n-b\n```\n-c\n",
    'line 3: a line in a hunk begins with " ", "-" or "+"; found "```"',
  ],
  [
    "cut off after a header",
    `${NAMES}@@ -1,3 +1,3 @@\n`,
    'line 3: hunk 1 changes nothing: no line begins with "-" or "+"',
  ],
  [
    "with prose between hunks",
    "@@ -1 +1 @@\n-a\n+b\nAnd:\n@@ -9 +9 @@\n-x\n+y\n",
    'line 4: expected a hunk or the end, found "And:"',
  ],
  [
    "without a change",
    "@@ -1,2 +1,2 @@\n a\n b\n",
    'line 1: hunk 1 changes nothing: no line begins with "-" or "+"',
  ],
  [
    "with a marker first",
    `@@ -1 +1 @@\n${MARK}-a\n+b\n`,
    'line 2: "\\\\ No newline at end of file" does not follow a line of the file',
  ],
  [
    "with two markers in a row",
    `@@ -1 +1 @@\n-a\n${MARK}${MARK}+b\n`,
    'line 4: "\\\\ No newline at end of file" does not follow a line of the file',
  ],
  [
    "with a line after a marker",
    `@@ -1 +1,2 @@\n-a\n+b\n${MARK}+c\n`,
    "line 5: a line comes after the one that has no newline at the end of the file",
  ],
];

for (const [what, patch, message] of MALFORMED) {
  Deno.test(`parsePatch refuses a patch that is ${what}`, () => {
    const error = assertThrows(() => parsePatch(patch), PaddockError);
    assertEquals([error.code, error.message], ["INVALID_INPUT", `invalid patch: ${message}`]);
  });
}

const counted = (hunk: number, said: [number, number], has: [number, number]) =>
  `the header of hunk ${hunk} says ${said[0]} old and ${said[1]} new lines, but its body has ${has[0]} and ` +
  `${has[1]}; it was applied according to its body`;

const MISCOUNTED: [what: string, patch: string, kinds: string[], notes: string[]][] = [
  ["too short", `${NAMES}@@ -1,3 +1,3 @@\n a\n-b\n+B\n`, [" -+"], [counted(1, [3, 3], [2, 2])]],
  [
    "too short before a hunk",
    "@@ -1,2 +1,2 @@\n-a\n+b\n@@ -9 +9 @@\n-x\n+y\n",
    ["-+", "-+"],
    [counted(1, [2, 2], [1, 1])],
  ],
  ["too long", "@@ -1 +1 @@\n-a\n+b\n+c\n", ["-++"], [counted(1, [1, 1], [1, 2])]],
  ["too long after an empty line", "@@ -1 +1 @@\n-a\n+b\n\n+c\n", ["-+ +"], [counted(1, [1, 1], [2, 3])]],
  ["too long on one side", "@@ -1 +1,3 @@\n-a\n b\n+c\n", ["- +"], [counted(1, [1, 3], [2, 2])]],
  ["too short before blank lines", "@@ -1,9 +1,9 @@\n a\n-b\n\n \n\n", [" -"], [counted(1, [9, 9], [2, 1])]],
  ["too short before a fence", "@@ -1,9 +1,9 @@\n-b\n```\nDone.\n", ["-"], [counted(1, [9, 9], [1, 0])]],
  ["too short before a signature", "@@ -1,9 +1,9 @@\n-b\n-- \n2.39\n", ["-"], [counted(1, [9, 9], [1, 0])]],
  ["too short before closing prose", "@@ -1,9 +1,9 @@\n-b\n\nThat is all.\n", ["-"], [
    counted(1, [9, 9], [1, 0]),
  ]],
  ["too short, with a line that looks like a signature", "@@ -1,9 +1,9 @@\n-b\n-- \n+c\n", ["--+"], [
    counted(1, [9, 9], [2, 1]),
  ]],
  [
    "too short, with a marker",
    `@@ -1,9 +1,9 @@\n-b\n${MARK}+c\n${MARK}`,
    ["-+"],
    [counted(1, [9, 9], [1, 1])],
  ],
];

for (const [what, patch, kinds, notes] of MISCOUNTED) {
  Deno.test(`parsePatch recounts a hunk, and says so, when its header makes it ${what}`, () => {
    const parsed = parsePatch(patch);
    assertEquals(parsed.hunks.map(({ lines }) => lines.map(({ kind }) => kind).join("")), kinds);
    assertEquals(parsed.notes, notes);
  });
}

for (const header of ["@@", "@@ @@", "@@ ... @@", "@@ def f():", "@@ class A"]) {
  Deno.test(`parsePatch accepts ${JSON.stringify(header)} as a header without numbers`, () => {
    const { hunks, notes } = parsePatch(`${NAMES}${header}\n a\n-b\n+B\n\n${header}\n-c\n`);
    assertEquals(hunks.map(({ oldStart, lines }) => [oldStart, lines.length]), [[undefined, 3], [
      undefined,
      1,
    ]]);
    assertEquals(notes, []);
  });
}

Deno.test("applyPatch throws only PaddockError when the patch is garbage", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "--- a/f",
      "+++ b/f",
      "--- /dev/null",
      "+++ /dev/null",
      "@@",
      "@@ x",
      "rename to y",
      "diff --git a/f b/f",
      MARK,
    ),
    fc.constantFrom("@@ -1 +1 @@", "@@ -1,2 +1,2 @@", "@@ -0,0 +1 @@", "@@ -2,0 +2 @@", "@@ -1 +0,0 @@"),
    fc.constantFrom("-a", "+b", " a", "", " ", "+", "-", "\r", "\\ x", "\uFEFF", "-a\r", "@@ -9,9 +9,9 @@ x"),
    fc.string(),
  );
  const text = fc.constantFrom("", "a", "a\n", "a\r\na\r\nb", "\uFEFFa\rb\r");
  fc.assert(
    fc.property(text, fc.array(piece), fc.constantFrom("\n", "\r\n"), (text, pieces, ending) => {
      try {
        applyPatch(text, pieces.join(ending));
      } catch (error) {
        if (!(error instanceof PaddockError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
