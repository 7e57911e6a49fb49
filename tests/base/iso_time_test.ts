import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isoTime } from "../../src/base/iso_time.ts";

Deno.test("isoTime writes every time as Date does, however often the day changes", () => {
  const any = fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 3, 1) }),
    fc.constantFrom(0, -1, 86_399_999, 86_400_000, -8.64e15, 8.64e15),
  );
  fc.assert(fc.property(any, (ms) => assertEquals(isoTime(ms), new Date(ms).toISOString())), {
    numRuns: 2_000,
  });
  for (const ms of [NaN, Infinity, 8.64e15 + 86_400_000]) assertThrows(() => isoTime(ms), RangeError);
});
