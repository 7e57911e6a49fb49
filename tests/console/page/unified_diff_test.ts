import { assertEquals } from "@std/assert";
import { pairsOf, parseDiff } from "../../../console/text/unified_diff.ts";

const DIFF = `@@ -1,4 +1,5 @@ function first
 one
-two
-three
+2
+3
+3.5
 four
@@ -20,2 +21,2 @@
-end
\\ No newline at end of file
+END
`;

Deno.test("parseDiff numbers the lines of both sides, and reports what is between hunks", () => {
  const [first, second] = parseDiff(DIFF);
  assertEquals(first?.heading, "function first");
  assertEquals(first?.skipped, 0);
  assertEquals(
    first?.lines.map(({ kind, text, before, after }) => [kind, text, before, after]),
    [
      ["same", "one", 1, 1],
      ["removed", "two", 2, null],
      ["removed", "three", 3, null],
      ["added", "2", null, 2],
      ["added", "3", null, 3],
      ["added", "3.5", null, 4],
      ["same", "four", 4, 5],
    ],
  );
  assertEquals(second?.skipped, 15);
  assertEquals(second?.lines.map(({ text, noNewline }) => [text, noNewline]), [["end", true], [
    "END",
    false,
  ]]);
});

Deno.test("parseDiff handles new and removed files, lines that look like headers, and an empty diff", () => {
  assertEquals(parseDiff("@@ -0,0 +1,2 @@\n+a\n+b\n")[0]?.lines.map(({ after }) => after), [1, 2]);
  assertEquals(parseDiff("@@ -1 +0,0 @@\n-a\n")[0]?.lines.map(({ before }) => before), [1]);
  assertEquals(parseDiff("@@ -1 +1 @@\n--- a\n+++ b\n")[0]?.lines.map(({ text }) => text), ["-- a", "++ b"]);
  assertEquals(parseDiff("@@ -1,3 +1,3 @@\n a\n\n b\n")[0]?.lines.map(({ text }) => text), ["a", "", "b"]);
  assertEquals(parseDiff(""), []);
});

Deno.test("pairsOf puts added lines beside the removed lines they replace", () => {
  const [first] = parseDiff(DIFF);
  assertEquals(
    pairsOf(first?.lines ?? []).map(({ left, right }) => [left?.text, right?.text]),
    [["one", "one"], ["two", "2"], ["three", "3"], [undefined, "3.5"], ["four", "four"]],
  );
});
