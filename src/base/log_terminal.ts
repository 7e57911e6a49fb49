/**
 * Log lines for a person at a terminal: short, aligned, and coloured if wanted. What only a program could use
 * is left out; `--log-format=json` has everything.
 */
import type { LogFields, LogLevel } from "./log.ts";

/** How lines look: plain in a file or pipe, short on a terminal, or short and coloured. */
export type LogLook = "plain" | "terminal" | "colours";

export interface TerminalLine {
  readonly time: Date;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
  readonly look: LogLook;
  /** Renders a value so that it can neither end the line nor control the terminal. */
  readonly value: (value: unknown) => string;
}

const COLOURS: Record<LogLevel, number> = { debug: 2, info: 32, warn: 33, error: 31 };
const DIM = 2;
const BOLD = 1;

/** What only a program that reads the log can use. */
const LEFT_OUT = new Set(["request_id", "response_bytes", "outcome"]);
/** The tool comes before the other fields, without a label. */
const TOOL_WIDTH = 20;
const EVENT_WIDTH = 16;

export function renderForTerminal({ time, level, event, fields, look, value }: TerminalLine): string {
  const paint = (code: number, text: string) => look === "colours" ? `\x1b[${code}m${text}\x1b[0m` : text;
  const { tool, duration_ms: duration, ...rest } = fields;
  const words = [
    paint(DIM, clock(time)),
    paint(COLOURS[level], level.toUpperCase().padEnd(5)),
    paint(BOLD, event.padEnd(EVENT_WIDTH)),
  ];
  if (tool !== undefined) words.push(value(tool).padEnd(TOOL_WIDTH));
  if (typeof duration === "number") words.push(milliseconds(duration));
  for (const [key, given] of Object.entries(rest)) {
    if (given !== undefined && !LEFT_OUT.has(key)) words.push(`${paint(DIM, `${key}=`)}${value(given)}`);
  }
  return words.join(" ").trimEnd();
}

/** The local time of day. */
function clock(time: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

function milliseconds(duration: number): string {
  return `${duration < 10 ? duration.toFixed(1) : Math.round(duration)} ms`.padStart(8);
}
