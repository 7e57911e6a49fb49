import { assertEquals, assertMatch } from "@std/assert";
import { unifiedDiff } from "../../src/text/diff.ts";
import { applyPatch } from "../../src/text/patch.ts";

const NAMES = "--- a/f\n+++ b/f\n";
const MARK = "\\ No newline at end of file\n";
const CHANGE_B = `${NAMES}@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`;
const GIT = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\nsimilarity index 90%\n" +
  "rename from f\nrename to g\nindex 0123456..789abcd\n";

const APPLIED: [what: string, text: string, patch: string, expected: string][] = [
  ["a change", "a\nb\nc\n", CHANGE_B, "a\nB\nc\n"],
  ["a hunk header without counts", "a\n", `${NAMES}@@ -1 +1 @@\n-a\n+b\n`, "b\n"],
  ["a function name in the hunk header", "a\n", `${NAMES}@@ -1 +1 @@ f() {\n-a\n+b\n`, "b\n"],
  ["no file names", "a\n", "@@ -1 +1 @@\n-a\n+b\n", "b\n"],
  ["file names with dates", "a\n", "--- f\t2026-01-01 00:00\n+++ f\t2026\n@@ -1 +1 @@\n-a\n+b\n", "b\n"],
  ["git's extended headers", "a\nb\nc\n", GIT + CHANGE_B, "a\nB\nc\n"],
  [
    "prose and a fence around it",
    "a\nb\nc\n",
    `Here:\n\n\`\`\`diff\n${CHANGE_B}\`\`\`\n- done\n`,
    "a\nB\nc\n",
  ],
  ["a mail's signature at the end", "a\nb\nc\n", `Subject: x\n---\n${CHANGE_B}-- \n2.39.5\n\n`, "a\nB\nc\n"],
  ["empty lines at the end", "a\nb\nc\n", `${CHANGE_B}\n \n\n`, "a\nB\nc\n"],
  ["no newline at the end of the patch", "a\nb\nc\n", CHANGE_B.slice(0, -1), "a\nB\nc\n"],
  ["a BOM before the patch", "a\n", "\uFEFF@@ -1 +1 @@\n-a\n+b\n", "b\n"],
  ["an empty context line without its space", "a\n\nc\n", `@@ -1,3 +1,2 @@\n a\n\n-c\n`, "a\n\n"],
  [
    "an empty CRLF line without its space",
    "a\r\n\r\nc\r\n",
    "@@ -1,3 +1,2 @@\n a\r\n\r\n-c\r\n",
    "a\r\n\r\n",
  ],
  ["lines that look like file names", "-- x\n", `${NAMES}@@ -1 +1 @@\n--- x\n+++ y\n`, "++ y\n"],
  ["a new file", "", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"],
  ["a new file without /dev/null", "", `${NAMES}@@ -0,0 +1 @@\n+a\n`, "a\n"],
  ["a new file counted from 1", "", `${NAMES}@@ -1,0 +1 @@\n+a\n`, "a\n"],
  ["a new file without a final newline", "", `--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n${MARK}`, "a"],
  ["an insertion without context", "1\n2\n", `${NAMES}@@ -1,0 +2 @@\n+x\n`, "1\nx\n2\n"],
  ["an insertion at the top without context", "1\n", `${NAMES}@@ -0,0 +1 @@\n+x\n`, "x\n1\n"],
  ["a final newline removed", "a\n", `@@ -1 +1 @@\n-a\n+a\n${MARK}`, "a"],
  ["a final newline added", "a", `@@ -1 +1 @@\n-a\n${MARK}+a\n`, "a\n"],
  ["no final newline on either side", "a", `@@ -1 +1 @@\n-a\n${MARK}+b\n${MARK}`, "b"],
  ["context without a final newline", "a\nb", `@@ -1,2 +1,2 @@\n-a\n+A\n b\n${MARK}`, "A\nb"],
  ["context whose missing newline is not mentioned", "a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "A\nb"],
  ["a line after one without a newline", "x\r\na", "@@ -2 +2,2 @@\n a\n+b\n", "x\r\na\r\nb\r\n"],
  ["a last line whose missing newline is not mentioned", "a", "@@ -1 +1 @@\n-a\n+b\n", "b\n"],
  ["an LF patch of a CRLF file", "a\r\nb\r\nc\r\n", CHANGE_B, "a\r\nB\r\nc\r\n"],
  ["a CRLF patch of an LF file", "a\nb\nc\n", CHANGE_B.replaceAll("\n", "\r\n"), "a\nB\nc\n"],
  ["a CRLF patch of a CRLF file", "a\r\nb\r\nc\r\n", CHANGE_B.replaceAll("\n", "\r\n"), "a\r\nB\r\nc\r\n"],
  ["git's patch of a CRLF file", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", "a\r\nB\r\n"],
  ["a patch that changes an ending", "a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n", "a\r\nb\n"],
  ["an LF patch of mixed endings", "a\r\nb\nc\r\n", CHANGE_B, "a\r\nB\nc\r\n"],
  ["an LF insertion into a CRLF file", "a\r\nb\r\n", "@@ -2,0 +3 @@\n+c\n", "a\r\nb\r\nc\r\n"],
  ["a lone CR elsewhere in the file", "a\nb\nc\nx\ry\n", CHANGE_B, "a\nB\nc\nx\ry\n"],
  ["a lone CR within a line", "a\rb\nc\n", "@@ -1,2 +1,2 @@\n-a\rb\n+a\rB\n c\n", "a\rB\nc\n"],
  ["a lone CR at the end of the file", "a\r", `@@ -1 +1 @@\n-a\r\n${MARK}+b\r\n${MARK}`, "b\r"],
  ["a file with a BOM, not in the patch", "\uFEFFa\nb\nc\n", CHANGE_B, "\uFEFFa\nB\nc\n"],
  ["an insertion before a BOM line", "\uFEFFa\n", "@@ -1 +1,2 @@\n+x\n a\n", "\uFEFFx\na\n"],
  ["a patch that removes the BOM", "\uFEFFa\n", "@@ -1 +1 @@\n-\uFEFFa\n+a\n", "a\n"],
  ["U+2028 within a line", "a\u2028b\n", "@@ -1 +1 @@\n-a\u2028b\n+b\u2028a\n", "b\u2028a\n"],
];

for (const [what, text, patch, expected] of APPLIED) {
  Deno.test(`applyPatch applies ${what}`, () => assertEquals(applyPatch(text, patch).text, expected));
}

Deno.test("applyPatch empties the file and says so when the new name is /dev/null", () => {
  const patch = "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
  assertEquals(applyPatch("a\nb\n", patch), {
    text: "",
    hunks: [{ offset: 0, line: 1 }],
    notes: [],
    deletes: true,
  });
});

/** The text of `count` numbered lines. */
function numbered(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");
}

Deno.test("applyPatch reports where each hunk was applied when lines were added and removed before it", () => {
  const before = numbered(60);
  const after = before.replace("line 20\n", "twenty\nand\n").replace("line 50\n", "");
  const patch = unifiedDiff(before, after, { path: "f" });
  const hunks = (text: string) => applyPatch(text, patch).hunks;
  assertEquals(hunks(before), [{ offset: 0, line: 17 }, { offset: 0, line: 48 }]);
  assertEquals(hunks("x\ny\n" + before), [{ offset: 2, line: 19 }, { offset: 2, line: 50 }]);
  assertEquals(hunks(before.replace("line 1\n", "")), [{ offset: -1, line: 16 }, { offset: -1, line: 47 }]);
  assertEquals(hunks(before.replace("line 40\n", "")), [{ offset: 0, line: 17 }, { offset: -1, line: 47 }]);
});

const HEADERS: [what: string, headers: string, notes: RegExp[]][] = [
  ["a rename", "similarity index 90%\nrename from f\nrename to g h\n", [
    /^the patch says to rename "f" to "g h": that was not done, .*; use move$/,
  ]],
  ["a copy", "copy from f\ncopy to g\n", [/^the patch says to copy "f" to "g": .*; use copy$/]],
  ["a mode", "old mode 100644\nnew mode 100755\n", [
    /^the patch gives the file the mode "100755": that was not done/,
  ]],
  ["a rename and a mode", "old mode 100755\nnew mode 100644\nrename from f\nrename to g\n", [
    /rename/,
    /mode "100644"/,
  ]],
  ["a new program", "new file mode 100755\nindex 0..1\n", [/the mode "100755"/]],
  ["a new link", "new file mode 120000\nindex 0..1\n", [/the mode "120000"/]],
  ["a new plain file", "new file mode 100644\nindex 0..1\n", []],
  ["none of that", "index 0123456..789abcd 100644\n", []],
];

for (const [what, headers, notes] of HEADERS) {
  Deno.test(`applyPatch says what it does not carry out when git's headers ask for ${what}`, () => {
    const patched = applyPatch("a\nb\nc\n", `rename from prose\ndiff --git a/f b/g\n${headers}${CHANGE_B}`);
    assertEquals([patched.text, patched.notes.length], ["a\nB\nc\n", notes.length]);
    for (const [i, note] of notes.entries()) assertMatch(patched.notes[i] ?? "", note);
  });
}
