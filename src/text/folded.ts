/**
 * Text with every line break folded to LF, and beside it what each of them really is. Texts that differ only
 * in their endings are then the same to a search, and no edit can cut a CRLF in two.
 */

export interface Folded {
  readonly text: string;
  /** One letter for each LF in `text`: n for LF, w for CRLF, r for a lone CR. */
  readonly breaks: string;
}

export function fold(raw: string): Folded {
  if (!raw.includes("\r")) return { text: raw, breaks: "n".repeat(countBreaks(raw)) };
  const breaks: string[] = [];
  const text = raw.replace(/\r\n?|\n/g, (found) => {
    breaks.push(found === "\n" ? "n" : found === "\r" ? "r" : "w");
    return "\n";
  });
  return { text, breaks: breaks.join("") };
}

export function unfold({ text, breaks }: Folded): string {
  if (!/[rw]/.test(breaks)) return text;
  let next = 0;
  return text.replace(/\n/g, () => {
    const letter = breaks[next++];
    return letter === "n" ? "\n" : letter === "r" ? "\r" : "\r\n";
  });
}

/** Of a folded text. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
