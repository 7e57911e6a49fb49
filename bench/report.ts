// results.json for people: docs/notes/benchmarks.md and its charts.

import { join } from "@std/path/join";
import { barsOf, chart } from "./chart.ts";
import { formatMachine } from "./machine.ts";
import type { ScenarioResults } from "./results.ts";
import { type Cells, cellsOf } from "./table.ts";

/** Written by hand: why a goal is missed, and what was tried. */
const MISSED = join(import.meta.dirname ?? ".", "missed.md");
const DOCS = join(import.meta.dirname ?? ".", "..", "docs");

/** Which scenarios each picture shows; those in no other picture are in the first. */
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
the peer). Lower is always better: calls per second are given as the time of one call. paddock runs with its defaults:
undo on, kernel fence on.

${pictures.map(({ file, title }) => `![${title}](../images/${file})`).join("\n\n")}

## Goals

${goals(all)}
${Deno.readTextFileSync(MISSED)}
${all.map(section).join("\n")}`;
}

/** Every row that has a goal, in one table. */
function goals(all: readonly ScenarioResults[]): string {
  const rows = all.flatMap(({ scenario, peer, results }) =>
    results.filter(({ row }) => (row.limit ?? row.target) !== undefined).map((result) => {
      const { label, paddock, ratio, goal } = cellsOf(result);
      const isRatio = result.row.limit === undefined;
      return [`${scenario}: ${label}`, isRatio ? peer : "-", isRatio ? ratio : paddock, goal];
    })
  );
  const head = ["what", "measured against", "ratio or figure", "at most"];
  return [head, head.map(() => "---"), ...rows].map(line).join("\n") + "\n";
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function section({ scenario, peer, rust, date, machine, note, results }: ScenarioResults): string {
  const rows = results.map((result) => cellsOf(result));
  const withRatio = rows.some(({ ratio }) => ratio !== "-");
  const withRust = rows.some(({ rust }) => rust !== "-");
  const pick = ({ label, paddock, peer, ratio, goal, rust, rustRatio }: Cells) => [
    label,
    paddock,
    ...(withRatio ? [peer, ratio] : []),
    goal,
    ...(withRust ? [rust, rustRatio] : []),
  ];
  const head = pick({
    label: "what",
    paddock: "paddock",
    peer,
    ratio: "ratio",
    goal: "goal",
    rust: rust ?? "",
    rustRatio: "paddock ÷ it",
  });
  return `## ${scenario}

${date.slice(0, 10)}, ${formatMachine(machine)}.${
    note === undefined ? "" : ` Note: ${note.replace(/\.+$/, "")}.`
  }

${[line(head), line(head.map(() => "---")), ...rows.map((row) => line(pick(row)))].join("\n")}
`;
}
