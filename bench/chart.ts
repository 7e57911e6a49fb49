// Ratios as a picture: one bar for each row that was measured on both sides, and a line where paddock and the peer
// would be equal. A longer bar is always worse. Plain SVG, readable on light and dark pages.

import type { ScenarioResults } from "./results.ts";

export interface Bar {
  readonly label: string;
  readonly ratio: number;
}

const WIDTH = 860;
const LEFT = 380;
const RIGHT = 70;
const TOP = 52;
const STEP = 24;
const THICK = 14;
/** Longer bars are cut, with the figure beside them. */
const MOST = 3;

export function barsOf(scenarios: readonly ScenarioResults[]): Bar[] {
  return scenarios.flatMap(({ scenario, results }) =>
    results.flatMap(({ row, ratio }) =>
      ratio === undefined ? [] : [{
        label: `${scenario}: ${row.label}`,
        ratio,
      }]
    )
  );
}

export function chart(title: string, bars: readonly Bar[]): string {
  const most = Math.min(MOST, Math.max(1.1, ...bars.map((bar) => bar.ratio)));
  const x = (ratio: number) => LEFT + Math.min(ratio, most) / most * (WIDTH - LEFT - RIGHT);
  const height = TOP + bars.length * STEP + 12;
  const rows = bars.map(({ label, ratio }, i) => {
    const y = TOP + i * STEP;
    return `<text class="t" x="${LEFT - 8}" y="${y + 11}" text-anchor="end">${escape(label)}</text>` +
      `<rect class="${ratio < 1 ? "good" : "bad"}" x="${LEFT}" y="${y}" width="${
        (x(ratio) - LEFT).toFixed(1)
      }" ` +
      `height="${THICK}" rx="2"/>` +
      `<text class="t" x="${(x(ratio) + 6).toFixed(1)}" y="${y + 11}">${ratio.toFixed(2)}</text>`;
  });
  const one = x(1).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${
    escape(title)
  }">
<style>
.t { font: 12px system-ui, sans-serif; fill: #24292f }
.h { font: 600 14px system-ui, sans-serif; fill: #24292f }
.good { fill: #2da44e } .bad { fill: #bf8700 } .one { stroke: #57606a; stroke-dasharray: 4 3 }
@media (prefers-color-scheme: dark) { .t, .h { fill: #e6edf3 } .one { stroke: #8b949e } }
</style>
<text class="h" x="8" y="20">${escape(title)}</text>
<text class="t" x="${one}" y="42" text-anchor="middle">1.00</text>
<line class="one" x1="${one}" x2="${one}" y1="46" y2="${height - 6}"/>
${rows.join("\n")}
</svg>
`;
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}
