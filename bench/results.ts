// The latest figures of every scenario, kept in results.json: running some scenarios replaces theirs and leaves the
// others, each with the day and the machine it was measured on.

import { join } from "@std/path/join";
import type { Machine } from "./machine.ts";
import type { Measured } from "./measure.ts";
import type { Row } from "./scenario.ts";
import { summarize, type Summary } from "./summary.ts";

export interface Result extends Summary {
  readonly row: Row;
}

export interface ScenarioResults {
  readonly scenario: string;
  /** What paddock was measured against. */
  readonly peer: string;
  /** The name of the Rust server, if it was measured. */
  readonly rust?: string | undefined;
  readonly date: string;
  readonly machine: Machine;
  readonly note?: string | undefined;
  readonly results: readonly Result[];
}

const FILE = join(import.meta.dirname ?? ".", "results.json");

export function loadResults(file = FILE): ScenarioResults[] {
  try {
    return JSON.parse(Deno.readTextFileSync(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

export function saveResults(results: readonly ScenarioResults[], file = FILE): void {
  Deno.writeTextFileSync(file, JSON.stringify(results, null, 2) + "\n");
}

export function resultsOf(measured: readonly Measured[]): Result[] {
  return measured.map((one) => ({ row: one.row, ...summarize(one) }));
}

/** Replaces the results of the scenarios in `fresh`; in the order of `names`. */
export function merge(
  old: readonly ScenarioResults[],
  fresh: readonly ScenarioResults[],
  names: readonly string[],
): ScenarioResults[] {
  const all = new Map([...old, ...fresh].map((one) => [one.scenario, one]));
  return names.flatMap((name) => all.get(name) ?? []);
}
