import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { barsOf, chart } from "../../bench/chart.ts";
import { report } from "../../bench/report.ts";
import { merge, resultsOf, type ScenarioResults } from "../../bench/results.ts";

const MACHINE = { os: "linux", arch: "x86_64", cores: 2, deno: "2", node: "20", filesystem: "ext4" };

function scenario(
  name: string,
  samples: { paddock: number[]; peer: number[]; rust?: number[] },
): ScenarioResults {
  const row = { key: "k", label: "1 < 2 & done", unit: "ms", target: 0.5 } as const;
  return {
    scenario: name,
    peer: "the other",
    date: "2026-01-02T03:04:05Z",
    machine: MACHINE,
    results: resultsOf([{ scenario: name, row, samples: { rust: [], ...samples } }]),
  };
}

Deno.test("merge replaces the scenarios that were run and keeps the others, in order", () => {
  const old = [scenario("a", { paddock: [1], peer: [2] }), scenario("b", { paddock: [1], peer: [2] })];
  const fresh = scenario("b", { paddock: [4], peer: [2] });
  assertEquals(merge(old, [fresh], ["b", "a", "c"]), [fresh, ...old.slice(0, 1)]);
});

Deno.test("report shows ratio, target and verdict, and escapes what it draws", () => {
  const files = report([scenario("read", { paddock: [3], peer: [4] })]);
  assertEquals(Object.keys(files), ["notes/benchmarks.md", "images/benchmarks_calls.svg"]);
  const page = files["notes/benchmarks.md"] ?? "";
  assertStringIncludes(page, "2026-01-02, linux x86_64, 2 cores");
  assertStringIncludes(
    page,
    "| 1 < 2 & done | 3.00 ms (3.00–3.00) | 4.00 ms (4.00–4.00) | 0.75 | 0.50, MISSED |",
  );
  assertStringIncludes(page, "| read: 1 < 2 & done | the other | 0.75 | 0.50, MISSED |"); // the table of goals
  assertStringIncludes(page, "(../images/benchmarks_calls.svg)");
  assertStringIncludes(files["images/benchmarks_calls.svg"] ?? "", "read: 1 &lt; 2 &amp; done");
});

Deno.test("report shows the Rust server beside the peer, with a ratio to each", () => {
  const page = report([scenario("read", { paddock: [3], peer: [4], rust: [2] })])["notes/benchmarks.md"] ??
    "";
  assertStringIncludes(page, "| 4.00 ms (4.00–4.00) | 0.75 | 0.50, MISSED | 2.00 ms (2.00–2.00) | 1.50 |");
});

Deno.test("a figure relative to the same server has no ratio to the peer, and its own goal", () => {
  const row = { key: "k", label: "rest", unit: "×", limit: 1.3 } as const;
  const [result] = resultsOf([{ scenario: "m", row, samples: { paddock: [1.3], peer: [1], rust: [] } }]);
  assertEquals(result?.ratio, undefined);
  assertEquals(result?.met, true);
});

Deno.test("barsOf leaves out rows that were measured on one side only", () => {
  assertEquals(barsOf([scenario("read", { paddock: [3], peer: [] })]), []);
});

Deno.test("chart cuts a bar that does not fit, and still shows its figure", () => {
  const svg = chart("t", [{ label: "slow", ratio: 40 }]);
  assertStringIncludes(svg, "40.00");
  const widths = [...svg.matchAll(/width="([\d.]+)"/g)].map(([, width]) => Number(width));
  assert(widths.every((width) => width <= 860));
});
