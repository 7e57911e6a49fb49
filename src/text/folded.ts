/**
 * Text with every line break folded to LF, and a record of what each of them really is. Texts that differ
 * only in their endings then look the same to a search, and no edit can cut a CRLF in two. A lone CR is not a
 * line break.
 */

export interface Folded {
  readonly text: string;
  /** One letter for each LF in `text`: n for LF, w for CRLF. */
  readonly breaks: string;
}

export function fold(raw: string): Folded {
  if (!raw.includes("\r")) return { text: raw, breaks: "n".repeat(countBreaks(raw)) };
  const breaks: string[] = [];
  const text = raw.replace(/\r?\n/g, (found) => {
    breaks.push(found === "\n" ? "n" : "w");
    return "\n";
  });
  return { text, breaks: breaks.join("") };
}

export function unfold({ text, breaks }: Folded): string {
  if (!breaks.includes("w")) return text;
  let next = 0;
  return text.replace(/\n/g, () => breaks[next++] === "w" ? "\r\n" : "\n");
}

/** The line breaks of a folded text. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
