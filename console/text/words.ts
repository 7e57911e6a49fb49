/** Which words differ between a line and the one that replaced it. */

/** Begin and end, in UTF-16 units. */
export type Range = readonly [number, number];

export interface WordChanges {
  readonly left: readonly Range[];
  readonly right: readonly Range[];
}

const WORD = /[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu;
/** Above these sizes it is not tried: it would take long and show nothing useful. */
const LONGEST = 2_000;
const MOST_CELLS = 40_000;
/** The smallest part of a line that must be unchanged for marks to be useful. */
const LEAST_SAME = 0.25;

/** Null if the two have too little in common to be shown as one changed line. */
export function changedWords(left: string, right: string): WordChanges | null {
  if (left.length > LONGEST || right.length > LONGEST || left === right) return null;
  const a = left.match(WORD) ?? [];
  const b = right.match(WORD) ?? [];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) {
    tail++;
  }
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const stays = middleA.length * middleB.length > MOST_CELLS ? null : commonWords(middleA, middleB);
  const marksA = marksOf(a, head, stays?.a ?? middleA.map(() => false));
  const marksB = marksOf(b, head, stays?.b ?? middleB.map(() => false));
  const same = 1 - lengthOf(marksA) / Math.max(1, left.trim().length);
  const sameRight = 1 - lengthOf(marksB) / Math.max(1, right.trim().length);
  return Math.max(same, sameRight) < LEAST_SAME ? null : { left: marksA, right: marksB };
}

/** Which words of each belong to the longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): { a: boolean[]; b: boolean[] } {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const stays = { a: a.map(() => false), b: b.map(() => false) };
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      stays.a[i++] = true;
      stays.b[j++] = true;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return stays;
}

/** Joins neighbours; a blank between two changed words counts as changed too. */
function marksOf(words: readonly string[], head: number, stays: readonly boolean[]): Range[] {
  const ranges: Range[] = [];
  let at = words.slice(0, head).join("").length;
  let blank = 0;
  stays.forEach((stay, i) => {
    const word = words[head + i] ?? "";
    const last = ranges.at(-1);
    if (!stay) {
      if (last !== undefined && last[1] + blank === at) {
        ranges[ranges.length - 1] = [last[0], at + word.length];
      } else ranges.push([at, at + word.length]);
    }
    blank = stay && word.trim() === "" ? word.length : 0;
    at += word.length;
  });
  return ranges;
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [begin, end]) => sum + end - begin, 0);
}
