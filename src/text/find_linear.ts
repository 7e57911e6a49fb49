/**
 * Finds every occurrence of a string in a text, including overlapping ones, with the Knuth–Morris–Pratt
 * algorithm. Slower than `indexOf` on most texts, but linear on all: V8's search takes the product of both
 * lengths on repetitive ones.
 */
export function findLinear(text: string, needle: string): Generator<number>;
/** Yields undefined now and then, for a pause. */
export function findLinear(
  text: string,
  needle: string,
  options: { pauses: true },
): Generator<number | undefined>;
export function* findLinear(
  text: string,
  needle: string,
  { pauses }: { pauses?: true } = {},
): Generator<number | undefined> {
  if (needle === "") return;
  const border = borders(needle);
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    if (pauses && i % PAUSE === PAUSE - 1) yield;
    const unit = text.charCodeAt(i);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = border[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched < needle.length) continue;
    yield i + 1 - matched;
    matched = border[matched - 1] ?? 0;
  }
}

const PAUSE = 524_288;

/** For each prefix of the needle, the length of the longest shorter prefix that is also its suffix. */
function borders(needle: string): Uint32Array {
  const border = new Uint32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i++) {
    const unit = needle.charCodeAt(i);
    while (length > 0 && needle.charCodeAt(length) !== unit) length = border[length - 1] ?? 0;
    if (needle.charCodeAt(length) === unit) length++;
    border[i] = length;
  }
  return border;
}
