import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { unifiedDiff } from "../../src/text/diff.ts";
import { diffLines } from "../../src/text/line_diff.ts";
import { runAll } from "../../src/text/steps.ts";

const NAMES = "--- a/f\n+++ b/f\n";
const MARK = "\\ No newline at end of file\n";
const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

const DIFFS: [what: string, before: string, after: string, hunks: string][] = [
  ["a change of the only line", "a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"],
  ["a change in the middle", TEN, TEN.replace("5", "x"), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"],
  ["a line added at the top", TEN, "0\n" + TEN, "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n"],
  ["a line added at the end", TEN, TEN + "11\n", "@@ -8,3 +8,4 @@\n 8\n 9\n 10\n+11\n"],
  ["a line removed at the end", "a\nb\n", "a\n", "@@ -1,2 +1 @@\n a\n-b\n"],
  ["an empty file filled", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
  ["a file emptied", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"],
  ["an empty first line filled", "\nb\n", "a\nb\n", "@@ -1,2 +1,2 @@\n-\n+a\n b\n"],
  ["an empty line added", "a\n", "a\n\n", "@@ -1 +1,2 @@\n a\n+\n"],
  ["a final newline added", "a\nb", "a\nb\n", `@@ -1,2 +1,2 @@\n a\n-b\n${MARK}+b\n`],
  ["a final newline removed", "a\nb\n", "a\nb", `@@ -1,2 +1,2 @@\n a\n-b\n+b\n${MARK}`],
  ["no final newline on either side", "a\nb", "a\nc", `@@ -1,2 +1,2 @@\n a\n-b\n${MARK}+c\n${MARK}`],
  ["context without a final newline", "a\nb", "c\nb", `@@ -1,2 +1,2 @@\n-a\n+c\n b\n${MARK}`],
  ["a line after one without a newline", "a", "a\nb", `@@ -1 +1,2 @@\n-a\n${MARK}+a\n+b\n${MARK}`],
  ["CRLF lines", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"],
  ["a change of ending", "a\r\nb\n", "a\nb\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"],
  ["a lone CR, which ends no line", "a\rb\n", "a\rc\n", "@@ -1 +1 @@\n-a\rb\n+a\rc\n"],
  ["a BOM added", "a\n", "\uFEFFa\n", "@@ -1 +1 @@\n-a\n+\uFEFFa\n"],
  [
    "two changes six lines apart in one hunk",
    TEN,
    TEN.replace("2", "x").replace("9", "y"),
    "@@ -1,10 +1,10 @@\n 1\n-2\n+x\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+y\n 10\n",
  ],
  [
    "two changes seven lines apart in two hunks",
    TEN,
    TEN.replace("1\n", "x\n").replace("9", "y"),
    "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,5 +6,5 @@\n 6\n 7\n 8\n-9\n+y\n 10\n",
  ],
  [
    "a new function from its first line on, not from the brace before",
    "f {\n1\n}\n\nh {\n}\nend\n",
    "F {\n1\n}\n\ng {\n}\n\nh {\n}\nend\n",
    "@@ -1,7 +1,10 @@\n-f {\n+F {\n 1\n }\n \n+g {\n+}\n+\n h {\n }\n end\n",
  ],
];

for (const [what, before, after, hunks] of DIFFS) {
  Deno.test(`unifiedDiff shows ${what}`, () => {
    assertEquals(unifiedDiff(before, after, { path: "f" }), NAMES + hunks);
  });
}

Deno.test("unifiedDiff is empty when the texts are the same", () => {
  assertEquals(unifiedDiff("a\n", "a\n", { path: "f" }), "");
  assertEquals(unifiedDiff("", "", { path: "f" }), "");
});

Deno.test("unifiedDiff shows as many unchanged lines as requested", () => {
  const after = TEN.replace("5\n", "").replace("9\n", "9\nx\n");
  const hunks = (context: number) => unifiedDiff(TEN, after, { path: "f", context }).slice(NAMES.length);
  assertEquals(hunks(0), "@@ -5 +4,0 @@\n-5\n@@ -9,0 +9 @@\n+x\n");
  assertEquals(hunks(1), "@@ -4,3 +4,2 @@\n 4\n-5\n 6\n@@ -9,2 +8,3 @@\n 9\n+x\n 10\n");
  assertEquals(hunks(2), "@@ -3,8 +3,8 @@\n 3\n 4\n-5\n 6\n 7\n 8\n 9\n+x\n 10\n");
  assertEquals(unifiedDiff("a\n", "0\na\n", { path: "f", context: 0 }), `${NAMES}@@ -0,0 +1 @@\n+0\n`);
});

const HEADERS: [path: string, name: string][] = [
  ["src/a-b_c.ts", "b/src/a-b_c.ts"],
  ["with space", "b/with space\t"],
  ["t\tab", '"b/t\\tab"'],
  ['quo"te', '"b/quo\\"te"'],
  ["back\\slash", '"b/back\\\\slash"'],
  ["new\nline \u0001", '"b/new\\nline \\001"\t'],
  ["naïve", '"b/na\\303\\257ve"'],
];

for (const [path, name] of HEADERS) {
  Deno.test(`unifiedDiff writes the name ${JSON.stringify(path)} as git does`, () => {
    assertEquals(unifiedDiff("a\n", "b\n", { path }).split("\n")[1], `+++ ${name}`);
  });
}

Deno.test("diffLines finds as few changed lines as possible", () => {
  const side = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 50 });
  fc.assert(
    fc.property(side, side, (a, b) => {
      const changes = runAll(diffLines(a, b));
      const edits = changes.reduce((sum, c) => sum + c.aEnd - c.aStart + c.bEnd - c.bStart, 0);
      assertEquals(edits, a.length + b.length - 2 * commonLength(a, b));
    }),
    { numRuns: 500 },
  );
});

/** The length of the longest common subsequence, by the textbook algorithm. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (const [j, y] of b.entries()) {
      next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Lines out of a few, in random order, always the same for one seed. */
function shuffled(count: number, seed: number): string[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return `line ${(state >> 8) % 50}`;
  });
}

Deno.test("diffLines stays correct when the search is cut short or its budget is used up", () => {
  const [a, b] = [shuffled(8000, 1), shuffled(8000, 2)];
  const lengths = [10, 1_000_000, 5_000_000].map((budget) => {
    const result: string[] = [];
    let next = 0;
    let edits = 0;
    for (const { aStart, aEnd, bStart, bEnd } of runAll(diffLines(a, b, { left: budget }))) {
      result.push(...a.slice(next, aStart), ...b.slice(bStart, bEnd));
      edits += aEnd - aStart + bEnd - bStart;
      next = aEnd;
    }
    assertEquals([...result, ...a.slice(next)].join("\n"), b.join("\n"));
    return edits;
  });
  assertEquals(lengths.toSorted((x, y) => y - x), lengths, "a larger budget does not find more changes");
  assertEquals(lengths.map((edits) => edits < 13_000), [false, false, true], `${lengths}`);
});

Deno.test("unifiedDiff replaces everything when there are millions of changed lines", () => {
  const [before, after] = ["a\n".repeat(1_100_000), "b\n".repeat(1_000_000)];
  const diff = unifiedDiff(before, after, { path: "f" });
  const hunk = `@@ -1,1100000 +1,1000000 @@\n${before.replaceAll("a", "-a")}${after.replaceAll("b", "+b")}`;
  assertEquals(diff === NAMES + hunk, true);
});

Deno.test("unifiedDiff finds one change wherever it is in a long text, also next to what is compared in blocks", () => {
  const lines = Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`);
  const text = lines.join("");
  for (const at of [0, 1, 420, 430, 431, 432, 433, 860, 999, 1_500, 1_998, 1_999]) {
    const changed = lines.with(at, "changed\n").join("");
    const diff = unifiedDiff(text, changed, { path: "f", context: 0 });
    const place = `${at + 1}`;
    assertEquals(
      diff,
      `--- a/f\n+++ b/f\n@@ -${place} +${place} @@\n-line ${at}\n+changed\n`,
    );
  }
});
