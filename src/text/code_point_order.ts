/** Orders names by code point, which is the order of their bytes in UTF-8: the same on every machine. */

/** Matches strings for which JavaScript's own, much faster order differs from that of code points. */
export const BEYOND_PLAIN = /[\ud800-\uffff]/;

export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all those written without them. */
function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}
