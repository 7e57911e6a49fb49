/** A long list that draws only its visible part. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useSize } from "./hooks.ts";

export interface WindowRow {
  readonly key: string;
  readonly height: number;
}

export interface WindowHandle {
  /** Scrolls as little as necessary to make the row visible. */
  reveal(key: string): void;
  toTop(): void;
}

interface Props<R extends WindowRow> {
  readonly rows: readonly R[];
  readonly label: string;
  /** Drawn wherever it is, so that it keeps the focus. */
  readonly keep: string | null;
  readonly handle: { current: WindowHandle | null };
  draw(row: R, place: { height: number; top: number }): ComponentChildren;
  /** Called with the index of the first visible row whenever it changes, and with the scroll position. */
  onScroll?(state: { first: number; top: number; nearEnd: boolean }): void;
}

const BEYOND = 12;
const NEAR_END_ROWS = 40;

export function WindowList<R extends WindowRow>({ rows, label, keep, handle, draw, onScroll }: Props<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const { height } = useSize(scroller);
  const [top, setTop] = useState(0);
  const anchor = useRef<{ key: string; offset: number } | null>(null);
  const { tops, total, places } = useMemo(() => layout(rows), [rows]);
  const topOf = (place: number) => tops[place] ?? total;

  // The row being read stays in place when something is added above it.
  useLayoutEffect(() => {
    const element = scroller.current;
    const place = anchor.current === null ? undefined : places.get(anchor.current.key);
    if (element === null || place === undefined || anchor.current === null || element.scrollTop === 0) return;
    const wanted = topOf(place) + anchor.current.offset;
    if (Math.abs(wanted - element.scrollTop) > 1) element.scrollTop = wanted;
  }, [rows]);

  const first = Math.max(0, placeAt(tops, top));
  const end = Math.min(rows.length, placeAt(tops, top + height) + 1);
  useLayoutEffect(() => {
    const row = rows[first];
    anchor.current = row === undefined ? null : { key: row.key, offset: top - topOf(first) };
    onScroll?.({ first, top, nearEnd: end >= rows.length - NEAR_END_ROWS });
  }, [rows, first, end, top]);

  handle.current = {
    reveal(key) {
      const element = scroller.current;
      const place = places.get(key);
      if (element === null || place === undefined) return;
      const [from, to] = [topOf(place), topOf(place) + (rows[place]?.height ?? 0)];
      const margin = 48; // this much is covered by the sticky header
      if (from - margin < element.scrollTop) element.scrollTop = Math.max(0, from - margin);
      else if (to > element.scrollTop + element.clientHeight) {
        element.scrollTop = to - element.clientHeight + 8;
      }
    },
    toTop: () => scroller.current?.scrollTo({ top: 0 }),
  };

  const drawn: number[] = [];
  for (let i = Math.max(0, first - BEYOND); i < Math.min(rows.length, end + BEYOND); i++) drawn.push(i);
  const kept = keep === null ? undefined : places.get(keep);
  if (kept !== undefined && !drawn.includes(kept)) {
    if (kept < (drawn[0] ?? 0)) drawn.unshift(kept);
    else drawn.push(kept);
  }
  return (
    <div class="window" ref={scroller} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ul class="window-rows" aria-label={label} style={{ height: `${total}px` }}>
        {drawn.map((i) => {
          const row = rows[i];
          return row === undefined ? null : draw(row, { height: row.height, top: topOf(i) });
        })}
      </ul>
    </div>
  );
}

function layout(rows: readonly WindowRow[]) {
  const tops: number[] = [];
  const places = new Map<string, number>();
  let total = 0;
  rows.forEach((row, i) => {
    tops.push(total);
    places.set(row.key, i);
    total += row.height;
  });
  return { tops, places, total };
}

/** The last row that begins at or above this position. */
function placeAt(tops: readonly number[], height: number): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) <= height) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
