import { assertEquals } from "@std/assert";
import { Ignored, summary, sumOf } from "./run.ts";

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

Deno.test("Ignored counts what was ignored by what it needs, however the text is cut, most frequent first", () => {
  const lines = [
    "./tests/a_test.ts => one [needs git] ... ignored (0ms)",
    "./tests/a_test.ts => two [needs mkfifo] ... ignored (0ms)",
    "\x1b[0m\x1b[38;5;245m./tests/b_test.ts => \x1b[0mthree [of them] [needs git] ... \x1b[0m\x1b[33mignored\x1b[0m \x1b[0m\x1b[38;5;245m(1ms)\x1b[0m",
    "four ... ignored (0ms)",
    "five [needs git] ... ok (3ms)",
    "a test printed: ignored",
    "ok | 9 passed | 0 failed | 4 ignored (1s)",
  ];
  const text = lines.map((line) => `${line}\n`).join("");
  for (const size of [1, 7, text.length]) {
    const ignored = new Ignored();
    for (let at = 0; at < text.length; at += size) ignored.read(text.slice(at, at + size));
    assertEquals(String(ignored), "2 need git, 1 needs mkfifo, 1 needs something else");
  }
  assertEquals(String(new Ignored()), "");
});

Deno.test("summary says for each system what ran, and what was missing for the rest", () => {
  const here = { ...Deno.build, os: "windows", arch: "aarch64" } as const;
  assertEquals(
    summary({ passed: 5, failed: 1 }, "2 need Unix", here),
    "**windows aarch64**: 5 passed, 1 failed; ignored: 2 need Unix\n\n",
  );
  assertEquals(summary({ passed: 5, failed: 0 }, "", here).includes("ignored: nothing"), true);
});
