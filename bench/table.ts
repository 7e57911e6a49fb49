// The results as one plain, aligned table: a line for every row, with its goal.

import type { Measured } from "./measure.ts";
import type { Row, Unit } from "./scenario.ts";
import { type Spread, summarize, type Summary } from "./summary.ts";

const NONE = "-";

export function formatTable(measured: readonly Measured[], peerOf: (scenario: string) => string): string {
  const hasRust = measured.some(({ samples }) => samples.rust.length > 0);
  const head = ["what", "paddock", "peer", "ratio", "goal", "against", ...(hasRust ? ["÷ Rust"] : [])];
  const lines = [
    head,
    ...measured.map((one) => {
      const { label, paddock, peer, ratio, goal, rustRatio } = cellsOf({ row: one.row, ...summarize(one) });
      const against = peer === NONE ? NONE : peerOf(one.scenario);
      const what = `${one.scenario}: ${label}`;
      return [what, paddock, peer, ratio, goal, against, ...(hasRust ? [rustRatio] : [])];
    }),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = lines.map((line) =>
    line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ").trimEnd()
  );
  return aligned.join("\n");
}

/** What is shown for a row. */
export interface Cells {
  label: string;
  paddock: string;
  peer: string;
  ratio: string;
  goal: string;
  rust: string;
  rustRatio: string;
}

export function cellsOf({ row, paddock, peer, rust, ratio, rustRatio, met }: Summary & { row: Row }): Cells {
  return {
    label: row.label,
    paddock: formatSpread(paddock, row.unit),
    peer: formatSpread(peer, row.unit),
    ratio: ratio?.toFixed(2) ?? NONE,
    goal: bound(row) === undefined ? NONE : `${bound(row)}${verdict(met)}`,
    rust: formatSpread(rust, row.unit),
    rustRatio: rustRatio?.toFixed(2) ?? NONE,
  };
}

function bound({ target, limit, unit }: Row): string | undefined {
  return limit === undefined ? target?.toFixed(2) : `${limit} ${unit}`;
}

function verdict(met: boolean | undefined): string {
  if (met === undefined) return "";
  return met ? ", met" : ", MISSED";
}

function formatSpread(spread: Spread | undefined, unit: Unit): string {
  if (!spread) return NONE;
  return `${short(spread.median)} ${unit} (${short(spread.min)}–${short(spread.max)})`;
}

/** Three significant digits. */
function short(figure: number): string {
  if (figure >= 100) return figure.toFixed(0);
  return figure.toFixed(figure >= 10 ? 1 : 2);
}
