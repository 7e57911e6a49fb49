/** The changes of several sources as one list in order of time. */
import { PaddockError } from "../../base/errors.ts";
import type { ChangePage } from "../api_types.ts";
import { fromCursor, TIMELINE_PLACE, toCursor } from "./cursors.ts";
import type { ChangeSource, Filter, FoundChange, Place } from "./source.ts";

export interface TimelineQuery extends Filter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Located extends FoundChange {
  readonly source: string;
}

/**
 * Every source is asked for a whole page, because all of it may be the newest; what is not returned this time is
 * asked for again with the cursor. A source that cannot be queried does not keep the others from being shown.
 */
export async function timelineOf(
  sources: readonly ChangeSource[],
  { limit, cursor, signal, ...filter }: TimelineQuery,
): Promise<ChangePage> {
  const last = cursor === undefined ? undefined : fromCursor(cursor, TIMELINE_PLACE);
  const found: Located[] = [];
  const unavailable: ChangePage["unavailable"] = [];
  let isMore = false;
  for (const source of sources) {
    try {
      const after = last && placeIn(source.id, last);
      const page = await source.changes({ ...filter, signal, limit: limit + 1, after });
      found.push(...page.map((one) => ({ ...one, source: source.id })));
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code === "INVALID_INPUT" || signal?.aborted) throw error;
      if (error.code !== "OUT_OF_BOUNDS") unavailable.push({ source: source.id, note: error.message });
    }
    if (found.length > MOST_HELD) isMore = keepNewest(found, limit + 1) || isMore;
  }
  isMore = keepNewest(found, limit) || isMore;
  const end = found.at(-1);
  return {
    changes: found.map(({ change }) => change),
    next: isMore && end !== undefined ? toCursor({ t: end.time, s: end.source, k: end.key }) : null,
    unavailable,
  };
}

/** With thousands of sources, not all of their pages are held at once. */
const MOST_HELD = 5_000;

/** Whether any had to be dropped. */
function keepNewest(found: Located[], limit: number): boolean {
  found.sort(inOrder);
  const isMore = found.length > limit;
  found.length = Math.min(found.length, limit);
  return isMore;
}

/** Changes of one source and one time keep the source's order: the sort is stable. */
function inOrder(a: Located, b: Located): number {
  if (a.time !== b.time) return b.time - a.time;
  return a.source < b.source ? -1 : a.source > b.source ? 1 : 0;
}

function placeIn(source: string, { t, s, k }: { t: number; s: string; k: string }): Place {
  return source === s ? { time: t, key: k, inclusive: false } : { time: t, inclusive: source > s };
}
