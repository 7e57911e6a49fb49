/** Changes as text for a terminal. Names and contents are escaped, so they cannot control it. */
import { shown } from "../../base/shown.ts";
import type { Paint } from "../colours.ts";

export interface LoggedChange {
  readonly id: string;
  readonly time: string;
  readonly tool: string;
  readonly client: string | null;
  readonly summary: string;
  readonly paths: readonly string[];
  readonly path_count: number;
  readonly undoable: boolean;
  readonly why_not?: string;
  readonly undone_by?: string;
}

/** How much of an id is shown: usually enough to be unique. */
export const SHORT_ID = 10;

export function changeLine(change: LoggedChange, paint: Paint): string {
  const { id, time, client, summary, undone_by, why_not, path_count } = change;
  const notes = [
    ...(path_count > 1 ? [`${path_count} paths`] : []),
    ...(undone_by === undefined ? [] : [`undone by ${undone_by.slice(0, SHORT_ID)}`]),
    ...(why_not === undefined ? [] : [`cannot be undone: ${why_not}`]),
  ];
  const suffix = notes.length === 0 ? "" : paint("dim", ` (${shown(notes.join(", "))})`);
  const who = client === null ? "" : `  ${paint("cyan", shown(client))}`;
  return `${paint("yellow", id.slice(0, SHORT_ID))}  ${localTime(time)}${who}  ${shown(summary)}${suffix}`;
}

export function diffText(diff: string, paint: Paint): string {
  return diff.split("\n").map((line) => {
    const text = shown(line, { lines: true });
    if (/^(\+\+\+|---|rename |create |remove |change )/.test(line)) return paint("bold", text);
    if (line.startsWith("@@")) return paint("cyan", text);
    if (line.startsWith("+")) return paint("green", text);
    return line.startsWith("-") ? paint("red", text) : text;
  }).join("\n").trimEnd();
}

function localTime(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/**
 * A time as a person writes it, in the local zone unless it names one; returned unchanged if it is not a
 * time.
 */
export function withZone(given: string): string {
  if (/(?:z|[+-]\d\d:?\d\d)$/i.test(given) && given.includes(":")) return given;
  const local = new Date(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00` : given.replace(" ", "T"));
  return /^\d{4}-/.test(given) && !Number.isNaN(local.getTime()) ? local.toISOString() : given;
}
