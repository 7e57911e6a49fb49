/** A line of a file as a result shows it: decoded, and cut where it is very long. */
import { utf8Boundary } from "../../text/utf8.ts";
import { type ShownLine } from "./findings.ts";

const MAX_CHARACTERS = 2000;
/** As many bytes of a line as are ever looked at for showing it: more than the longest characters need. */
export const SHOWN_BYTES = 4 * MAX_CHARACTERS + 4;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Invalid UTF-8 is shown as U+FFFD. `bytes` is the line, or at least its first SHOWN_BYTES. */
export function showLine(bytes: Uint8Array): ShownLine {
  const head = bytes.length > SHOWN_BYTES ? bytes.subarray(0, utf8Boundary(bytes, SHOWN_BYTES)) : bytes;
  const text = decoder.decode(head);
  if (text.length <= MAX_CHARACTERS) return { text, cut: false };
  let end = 0;
  for (let i = 0; i < MAX_CHARACTERS && end < text.length; i++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return { text: text.slice(0, end), cut: end < text.length };
}
