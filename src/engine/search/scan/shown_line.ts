/** A line of a file as a result shows it: decoded, and cut where it is very long, if need be to a part of it. */
import { utf8Boundary } from "../../../text/utf8.ts";
import type { ShownLine, ShownMatch } from "../findings.ts";

export const SHOWN_CHARACTERS = 2000;
/** How many of them come before a match that is far from the beginning of its line. */
const LEAD = 500;
/** How many bytes of a line are read to show it: enough for the longest characters. */
export const SHOWN_BYTES = 4 * SHOWN_CHARACTERS + 4;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Invalid UTF-8 is shown as U+FFFD. `bytes` is the line, or at least its first SHOWN_BYTES. */
export function showLine(bytes: Uint8Array): ShownLine {
  const head = bytes.length > SHOWN_BYTES ? bytes.subarray(0, utf8Boundary(bytes, SHOWN_BYTES)) : bytes;
  const text = decoder.decode(head);
  if (text.length <= SHOWN_CHARACTERS) return { text, cut: false };
  let end = 0;
  for (let i = 0; i < SHOWN_CHARACTERS && end < text.length; i++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return { text: text.slice(0, end), cut: end < text.length };
}

/** A match in a line that is cut: where it begins, if that is known, and where it has ended for certain. */
export interface MatchInLine {
  start: number | undefined;
  end: number;
}

/**
 * The part of a long line around a match: its beginning, if the match is there. `bytes` start `offset` bytes into the
 * line, with at least as many bytes before and after the match as are ever shown.
 */
export function showAround(bytes: Uint8Array, { start, end }: MatchInLine, offset: number): ShownMatch {
  const column = start === undefined ? undefined : offset + start + 1;
  const isInFront = offset === 0 && end <= SHOWN_BYTES && !showLine(bytes.subarray(0, end)).cut;
  if (isInFront) return { ...showLine(bytes), cut: true, column, shownFrom: 1 };
  let from = goBack(bytes, start ?? end, LEAD);
  const behind = showLine(bytes.subarray(from));
  if (!behind.cut) from = goBack(bytes, from, SHOWN_CHARACTERS - [...behind.text].length);
  const { text } = showLine(bytes.subarray(from));
  return { text, cut: true, column, shownFrom: offset + from + 1 };
}

/** The place so many characters before another. */
function goBack(bytes: Uint8Array, from: number, characters: number): number {
  let at = from;
  for (let i = 0; i < characters && at > 0; i++) at = utf8Boundary(bytes, at - 1);
  return at;
}
