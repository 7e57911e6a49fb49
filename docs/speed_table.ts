/** The README's table of speed, from the figures of the last `deno task bench`. */
import { loadResults } from "../bench/results.ts";

/** A row of a benchmark, and what the README calls it. */
const ROWS: readonly { scenario: string; key: string; label: string }[] = [
  { scenario: "startup", key: "initialize", label: "first answer after the start" },
  { scenario: "startup", key: "executableInitialize", label: "the same with the executable" },
  { scenario: "read", key: "total", label: "read a file of 1 KiB" },
  { scenario: "list", key: "total", label: "list a folder of 1,000 files" },
  { scenario: "roots", key: "glob", label: "find files by name" },
  { scenario: "roots", key: "edit", label: "edit a file of 1 MiB" },
  { scenario: "write", key: "total", label: "write a file of 1 KiB (only paddock syncs it to disk)" },
  { scenario: "startup", key: "rss", label: "memory after the start" },
];

export function speedTable(): string {
  const all = loadResults();
  const rows = ROWS.flatMap(({ scenario, key, label }) => {
    const result = all.find((one) => one.scenario === scenario)?.results.find(({ row }) => row.key === key);
    if (result?.ratio === undefined) {
      throw new Error(`bench/results.json has no ratio for ${scenario} ${key}`);
    }
    return [`| ${label} | ${result.ratio.toFixed(2)} |`];
  });
  return ["| | ÷ official server |", "| --- | ---: |", ...rows].join("\n");
}
