/** What is unusual about a text that was read, in one line for the model that reads it; on every surface. */
import { lineEndingsOf } from "../text/line_endings.ts";

export interface ReadFacts {
  encoding?: string;
  size?: number;
  truncated?: boolean;
  start_line?: number;
  end_line?: number;
  lines_total?: number;
  start_byte?: number;
  end_byte?: number;
  next_offset_lines?: number;
  next_offset_bytes?: number;
}

/** `text` is undefined if the bytes are not text. Undefined if nothing is unusual. */
export function readNote(facts: ReadFacts, text: string | undefined): string | undefined {
  const what = [...placeOf(facts), ...kindOf(facts, text)].join(", ");
  const { next_offset_lines: lines, next_offset_bytes: bytes } = facts;
  const next = lines !== undefined
    ? `continue with offset_lines=${lines}`
    : bytes !== undefined
    ? `continue with offset_bytes=${bytes}`
    : "";
  const note = [what, next].filter((part) => part !== "").join("; ");
  return note === "" ? undefined : note;
}

function placeOf({ start_line, end_line, lines_total, start_byte, end_byte, size }: ReadFacts): string[] {
  if (start_byte !== undefined && (start_byte > 0 || end_byte !== size)) {
    return [`bytes ${start_byte}-${end_byte} of ${size}`];
  }
  if (start_line === undefined || (start_line <= 1 && end_line === lines_total)) return [];
  const lines = start_line === end_line ? `line ${start_line}` : `lines ${start_line}-${end_line}`;
  return [`${lines} of ${lines_total}`];
}

function kindOf(facts: ReadFacts, text: string | undefined): string[] {
  const { encoding, start_line, next_offset_lines, next_offset_bytes } = facts;
  if (text === undefined || encoding === "base64") return ["base64: the bytes are not UTF-8 text"];
  const endings = lineEndingsOf(text);
  const isCut = start_line !== undefined && next_offset_lines === undefined &&
    next_offset_bytes !== undefined;
  return [
    ...(endings === "none" || endings === "LF" ? [] : [endings === "mixed" ? "CRLF and LF mixed" : endings]),
    ...(text.startsWith("\uFEFF") ? ["byte order mark"] : []),
    ...(isCut ? ["the last line is cut"] : []),
  ];
}
