/** Calls per minute as bars: succeeded, failed, refused. */
import type { Figures } from "../../src/console/api_types.ts";
import { clockOf, count, counted } from "../text/times.ts";

const HEIGHT = 96;
const STEP = 10;
const GAP = 2;

export function Bars({ minutes }: { minutes: Figures["minutes"] }) {
  const most = Math.max(4, ...minutes.map(({ calls }) => calls));
  const scale = (many: number) => (many / most) * (HEIGHT - 4);
  const total = minutes.reduce((sum, { calls }) => sum + calls, 0);
  const [first] = minutes;
  const width = minutes.length * STEP;
  return (
    <figure class="bars">
      <div class="bars-plot">
        <span class="bars-most muted" aria-hidden="true">{count(most)}</span>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${counted(total, "call")} in the last ${minutes.length} minutes`}
        >
          {minutes.map(({ start, calls, errors, refusals }, i) => {
            const fine = Math.max(0, calls - errors - refusals);
            const heights = [fine, errors, refusals].map(scale);
            let y = HEIGHT;
            return (
              <g key={start}>
                <title>
                  {`${clockOf(start)}: ${counted(calls, "call")}, ${counted(errors, "error")}, ${
                    counted(refusals, "refusal")
                  }`}
                </title>
                <rect class="bar-ground" x={i * STEP} y={0} width={STEP - GAP} height={HEIGHT} />
                {heights.map((height, kind) => {
                  y -= height;
                  return (
                    <rect
                      key={kind}
                      class={`bar bar-${kind}`}
                      x={i * STEP}
                      y={y}
                      width={STEP - GAP}
                      height={height}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption class="bars-foot muted">
        <span>{first === undefined ? "" : clockOf(first.start)}</span>
        <span class="key">
          <span class="swatch bar-0" />calls
        </span>
        <span class="key">
          <span class="swatch bar-1" />errors
        </span>
        <span class="key">
          <span class="swatch bar-2" />refusals
        </span>
        <span class="is-end">now</span>
      </figcaption>
    </figure>
  );
}
