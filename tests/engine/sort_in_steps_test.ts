import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sortInSteps } from "../../src/engine/sort_in_steps.ts";
import { runAll } from "../../src/text/steps.ts";

const byFirst = (a: [number, number], b: [number, number]) => a[0] - b[0];

Deno.test("sortInSteps returns the same as toSorted, and keeps equal elements in order", () => {
  const lengths = fc.constantFrom(0, 1, 2, 4_095, 4_096, 4_097, 9_000, 20_000);
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 50 }), (length, kinds) => {
      const items = Array.from({ length }, (_, i): [number, number] => [(i * 7_919) % kinds, i]);
      assertEquals(runAll(sortInSteps(items, byFirst)), items.toSorted(byFirst));
      const names = items.map(([kind]) => String(kind));
      assertEquals(runAll(sortInSteps(names)), names.toSorted());
    }),
    { numRuns: 20 },
  );
});

Deno.test("sortInSteps pauses while it sorts and while it merges", () => {
  const items = Array.from({ length: 100_000 }, (_, i): [number, number] => [(i * 7_919) % 100_003, i]);
  const steps = sortInSteps(items, byFirst);
  let pauses = 0;
  while (!steps.next().done) pauses++;
  assert(pauses > 100, String(pauses));
});
