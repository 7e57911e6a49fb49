import { assert, assertEquals } from "@std/assert";
import { changedWords, type Range } from "../../../console/text/words.ts";

function marked(text: string, ranges: readonly Range[]): string {
  return ranges.toReversed().reduce(
    (all, [begin, end]) => `${all.slice(0, begin)}[${all.slice(begin, end)}]${all.slice(end)}`,
    text,
  );
}

function both(left: string, right: string): [string, string] | null {
  const words = changedWords(left, right);
  return words === null ? null : [marked(left, words.left), marked(right, words.right)];
}

Deno.test("changedWords marks whole words that differ", () => {
  assertEquals(both("const port = 80;", "const port = 8080;"), [
    "const port = [80];",
    "const port = [8080];",
  ]);
  assertEquals(both("a(b)", "a(b, c)"), ["a(b)", "a(b[, c])"]);
  assertEquals(both("the quick brown fox", "the slow red fox"), [
    "the [quick brown] fox",
    "the [slow red] fox",
  ]);
  assertEquals(both("größe = 1", "größer = 1"), ["[größe] = 1", "[größer] = 1"]);
});

Deno.test("changedWords marks nothing where the lines have little in common, or are very long", () => {
  assertEquals(both("import a", "}"), null);
  assertEquals(both("same", "same"), null);
  assertEquals(both("x ".repeat(2_000), "y ".repeat(2_000)), null);
  const hard = Array.from({ length: 900 }, (_, i) => i % 10).join(" ");
  assert(both(`a ${hard} z`, `b ${hard.split("").toReversed().join("")} y`) !== undefined);
});
