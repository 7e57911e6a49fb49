// From samples to conclusions: median, minimum and maximum, the ratio of the medians, the verdict.

import type { Measured } from "./measure.ts";

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Summary {
  readonly paddock: Spread | undefined;
  readonly peer: Spread | undefined;
  readonly rust?: Spread | undefined;
  /** paddock ÷ peer, of the medians. */
  readonly ratio: number | undefined;
  /** paddock ÷ rust, of the medians. */
  readonly rustRatio?: number | undefined;
  /** Undefined if there is no goal, or nothing to compare with it. */
  readonly met: boolean | undefined;
}

export function summarize({ row, samples }: Measured): Summary {
  const paddock = spread(samples.paddock);
  const peer = spread(samples.peer);
  const rust = spread(samples.rust);
  const ratio = paddock && peer && row.unit !== "×" ? paddock.median / peer.median : undefined;
  const rustRatio = paddock && rust && row.unit !== "×" ? paddock.median / rust.median : undefined;
  const [figure, bound] = row.limit === undefined ? [ratio, row.target] : [paddock?.median, row.limit];
  const met = figure === undefined || bound === undefined ? undefined : figure <= bound;
  return { paddock, peer, ratio, met, ...(rust && { rust, rustRatio }) };
}

export function spread(samples: readonly number[]): Spread | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  const min = sorted[0];
  const max = sorted.at(-1);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (min === undefined || max === undefined || low === undefined || high === undefined) return undefined;
  return { median: (low + high) / 2, min, max };
}
