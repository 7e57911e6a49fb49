/** One search, as the pool sees it: which workers have room for more of its units. */
import type { PoolMember } from "./pool_member.ts";
import type { SearchSpec } from "./search_messages.ts";
import type { Unit, UnitResult } from "./unit.ts";

/** For each worker: one message it works on, and some that are ready in case this thread is busy. */
const MESSAGES_AT_ONCE = 3;

export interface PoolSearchOptions {
  spec: SearchSpec;
  timeLeft: () => number;
  members: () => readonly PoolMember[];
  onResult: (result: UnitResult) => void;
  onEnd: () => void;
}

/** A worker that has room. */
export interface Seat {
  /** Which worker of those that are ready. */
  readonly index: number;
  /** Whether it has nothing to do. */
  readonly isIdle: boolean;
}

export class PoolSearch {
  readonly #id: number;
  readonly #options: PoolSearchOptions;
  readonly #told = new Set<PoolMember>();
  readonly #underWay = new Map<PoolMember, number>();
  #hasEnded = false;
  #wake = () => {};

  constructor(id: number, options: PoolSearchOptions) {
    this.#id = id;
    this.#options = options;
  }

  /** Settles when the first worker is ready, or there is none to wait for. */
  async ready(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#options.members().map((member) => member.ready);
    this.#wake = resolve;
    await Promise.race([promise, Promise.any(waiting).catch(() => {})]);
  }

  /** How many workers are ready. */
  get count(): number {
    return this.#ready().length;
  }

  seats(): Seat[] {
    if (this.#hasEnded) return [];
    return this.#ready().flatMap((member, index) => {
      const load = this.#underWay.get(member) ?? 0;
      return load < MESSAGES_AT_ONCE ? [{ index, isIdle: load === 0 }] : [];
    });
  }

  /**
   * Has a worker search units, one after the other. Its results may be fewer than the units: then the others are
   * still to be searched. So are all of them when the worker is lost.
   */
  async run(index: number, units: readonly Unit[]): Promise<UnitResult[]> {
    const member = this.#ready()[index];
    if (member === undefined || this.#hasEnded) return [];
    if (!this.#told.has(member)) {
      this.#told.add(member);
      const { spec, timeLeft } = this.#options;
      member.tell({ type: "begin", search: this.#id, spec, timeoutMs: timeLeft() });
    }
    this.#underWay.set(member, (this.#underWay.get(member) ?? 0) + 1);
    try {
      const results = await member.scan(this.#id, units) ?? [];
      for (const result of results) this.#options.onResult(result);
      return results;
    } finally {
      this.#underWay.set(member, (this.#underWay.get(member) ?? 1) - 1);
    }
  }

  /** Its results are no longer needed. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#wake();
    for (const member of this.#told) member.tell({ type: "end", search: this.#id });
    this.#options.onEnd();
  }

  #ready(): PoolMember[] {
    return this.#options.members().filter((member) => member.isReady);
  }
}
