import { assertEquals } from "@std/assert";
import { sumOf } from "./run.ts";

Deno.test("sumOf reads the last summary line of deno test", () => {
  const cases: [output: string, sum: ReturnType<typeof sumOf>][] = [
    ["ok | 123 passed | 0 failed (1s)\n", { passed: 123, failed: 0 }],
    ["x ... ok (1ms)\n\nok | 3 passed (12 steps) | 0 failed (7ms)\n\n", { passed: 3, failed: 0 }],
    ["FAILED | 2 passed (1 step) | 1 failed | 4 ignored (7ms)\nerror: Test failed\n", {
      passed: 2,
      failed: 1,
    }],
    ["\x1b[0m\x1b[32mok\x1b[0m | 57 passed | 0 failed \x1b[0m\x1b[38;5;245m(7s)\x1b[0m\n", {
      passed: 57,
      failed: 0,
    }],
    ["ok | 1 passed | 0 failed (1s)\nok | 2 passed | 0 failed (1s)", { passed: 2, failed: 0 }],
    ["error: Module not found\n", undefined],
    ["a test printed: ok | 9 passed | 0 failed\n", undefined],
  ];
  for (const [output, sum] of cases) assertEquals(sumOf(output), sum, output);
});
