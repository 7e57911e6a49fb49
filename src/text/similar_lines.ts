/**
 * Finds the lines of a text that are most similar to given ones. Similarity is the share of character pairs
 * that two lines have in common; the surrounding lines are compared only where one line is similar or equal.
 */

import { PIECE } from "./steps.ts";

/** How many places are compared completely. */
const MAX_PLACES = 10;
/** Anything less is not similar. */
const LEAST = 0.4;

/** Non-overlapping places, as long as what is wanted and similar to it, by their first line: best first. */
export function* findSimilarLines(
  lines: readonly string[],
  wanted: readonly string[],
  most = 1,
): Generator<void, number[]> {
  const profiles = wanted.map((line) => new LineProfile(line));
  const found: { start: number; score: number }[] = [];
  for (const start of yield* candidates(lines, profiles)) {
    yield;
    let score = 0;
    let weight = 0;
    for (const [i, profile] of profiles.entries()) {
      score += profile.weight * profile.likeness(lines[start + i] ?? "");
      weight += profile.weight;
    }
    if (score > LEAST * weight) found.push({ start, score: score / weight });
  }
  const best: number[] = [];
  for (const { start } of found.sort((a, b) => b.score - a.score)) {
    if (best.length === most) break;
    if (best.every((other) => Math.abs(other - start) >= wanted.length)) best.push(start);
  }
  return best;
}

/** Where the longest wanted line has a similar one, and where most of the wanted lines are in place. */
function* candidates(
  lines: readonly string[],
  profiles: readonly LineProfile[],
): Generator<void, Iterable<number>> {
  const longest = profiles.reduce((a, b) => b.weight > a.weight ? b : a, new LineProfile(""));
  const shift = profiles.indexOf(longest);
  const numbers = new Map(profiles.map(({ line }, i) => [line, i]));
  const likes = new Best();
  const votes = new Map<number, number>();
  let unpaused = 0;
  for (const [i, line] of lines.entries()) {
    unpaused += line.length + 1;
    if (unpaused > PIECE) {
      yield;
      unpaused = 0;
    }
    likes.offer(i - shift, longest.likeness(line));
    const number = numbers.get(line.trim());
    if (number !== undefined) votes.set(i - number, (votes.get(i - number) ?? 0) + line.length);
  }
  const voted = new Best();
  for (const [start, vote] of votes) voted.offer(start, vote);
  const inText = (start: number) => start >= 0 && start < lines.length;
  return new Set([...likes.starts, ...voted.starts].filter(inText));
}

/** The places with the highest scores, among equals the first. */
class Best {
  readonly #places: { start: number; score: number }[] = [];

  offer(start: number, score: number): void {
    const lowest = this.#places.at(-1)?.score ?? 0;
    if (score <= 0 || (this.#places.length === MAX_PLACES && score <= lowest)) return;
    if (this.#places.length === MAX_PLACES) this.#places.pop();
    const at = this.#places.findLastIndex((place) => place.score >= score) + 1;
    this.#places.splice(at, 0, { start, score });
  }

  get starts(): number[] {
    return this.#places.map(({ start }) => start);
  }
}

const BUCKETS = 4096;

/** A line to compare others with, as counts of its character pairs. Surrounding whitespace is ignored. */
class LineProfile {
  readonly line: string;
  readonly #counts = new Int32Array(BUCKETS);

  constructor(line: string) {
    this.line = line.trim();
    for (let i = 1; i < this.line.length; i++) this.#take(bucketOf(this.line, i), -1);
  }

  /** Long lines weigh more, but one of them must not outweigh all the others. */
  get weight(): number {
    return Math.sqrt(this.line.length);
  }

  /** From 0 to 1 (the same line). Being contained in a longer line counts for half. */
  likeness(line: string): number {
    const other = line.trim();
    if (other === this.line) return 1;
    const pairs = this.line.length - 1;
    if (pairs < 1 || other.length < 2 || other.length > 20 * this.line.length + 200) return 0;
    const shared = this.#countShared(other);
    return shared / pairs / 2 + shared / (pairs + other.length - 1);
  }

  #countShared(other: string): number {
    const taken: number[] = [];
    for (let i = 1; i < other.length; i++) {
      const bucket = bucketOf(other, i);
      if ((this.#counts[bucket] ?? 0) === 0) continue;
      this.#take(bucket, 1);
      taken.push(bucket);
    }
    for (const bucket of taken) this.#take(bucket, -1);
    return taken.length;
  }

  #take(bucket: number, count: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) - count;
  }
}

/** The bucket of the characters before and at an index. */
function bucketOf(text: string, index: number): number {
  return (text.charCodeAt(index - 1) * 61 + text.charCodeAt(index)) % BUCKETS;
}
