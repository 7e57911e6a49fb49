import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { takeWholeLines } from "../../src/base/whole_lines.ts";

Deno.test("takeWholeLines takes whole lines in order, and more than one only where a pipe takes all of them or none", () => {
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

Deno.test("takeWholeLines gives nothing of nothing", () => {
  assertEquals(takeWholeLines([]).length, 0);
});
