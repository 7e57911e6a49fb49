/** How the lines of a text end, as reported to a model. */

export const LINE_ENDINGS = ["LF", "CRLF", "mixed", "none"] as const;

export type LineEndings = typeof LINE_ENDINGS[number];

/** A lone CR does not end a line. */
export function lineEndingsOf(text: string): LineEndings {
  if (!text.includes("\r")) return text.includes("\n") ? "LF" : "none"; // nearly always
  let [lf, crlf] = [0, 0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf++;
    else lf++;
    if (lf > 0 && crlf > 0) return "mixed";
  }
  return crlf > 0 ? "CRLF" : lf > 0 ? "LF" : "none";
}
