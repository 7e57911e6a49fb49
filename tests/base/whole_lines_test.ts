import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { takeWholeLines } from "../../src/base/whole_lines.ts";

Deno.test("takeWholeLines takes whole lines in order, and several only where a pipe accepts all of them or none", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 6_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(lengths, (sizes) => {
      const lines = sizes.map((size, i) => new Uint8Array(size).fill(i));
      const left = [...lines];
      const taken: number[] = [];
      while (left.length > 0) {
        const before = left.length;
        const bytes = takeWholeLines(left);
        assert(bytes.length <= 4_096 || before - left.length === 1, `${bytes.length} bytes`);
        taken.push(...bytes);
      }
      assertEquals(taken, lines.flatMap((line) => [...line]));
    }),
    { numRuns: 30 },
  );
});

Deno.test("takeWholeLines returns nothing for an empty list", () => {
  assertEquals(takeWholeLines([]).length, 0);
});

Deno.test("takeWholeLines copies nothing if the lines are adjacent in memory, and recognises those that are not", () => {
  const sheet = new TextEncoder().encode("one\ntwo\n???four\n");
  const at = (from: number, to: number) => sheet.subarray(from, to);
  const row = takeWholeLines([at(0, 4), at(4, 8)]);
  assertEquals([row.buffer === sheet.buffer, new TextDecoder().decode(row)], [true, "one\ntwo\n"]);
  const apart = takeWholeLines([at(4, 8), at(11, 16)]);
  assertEquals([apart.buffer === sheet.buffer, new TextDecoder().decode(apart)], [false, "two\nfour\n"]);
});
