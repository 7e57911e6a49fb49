/** Random numbers from a seed, so that a run can be repeated. */

export interface Random {
  readonly seed: number;
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  /** Another stream, independent of this one. */
  fork(): Random;
}

/** mulberry32: small, fast, good enough for tests. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    seed,
    next,
    below,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new RangeError("nothing to pick from");
      return from[below(from.length)] as T;
    },
    fork: () => seeded(below(2 ** 32)),
  };
}
