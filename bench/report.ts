// What results.json says, for people: docs/notes/benchmarks.md and its charts.

import { join } from "@std/path/join";
import { barsOf, chart } from "./chart.ts";
import { formatMachine } from "./machine.ts";
import type { ScenarioResults } from "./results.ts";
import { type Cells, cellsOf } from "./table.ts";

const DOCS = join(import.meta.dirname ?? ".", "..", "docs");

/** Which scenarios a picture shows; those that no other has are in the first. */
const PICTURES: readonly { file: string; title: string; scenarios: readonly string[] }[] = [
  { file: "benchmarks_calls.svg", title: "Calls: paddock ÷ peer (green: paddock is ahead)", scenarios: [] },
  {
    file: "benchmarks_search.svg",
    title: "Search: time of paddock ÷ ripgrep or fd (green: paddock is ahead)",
    scenarios: ["search"],
  },
  {
    file: "benchmarks_history.svg",
    title: "Workspaces: time of paddock ÷ git (green: paddock is ahead)",
    scenarios: ["history"],
  },
];

/** Every file of the report, by its name in docs/. */
export function report(all: readonly ScenarioResults[]): Record<string, string> {
  const placed = new Set(PICTURES.flatMap(({ scenarios }) => scenarios));
  const pictures = PICTURES.flatMap(({ file, title, scenarios }, i) => {
    const shown = all.filter(({ scenario }) =>
      i === 0 ? !placed.has(scenario) : scenarios.includes(scenario)
    );
    const bars = barsOf(shown);
    return bars.length === 0 ? [] : [{ file, title, svg: chart(title, bars) }];
  });
  return {
    "notes/benchmarks.md": page(all, pictures),
    ...Object.fromEntries(pictures.map(({ file, svg }) => [`images/${file}`, svg])),
  };
}

export function writeReport(all: readonly ScenarioResults[]): void {
  for (const [name, text] of Object.entries(report(all))) Deno.writeTextFileSync(join(DOCS, name), text);
}

function page(all: readonly ScenarioResults[], pictures: readonly { file: string; title: string }[]): string {
  return `# Benchmarks

<!-- This page is written by \`deno task bench\`. -->

\`deno task bench\` runs paddock and its peers alternately on one machine, checks that they give the same answers, and
writes this page. Absolute figures mean little on another machine; compare the ratios (median of paddock ÷ median of
the peer). Lower is better, except for calls per second. Targets that were missed are marked.

${pictures.map(({ file, title }) => `![${title}](../images/${file})`).join("\n\n")}

${all.map(section).join("\n")}`;
}

function section({ scenario, peer, date, machine, note, results }: ScenarioResults): string {
  const rows = results.map((result) => cellsOf(result));
  const withRatio = rows.some(({ ratio }) => ratio !== "-");
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const pick = ({ label, paddock, peer, ratio, target }: Cells) =>
    withRatio ? [label, paddock, peer, ratio, target] : [label, paddock, target];
  const head = pick({ label: "what", paddock: "paddock", peer, ratio: "ratio", target: "target" });
  return `## ${scenario}

${date.slice(0, 10)}, ${formatMachine(machine)}.${
    note === undefined ? "" : ` Note: ${note.replace(/\.+$/, "")}.`
  }

${[line(head), line(head.map(() => "---")), ...rows.map((row) => line(pick(row)))].join("\n")}
`;
}
