/**
 * Sets of code points as flat lists of ranges, [lo, hi, lo, hi, …], sorted, neither overlapping nor touching.
 * A list that is not in that form yet is a plain array; `toRanges` makes a set of it.
 */

export type Ranges = readonly number[];

export const MAX_RUNE = 0x10ffff;
export const ANY: Ranges = [0, MAX_RUNE];

/** Sorts and merges. */
export function toRanges(list: readonly number[]): Ranges {
  if (isClean(list)) return list;
  const pairs: { lo: number; hi: number }[] = [];
  for (let i = 0; i + 1 < list.length; i += 2) pairs.push({ lo: at(list, i), hi: at(list, i + 1) });
  pairs.sort((a, b) => a.lo - b.lo);
  const merged: number[] = [];
  let last = -2;
  for (const { lo, hi } of pairs) {
    if (lo > last + 1) merged.push(lo, hi);
    else if (hi > last) merged[merged.length - 1] = hi;
    last = Math.max(last, hi);
  }
  return merged;
}

export function negate(ranges: Ranges): Ranges {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (at(ranges, i) > next) rest.push(next, at(ranges, i) - 1);
    next = at(ranges, i + 1) + 1;
  }
  if (next <= MAX_RUNE) rest.push(next, MAX_RUNE);
  return rest;
}

export function includes(ranges: Ranges, rune: number): boolean {
  const i = lastAtOrBelow(ranges, rune);
  return i >= 0 && (i % 2 === 0 || at(ranges, i) === rune);
}

/** The index of the last number of an ascending list that is at most `value`; -1 when there is none. */
export function lastAtOrBelow(list: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(list, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** An element that is known to exist, which the compiler cannot see. */
export function at(list: ArrayLike<number>, index: number): number {
  return list[index] as number;
}

function isClean(list: readonly number[]): boolean {
  let last = -2;
  for (let i = 0; i < list.length; i += 2) {
    if (at(list, i) <= last + 1) return false;
    last = at(list, i + 1);
  }
  return true;
}
