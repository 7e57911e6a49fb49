/** The timeline's rows: days; within a day, runs of changes by one client; within a run, the changes. */
import type { Change } from "../../src/console/api_types.ts";
import { dayKey, dayName } from "../text/times.ts";
import { keyOf } from "./route.ts";

export type TimelineRow =
  | { readonly kind: "day"; readonly key: string; readonly height: number; readonly name: string }
  | {
    readonly kind: "client";
    readonly key: string;
    readonly height: number;
    readonly who: string;
    readonly count: number;
    /** The times of the newest and the oldest. */
    readonly last: string;
    readonly first: string;
  }
  | { readonly kind: "change"; readonly key: string; readonly height: number; readonly change: Change };

/** The style sheet has the same numbers. */
export const HEIGHTS = { day: 40, client: 32, wide: 34, narrow: 52 } as const;

/** Who made a change, as far as known. */
export function whoOf({ client, author, tool }: Change): string {
  if (client !== null && client !== "") return client;
  if (author !== null) return author.replace(/\s*<[^<>]*>$/, "") || author;
  return tool === "person" ? "Another program" : "Unknown client";
}

/** A number for a name, which selects its colour. */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 12) % 8;
}

export function rowsOf(changes: readonly Change[], { narrow }: { narrow: boolean }): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let day = "";
  let dayBegins = Infinity;
  let dayEnds = -Infinity;
  for (let i = 0; i < changes.length;) {
    const first = changes[i];
    if (first === undefined) break;
    const time = Date.parse(first.time);
    if (time < dayBegins || time >= dayEnds) {
      const begins = new Date(time).setHours(0, 0, 0, 0);
      dayBegins = begins;
      dayEnds = new Date(begins).setDate(new Date(begins).getDate() + 1);
      if (dayKey(first.time) !== day) {
        day = dayKey(first.time);
        rows.push({ kind: "day", key: `day ${day}`, height: HEIGHTS.day, name: dayName(first.time) });
      }
    }
    const who = whoOf(first);
    let end = i + 1;
    for (let next = changes[end]; next !== undefined && whoOf(next) === who; next = changes[++end]) {
      if (Date.parse(next.time) < dayBegins) break;
    }
    const group = changes.slice(i, end);
    rows.push({
      kind: "client",
      key: `client ${keyOf(group.at(-1) ?? first)}`,
      height: HEIGHTS.client,
      who,
      count: group.length,
      last: first.time,
      first: group.at(-1)?.time ?? first.time,
    });
    const height = narrow ? HEIGHTS.narrow : HEIGHTS.wide;
    for (const change of group) rows.push({ kind: "change", key: keyOf(change), height, change });
    i = end;
  }
  return rows;
}
