import { assertEquals, assertThrows } from "@std/assert";
import { type CallRecord, Metrics } from "../../src/base/metrics.ts";
import { parsePrometheus, valueOf } from "../support/prometheus.ts";

const CALL: CallRecord = {
  tool: "read_file",
  outcome: "success",
  durationMs: 3,
  responseBytes: 10,
  denied: false,
};

function rendered(calls: Partial<CallRecord>[], gauges: Record<string, number> = {}) {
  const metrics = new Metrics();
  for (const call of calls) metrics.record({ ...CALL, ...call });
  return parsePrometheus(metrics.render(gauges));
}

Deno.test("Metrics.render is valid before any call", () => {
  const samples = rendered([], { sessions: 0, requests_total: 0 });
  assertEquals(samples.map(({ name }) => name), [
    "paddock_response_bytes_total",
    "paddock_denials_total",
    "paddock_search_cache_lookups_total",
    "paddock_search_cache_hits_total",
    "paddock_sessions",
    "paddock_requests_total",
  ]);
});

Deno.test("Metrics.record counts calls by tool and outcome, bytes and denials", () => {
  const samples = rendered([
    {},
    { responseBytes: 5 },
    { outcome: "error" },
    { outcome: "error", denied: true },
    { outcome: "cancelled" },
    { tool: "write_file", outcome: "error", denied: true, responseBytes: 0 },
  ]);
  const calls = (tool: string, outcome: string) =>
    valueOf(samples, "paddock_tool_calls_total", { tool, outcome });
  assertEquals(["success", "error", "cancelled"].map((outcome) => calls("read_file", outcome)), [2, 2, 1]);
  assertEquals(["success", "error", "cancelled"].map((outcome) => calls("write_file", outcome)), [0, 1, 0]);
  assertEquals(valueOf(samples, "paddock_response_bytes_total"), 45);
  assertEquals(valueOf(samples, "paddock_denials_total"), 2);
});

Deno.test("Metrics.record puts durations into a histogram, bounds included", () => {
  const samples = rendered([1, 3, 5, 5.1, 2_000, 400_000].map((durationMs) => ({ durationMs })));
  const name = "paddock_tool_call_duration_seconds";
  const counts = samples.filter((sample) => sample.name === `${name}_bucket`)
    .map(({ labels, value }) => [labels.le, value]);
  assertEquals(counts, [
    ["0.001", 1],
    ["0.005", 3],
    ["0.01", 4],
    ["0.05", 4],
    ["0.1", 4],
    ["0.5", 4],
    ["1", 4],
    ["5", 5],
    ["30", 5],
    ["300", 5],
    ["+Inf", 6],
  ]);
  assertEquals([valueOf(samples, `${name}_count`), valueOf(samples, `${name}_sum`)], [6, 402.0141]);
});

Deno.test("Metrics.render escapes labels", () => {
  const tool = 'a"b\\c\nd} 5';
  const samples = rendered([{ tool }]);
  assertEquals(valueOf(samples, "paddock_tool_calls_total", { tool, outcome: "success" }), 1);
});

const MALFORMED = [
  "a 1", // no type
  "# TYPE a counter\na 1\na 1\n",
  '# TYPE a counter\na{b="c\\d"} 1\n',
  "# TYPE a counter\na one\n",
  '# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
];

for (const text of MALFORMED) {
  Deno.test(`parsePrometheus refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parsePrometheus(text));
  });
}
