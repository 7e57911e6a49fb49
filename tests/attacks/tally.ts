/** Counts of an attack: calls, swaps, and what happened outside, by surface, target, tool and kind. */
import type { SurfaceName } from "./calls.ts";

export interface Attacked {
  readonly surface: SurfaceName;
  readonly target: string;
  readonly tool: string;
  readonly isError: boolean;
  readonly effects: readonly string[];
}

export class Tally {
  readonly #effects = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  #all = 0;
  #succeeded = 0;
  withEffect = 0;
  swaps = 0;

  add({ surface, target, tool, isError, effects }: Attacked): void {
    count(this.#calls, surface);
    this.#all++;
    if (!isError) this.#succeeded++;
    if (effects.length > 0) this.withEffect++;
    const answer = isError ? "refused" : "answered";
    for (const effect of new Set(effects)) {
      count(this.#effects, [surface, target || "itself", tool, answer, effect].join("  "));
    }
  }

  callsOn(surface: SurfaceName): number {
    return this.#calls.get(surface) ?? 0;
  }

  get line(): string {
    return `${this.#all} calls, ${this.#succeeded} answered, ${this.withEffect} with an effect outside`;
  }

  report(): string {
    const lines = [...this.#effects].toSorted().map(([what, times]) =>
      `${String(times).padStart(6)}  ${what}`
    );
    return [...lines, `${this.line}; ${this.swaps} swaps`].join("\n");
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
