import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { findLinear } from "../../src/text/find_linear.ts";
import { countBreaks, fold, unfold } from "../../src/text/folded.ts";
import { StagedText } from "../../src/text/staged_text.ts";

const broken = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "é")).map((parts) => parts.join(""));

Deno.test("unfold undoes fold for every text", () => {
  fc.assert(fc.property(broken, (text) => {
    const folded = fold(text);
    assertEquals(unfold(folded), text);
    assertEquals(folded.text, text.replaceAll("\r\n", "\n"));
    assertEquals(folded.breaks.length, countBreaks(folded.text));
  }));
});

function findAll(text: string, needle: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) found.push(at);
  return found;
}

Deno.test("findLinear finds what indexOf finds", () => {
  const few = (size: { minLength?: number; maxLength: number }) =>
    fc.array(fc.constantFrom("a", "b"), size).map((parts) => parts.join(""));
  fc.assert(fc.property(few({ maxLength: 40 }), few({ minLength: 1, maxLength: 5 }), (text, needle) => {
    assertEquals([...findLinear(text, needle)], findAll(text, needle));
  }));
});

/** Many chunks long; words recur, but not at regular distances. */
function longText(seed: number, ending: string): string {
  let state = seed >>> 0;
  const lines: string[] = [];
  for (let i = 0; i < 1_200; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    lines.push(`${"ab".repeat(state % 7)} word${state % 97} ${state % 5 === 0 ? "" : i}`);
  }
  return lines.join(ending);
}

Deno.test("StagedText finds every place in a long text, however often it is searched and changed", () => {
  const steps = fc.array(
    fc.record({
      from: fc.nat(),
      removed: fc.oneof(fc.nat(30), fc.constantFrom(5_000, 9_000)),
      put: fc.constantFrom("", "x", "word1 ", "ab\nab", "abc ".repeat(3_000)),
    }),
    { minLength: 6, maxLength: 12 },
  );
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom(1, 7, 100),
      steps,
      (seed, ending, edits, changes) => {
        const text = longText(seed, ending);
        const staged = new StagedText(text, { edits }); // few edits get long chunks, however many there are
        let plain = fold(text).text;
        for (const { from, removed, put } of changes) {
          const start = from % (plain.length + 1);
          const end = Math.min(plain.length, start + removed);
          staged.replace({ start, end }, fold(put));
          plain = plain.slice(0, start) + put + plain.slice(end);
          assertEquals(staged.toFolded() === plain, true);
          assertEquals(staged.length, plain.length);
          const at = from % 4_096;
          const needles = [
            plain.slice(at, at + 5),
            plain.slice(4_090, 4_100),
            plain.slice(at, at + 300),
            "abab",
            "b",
          ];
          for (const needle of needles.filter((needle) => needle !== "")) {
            assertEquals([...staged.find(needle)].join(), findAll(plain, needle).join(), needle);
          }
          assertEquals(staged.countBreaks(start), countBreaks(plain.slice(0, start)));
          assertEquals(staged.slice({ start, end }), plain.slice(start, end));
        }
      },
    ),
    { numRuns: 25 },
  );
});

Deno.test("StagedText finds a long string that almost matches everywhere", () => {
  const text = "a".repeat(20_000);
  const staged = new StagedText(`${text}b`);
  assertEquals([...staged.find(`${text.slice(0, 10_000)}b`)], [10_000]);
  assertEquals([...staged.find(`b${text.slice(0, 10_000)}`)], []);
  assertEquals([...staged.find(text.slice(0, 19_999))], [0, 1]);
});

Deno.test("StagedText keeps each line break as it was", () => {
  const text = "a\r\nb\r\nc\n".repeat(2_000);
  const staged = new StagedText(text);
  assertEquals(staged.toString() === text, true);
  assertEquals(staged.breaks({ start: 0, end: Infinity }), "wwn".repeat(2_000));
  assertEquals(staged.breaks({ start: 4_001, end: 4_004 }), "nww");
  staged.replace({ start: 6_000, end: 6_001 }, { text: "x\ny", breaks: "w" });
  assertEquals(staged.toString() === `${text.slice(0, 8_000)}x\r\ny${text.slice(8_001)}`, true);
});

Deno.test("StagedText finds a string across the border of chunks that it has searched often", () => {
  const needle = "ABCDEFGHIJKL";
  const search = (staged: StagedText, times: number) => {
    for (let i = 0; i < times; i++) assertEquals([...staged.find("nowhere")], []);
    return [...staged.find(needle)];
  };
  for (let before = 1; before < needle.length; before++) {
    const text = "-".repeat(4_096 - before) + needle;
    assertEquals(search(new StagedText(text.padEnd(12_000, "-")), 6), [4_096 - before]);
    // The same with a chunk in between that has only four characters left.
    const [head, middle, tail] = [
      needle.slice(0, before),
      needle.slice(before, before + 4),
      needle.slice(before + 4),
    ];
    const staged = new StagedText(
      (head.padStart(4_096, "-") + middle.slice(0, 3).padEnd(4_095, "-") + middle.slice(3) + tail).padEnd(
        16_000,
        "-",
      ),
    );
    staged.replace({ start: 4_099, end: 8_191 }, fold(""));
    assertEquals(search(staged, 6), [4_096 - before]);
  }
});
