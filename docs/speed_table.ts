/** The README's speed table, from the figures of the last `deno task bench`. */
import { loadResults } from "../bench/results.ts";

/** Benchmark rows, and what the README calls them; of several keys, the first that was measured. */
const ROWS: readonly { scenario: string; keys: readonly string[]; label: string }[] = [
  { scenario: "startup", keys: ["initialize"], label: "time to the first answer" },
  { scenario: "startup", keys: ["executableInitialize"], label: "time to the first answer (executable)" },
  { scenario: "read", keys: ["alone", "total"], label: "read a file of 1 KiB" },
  { scenario: "list", keys: ["total"], label: "list a folder of 1,000 files" },
  { scenario: "roots", keys: ["glob"], label: "find files by name" },
  { scenario: "roots", keys: ["edit"], label: "edit a file of 1 MiB" },
  { scenario: "write", keys: ["total"], label: "write a file of 1 KiB (only paddock syncs it to disk)" },
  { scenario: "startup", keys: ["rss"], label: "memory after the start" },
];

export function speedTable(): string {
  const all = loadResults();
  const rust = all.map((one) => one.rust).find((name) => name !== undefined);
  const rows = ROWS.map(({ scenario, keys, label }) => {
    const results = all.find((one) => one.scenario === scenario)?.results ?? [];
    const found = keys.flatMap((key) => results.filter(({ row }) => row.key === key)).at(0);
    if (found?.ratio === undefined) {
      throw new Error(`bench/results.json has no ${scenario}: ${keys.join(", ")}`);
    }
    return [label, found.ratio.toFixed(2), ...(rust ? [found.rustRatio?.toFixed(2) ?? ""] : [])];
  });
  const head = ["", "÷ official server", ...(rust ? [`÷ ${rust}`] : [])];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => i === 0 ? "---" : "---:")), ...rows.map(line)].join("\n");
}
