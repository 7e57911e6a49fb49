import { assert, assertEquals, assertThrows } from "@std/assert";
import { unifiedDiff, unifiedDiffSteps } from "../../src/text/diff.ts";
import { diffLines, withHalf } from "../../src/text/line_diff.ts";
import { applyPatchSteps } from "../../src/text/patch.ts";
import { foldedInSteps, runAll, splitInSteps } from "../../src/text/steps.ts";
import { stringEditSteps } from "../../src/text/string_edits.ts";

/** How often work lets others have a turn. */
function pausesIn(steps: Generator<void, unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses++;
  return pauses;
}

/** Lines that occur in both texts many times, in a different order: the hardest to compare. */
function scrambled(lines: number, seed: number): string[] {
  let x = seed;
  return Array.from({ length: lines }, () => String((x = (x * 48_271) % 0x7fffffff) % 997));
}

Deno.test("splitInSteps returns the same as split, and pauses within a long text", () => {
  for (const text of ["", "a", "\n", "a\nb", "a\nb\n", "\n\n\n"]) {
    assertEquals(runAll(splitInSteps(text)), text.split("\n"), JSON.stringify(text));
  }
  for (
    const text of [
      "\n".repeat(2_000_000),
      "x".repeat(2_000_000),
      "ab\n".repeat(600_000),
      "y\n".repeat(524_288),
    ]
  ) {
    const parts = runAll(splitInSteps(text));
    assert(parts.length === text.split("\n").length && parts.join("\n") === text);
  }
  assert(pausesIn(splitInSteps("\n".repeat(2_000_000))) >= 3);
});

Deno.test("unifiedDiffSteps pauses at every stage of a diff of large files", () => {
  const [a, b] = [scrambled(200_000, 1), scrambled(200_000, 2)];
  const numbering = 2 * Math.floor(200_000 / 32_768);
  assert(pausesIn(diffLines(a, b, { left: 0 })) > numbering, "numbering the lines");
  assert(pausesIn(diffLines(a, b, { left: 5_000_000 })) > 15 + numbering, "comparing them");
  const replaced = pausesIn(unifiedDiffSteps(a.join("\n"), b.join("\n"), { path: "f", budget: { left: 0 } }));
  assert(replaced > 20, "writing them");
});

Deno.test("unifiedDiffSteps has one budget for all files that share it", () => {
  const [a, b] = [scrambled(3_000, 1).join("\n"), scrambled(3_000, 2).join("\n")];
  const diffWith = (budget: { left: number }) => runAll(unifiedDiffSteps(a, b, { path: "f", budget }));
  const ample = { left: 1_000_000_000 };
  const whole = diffWith(ample);
  const budget = { left: 1_000_000_000 - ample.left + 1 };
  assertEquals(diffWith(budget), whole);
  const kept = [whole, diffWith(budget)].map((diff) => diff.match(/^ /gm)?.length ?? 0);
  assert((kept[0] ?? 0) > 100, "the first has lines in common");
  assert((kept[1] ?? 0) < 10, "the second is replaced as a whole");
  const shared = { left: 2 * (1_000_000_000 - ample.left) + 2 };
  assertEquals(
    runAll(withHalf(shared, (half) => unifiedDiffSteps(a, b, { path: "f", budget: half }))),
    whole,
  );
  assert(shared.left > 1_000_000_000 - ample.left - 10, "as much is left for those after it");
  assertEquals(unifiedDiff("a\n", "b\n", { path: "f", budget }), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n");
});

Deno.test("stringEditSteps pauses while it reads, searches for a text, counts its places and finds the nearest", () => {
  const text = "some line of text\n".repeat(200_000);
  const edits = (oldText: string) => [{ oldText, newText: "x" }];
  const pauses = (oldText: string) => {
    const steps = stringEditSteps(text, edits(oldText));
    let count = 0;
    assertThrows(() => {
      while (!steps.next().done) count++;
    });
    return count;
  };
  const toRead = Math.floor(text.length / 4_096 / 128);
  assert(pauses("some line") >= 2 * toRead, "found many times");
  assert(pauses("sOme LINE of test") >= 2 * toRead + 20, "not found");
  assert(pauses("some line of text\n".repeat(1_000)) >= toRead + 5, "long, and found many times");
});

Deno.test("stringEditSteps pauses while it searches for the nearest of many places", () => {
  const edit = { oldText: "a", newText: "b", nearLine: 30_000 };
  assert(pausesIn(stringEditSteps("a\n".repeat(50_000), [edit])) > 150);
});

Deno.test("foldedInSteps turns every line break into an LF, and splits no CRLF", () => {
  const piece = 524_288;
  for (
    const text of ["", "a", "\r", "\r\n", "a\rb\r\nc\nd\r", "\r".repeat(piece + 1), "\r\n".repeat(piece)]
  ) {
    assertEquals(runAll(foldedInSteps(text)) === text.replace(/\r\n?/g, "\n"), true, text.slice(0, 20));
  }
  for (const before of [piece - 2, piece - 1, piece]) {
    const text = `${"x".repeat(before)}\r\n${"y".repeat(10)}\r`;
    assertEquals(runAll(foldedInSteps(text)) === text.replace(/\r\n?/g, "\n"), true, String(before));
  }
  assert(pausesIn(foldedInSteps("\r".repeat(4 * piece))) >= 4);
});

Deno.test("applyPatchSteps pauses while hunks are searched for all over a large text", () => {
  const text = "same\n".repeat(400_000);
  const hunk = "@@ -1,3 +1,3 @@\n same\n-nowhere\n+x\n same\n";
  const steps = applyPatchSteps(text, hunk);
  let pauses = 0;
  assertThrows(() => {
    while (!steps.next().done) pauses++;
  });
  assert(pauses >= 12, String(pauses));
  const many = Array.from({ length: 2_000 }, (_, i) => `@@ -${2 * i + 1} +${2 * i + 1} @@\n-same\n+x\n`).join(
    "",
  );
  assert(pausesIn(applyPatchSteps(text, many)) >= 8);
});
