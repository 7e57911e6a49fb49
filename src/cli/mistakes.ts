/**
 * How mistakes of the operator are worded: what was given, what is allowed, an example. What was given is
 * quoted and truncated, so it can neither forge a line nor flood the screen.
 */

const LONGEST_QUOTE = 120;

export interface Refusal {
  /** What is wrong, as a predicate: `is "99999"`, `has no value`. */
  problem: string;
  /** What it must be: `a whole number from 1 to 65535`. */
  allowed: string;
  /** Why, where the reader would otherwise wonder. */
  reason?: string | undefined;
  example: string;
}

export function refusal(subject: string, { problem, allowed, reason, example }: Refusal): string {
  const because = reason ? ` (${reason})` : "";
  return `${subject} ${problem}, but must be ${allowed}${because}; example: ${example}`;
}

/** Text in double quotes, with control characters, line separators and bidi marks escaped. */
export function quote(text: string): string {
  const cut = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return escapeHidden(JSON.stringify(cut));
}

/** Escapes what a terminal would interpret rather than display. */
export function escapeHidden(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** ` (did you mean X?)` if a known word is close, otherwise nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** The known word with the smallest edit distance, if that is small for the word's length. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours each count as one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
