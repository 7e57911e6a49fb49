/**
 * Long work on texts, cut into steps: a generator that yields every few milliseconds, so that its caller can
 * let others go first. These functions know no clock and no event loop; `inSteps` in base/pace.ts does.
 */

/** How many lines, or 16 times as many characters, to process between two pauses. */
export const PIECE = 32_768;
const TEXT_PIECE = 16 * PIECE;

/** Runs all steps at once. */
export function runAll<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The text with LF for every line break, a lone CR included. */
export function* foldedInSteps(text: string): Generator<void, string> {
  if (!text.includes("\r")) return text;
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + TEXT_PIECE, text.length);
    if (text[end] === "\n" && text[end - 1] === "\r") end++;
    parts.push(text.slice(start, end).replace(/\r\n?/g, "\n"));
    start = end;
    yield;
  }
  return parts.join("");
}

/** The parts of a text between newlines, as `split` returns them. */
export function* splitInSteps(text: string): Generator<void, string[]> {
  const parts: string[] = [];
  for (let start = 0;;) {
    const end = text.length - start <= TEXT_PIECE ? -1 : text.indexOf("\n", start + TEXT_PIECE);
    for (const part of text.slice(start, end < 0 ? text.length : end).split("\n")) parts.push(part);
    if (end < 0) return parts;
    start = end + 1;
    yield;
  }
}
