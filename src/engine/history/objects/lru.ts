/**
 * Remembers what was used recently, up to a total weight. It has two generations: what is asked for moves to
 * the younger one, and when that reaches half the weight, the older one is dropped. So a lookup costs no more
 * than a Map's.
 */
export class Lru<V> {
  readonly #limit: number;
  #young = new Map<string, Weighed<V>>();
  #old = new Map<string, Weighed<V>>();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.set(key, old.value, old.weight);
    return old.value;
  }

  set(key: string, value: V, weight = 1): void {
    if (weight > this.#limit / 2) return;
    this.#weight += weight - (this.#young.get(key)?.weight ?? 0);
    this.#young.set(key, { value, weight });
    if (this.#weight <= this.#limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }
}

interface Weighed<V> {
  readonly value: V;
  readonly weight: number;
}
