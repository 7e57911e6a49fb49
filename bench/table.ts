// The results as one plain, aligned table.

import type { Measured } from "./measure.ts";
import type { Row, Unit } from "./scenario.ts";
import { type Spread, summarize, type Summary } from "./summary.ts";

const NONE = "-";

export function formatTable(measured: readonly Measured[], names: { paddock: string; peer: string }): string {
  const lines = [["scenario", names.paddock, names.peer, "ratio", "target"], ...measured.map(cells)];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ").trimEnd()).join(
    "\n",
  );
}

function cells(measured: Measured): string[] {
  const { row, scenario } = measured;
  const { label, paddock, peer, ratio, target } = cellsOf({ row, ...summarize(measured) });
  return [`${scenario}: ${label}`, paddock, peer, ratio, target];
}

/** What is shown of a row. */
export interface Cells {
  label: string;
  paddock: string;
  peer: string;
  ratio: string;
  target: string;
}

export function cellsOf({ row, paddock, peer, ratio, met }: Summary & { row: Row }): Cells {
  return {
    label: row.label,
    paddock: formatSpread(paddock, row.unit),
    peer: formatSpread(peer, row.unit),
    ratio: ratio === undefined ? NONE : ratio.toFixed(2),
    target: bound(row) === undefined ? NONE : `under ${bound(row)}${verdict(met)}`,
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

/** Three digits that mean something. */
function short(figure: number): string {
  if (figure >= 100) return figure.toFixed(0);
  return figure.toFixed(figure >= 10 ? 1 : 2);
}
