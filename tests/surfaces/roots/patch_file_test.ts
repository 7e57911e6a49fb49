import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

interface Patched {
  isError: boolean;
  text: string;
  value: Record<string, unknown>;
  content: string;
}

/** Patches a file with the content `content`. */
async function patch(content: string | Uint8Array, patch: string, maxSize = 1_000_000): Promise<Patched> {
  using folder: TempFolder = tempFolder();
  folder.write("f.txt", content);
  const { call } = rootsSurface([root("r", folder.path)], { maxSize });
  const answer = await call("patch_file", { root: "r", path: "f.txt", patch });
  assertEquals(folder.names(), ["f.txt"]);
  return {
    isError: answer.isError ?? false,
    text: answer.content[0]?.text ?? "",
    value: answer.structuredContent ?? {},
    content: folder.read("f.txt"),
  };
}

const APPLIED: [name: string, content: string, patch: string, expected: string, offsets: number[]][] = [
  [
    "a hunk whose lines have moved",
    `zero\nzero\n${LINES}`,
    "@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n",
    `zero\nzero\n${LINES.replace("three", "3")}`,
    [2],
  ],
  [
    "two hunks, one of which has moved up",
    LINES.replace("five\n", ""),
    "@@ -1,2 +1,2 @@\n-one\n+1\n two\n@@ -6,2 +6,2 @@\n six\n-seven\n+7\n",
    LINES.replace("five\n", "").replace("one", "1").replace("seven", "7"),
    [0, -1],
  ],
  [
    "an LF patch to a CRLF file",
    "a\r\nb\r\n",
    "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,3 @@\n a\n+new\n-b\n+B\n",
    "a\r\nnew\r\nB\r\n",
    [0],
  ],
  [
    "a patch that removes the last newline",
    "a\nb\n",
    "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
    "a\nb",
    [0],
  ],
  [
    "a patch by git with other names",
    "a\n",
    "diff --git a/x/y.c b/x/y.c\nindex 1..2 100644\n--- a/x/y.c\n+++ b/x/y.c\n@@ -1 +1 @@\n-a\n+b\n",
    "b\n",
    [0],
  ],
];

for (const [name, content, diff, expected, offsets] of APPLIED) {
  Deno.test(`patch_file applies ${name}`, async () => {
    const patched = await patch(content, diff);
    assertEquals(patched.isError, false, patched.text);
    assertEquals(patched.content, expected);
    const { diff: made, ...value } = patched.value;
    assertEquals((await patch(content, String(made))).content, expected);
    assertEquals(value, {
      path: "f.txt",
      hunks_applied: offsets.length,
      offsets,
      created: false,
      size: expected.length,
      hash: await hexOf(expected),
    });
  });
}

const REFUSED: [name: string, patch: string, message: RegExp][] = [
  ["prose", "change two to 2, please", /^invalid patch: it has no hunk/],
  ["an empty patch", "", /^patch must be a string with a length of at least 1/],
  [
    "an ambiguous place",
    "@@\n+zero\n",
    /^patch failed: hunk 1 has neither line numbers nor lines of the file/,
  ],
  ["white space that differs", "@@ -1 +1 @@\n-one \n+1\n", /^patch failed: .*: only the white space differs/],
  ["garbage in a hunk", "@@ -1,2 +1,2 @@\n-one\n*two\n", /^invalid patch: line 3: .*"\*two"/],
  [
    "two files",
    "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+1\n--- a/g\n+++ b/g\n",
    /^invalid patch: line 6: a second file/,
  ],
  ["a binary patch", "diff --git a/f b/f\nGIT binary patch\nliteral 0\n", /^invalid patch: it is binary/],
  [
    "other context",
    "@@ -1,2 +1,2 @@\n ONE\n-two\n+2\n",
    /^patch failed: hunk 1 does not match at line 1; .*"ONE".*"one"/,
  ],
  [
    "a second hunk that does not apply",
    "@@ -1 +1 @@\n-one\n+1\n@@ -3 +3 @@\n-III\n+3\n",
    /^patch failed: hunk 2 does not match at line 3; .*"III".*"three"/,
  ],
  [
    "creation of an existing file",
    "--- /dev/null\n+++ b/f.txt\n@@ -0,0 +1 @@\n+new\n",
    /it exists and is not empty/,
  ],
  [
    "deletion",
    `--- a/f.txt\n+++ /dev/null\n@@ -1,7 +0,0 @@\n${LINES.replaceAll(/^(?=.)/gm, "-")}`,
    /^the patch deletes the file; use remove_file/,
  ],
  ["half a surrogate pair", "@@ -1 +1 @@\n-one\n+\ud800\n", /^patch holds a lone surrogate/],
];

for (const [name, diff, message] of REFUSED) {
  Deno.test(`patch_file refuses ${name}, says where the problem is, and leaves the file as it was`, async () => {
    const { isError, text, content } = await patch(LINES, diff);
    assertEquals(isError, true);
    assertMatch(text, message);
    assertStringIncludes(text, '(root: r, path: "f.txt")');
    assertEquals(content, LINES);
  });
}

Deno.test("patch_file says what it has corrected and what it has not carried out", async () => {
  const diff = "diff --git a/f b/g\nold mode 100644\nnew mode 100755\nrename from f\nrename to g\n" +
    "--- a/f\n+++ b/g\n@@ -1,9 +1 @@\n-one\n+1\n@@\n-seven\n+7\n";
  const { content, value } = await patch(LINES, diff);
  assertEquals(content, LINES.replace("one", "1").replace("seven", "7"));
  const notes = value.notes as string[];
  assertEquals(notes.length, 4);
  for (const [i, about] of [/rename/, /mode "100755"/, /says 9 old and 1 new/, /found at line 7/].entries()) {
    assertMatch(notes[i] ?? "", about);
  }
});

Deno.test("patch_file refuses files that are not UTF-8, or are or become too large", async () => {
  const change = "@@ -1 +1 @@\n-one\n+1\n";
  assertMatch((await patch(Uint8Array.of(0x6f, 0xff, 0x0a), change)).text, /^not a UTF-8 text file/);
  assertMatch((await patch("one\n".repeat(10), change, 20)).text, /^file too large to edit \(size: 40B/);
  const growing = await patch("one\n", `@@ -1 +1 @@\n-one\n+${"1".repeat(30)}\n`, 20);
  assertMatch(growing.text, /^file too large to edit \(size: 31B, limit: 20B\)/);
  assertEquals(growing.content, "one\n");
});

Deno.test("patch_file creates no file, and no folders, if the patch does not apply to an empty file", async () => {
  using folder = tempFolder();
  const { call } = rootsSurface([root("r", folder.path)]);
  const args = { root: "r", path: "deep/new.txt", patch: "@@ -1 +1 @@\n-one\n+1\n" };
  const { isError, content } = await call("patch_file", args);
  assertEquals(isError, true);
  assertMatch(content[0]?.text ?? "", /^file not found: "deep\/new\.txt", and the patch changes lines of it/);
  assertEquals(folder.names(), []);
});
