/** One search, as the pool sees it: which worker takes which batch. */
import { type Batch, type BatchResult } from "./batch.ts";
import { type PoolMember } from "./pool_member.ts";
import { type SearchSpec } from "./search_messages.ts";

/** For each worker: one that is being looked through, and some that lie ready while this thread is busy. */
const BATCHES_AT_ONCE = 4;

export interface PoolSearchOptions {
  spec: SearchSpec;
  timeLeft: () => number;
  members: () => readonly PoolMember[];
  onResult: (result: BatchResult) => void;
  onEnd: () => void;
}

export class PoolSearch {
  readonly #id: number;
  readonly #options: PoolSearchOptions;
  readonly #told = new Set<PoolMember>();
  readonly #underWay = new Map<PoolMember, number>();
  #room = Promise.withResolvers<void>();
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

  /** Settles when there is a worker for the batch of this number, or none to wait for; tells whether it waited. */
  async room(number: number): Promise<boolean> {
    let hasWaited = false;
    while (!this.#hasEnded && this.#free(number) === undefined && this.#ready().length > 0) {
      await this.#room.promise;
      hasWaited = true;
    }
    return hasWaited;
  }

  /**
   * Waits for a worker and has it look through a batch. Undefined when there is none, or none any more: then the
   * batch is still to be looked through.
   */
  async run(number: number, batch: Batch): Promise<BatchResult | undefined> {
    await this.room(number);
    const member = this.#free(number);
    if (member === undefined || this.#hasEnded) return undefined;
    if (!this.#told.has(member)) {
      this.#told.add(member);
      const { spec, timeLeft } = this.#options;
      member.tell({ type: "begin", search: this.#id, spec, timeoutMs: timeLeft() });
    }
    this.#underWay.set(member, (this.#underWay.get(member) ?? 0) + 1);
    try {
      const result = await member.scan(this.#id, batch);
      if (result !== undefined) this.#options.onResult(result);
      return result;
    } finally {
      this.#underWay.set(member, (this.#underWay.get(member) ?? 1) - 1);
      this.#makeRoom();
    }
  }

  /** Nobody waits for its results any more. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#wake();
    for (const member of this.#told) member.tell({ type: "end", search: this.#id });
    this.#makeRoom();
    this.#options.onEnd();
  }

  /** The same files go to the same worker each time, as it may remember them, unless another has nothing to do. */
  #free(number: number): PoolMember | undefined {
    const members = this.#ready();
    const load = (member: PoolMember) => this.#underWay.get(member) ?? 0;
    const preferred = members[number % members.length];
    if (preferred !== undefined && load(preferred) < BATCHES_AT_ONCE) return preferred;
    return members.find((member) => load(member) === 0);
  }

  #ready(): PoolMember[] {
    return this.#options.members().filter((member) => member.isReady);
  }

  #makeRoom(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }
}
