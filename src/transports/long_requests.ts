/**
 * Long requests on a connection that keeps the order of its calls: each is counted until it is answered, and
 * waits while there is no room for it. Later requests wait behind it, but they are read, so a ping or a
 * cancellation among them takes effect at once; only when they add up to much does reading stop.
 */
import type { ByteBudget } from "../base/byte_budget.ts";
import type { Id } from "./batches.ts";

/** Requests longer than this are counted. */
const LONG = 64 * 1024;

export interface Passing {
  id: Id;
  length: number;
  handOn: () => void;
}

export class LongRequests {
  readonly #budget: ByteBudget;
  readonly #held = new Map<Id, number>();
  readonly #waiting = new Map<Id, Passing>();
  /** Settles when all waiting requests have been passed on. */
  #last: Promise<void> | undefined;
  /** The length of all waiting requests except the first. */
  #behind = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** Passes a request on: at once, or when there is room for it and those before it. */
  pass(request: Passing): void {
    const { id, length } = request;
    this.#waiting.set(id, request);
    const take = () => length > LONG ? this.#budget.take(length) : undefined;
    const before = this.#last;
    const room = before === undefined ? take() : before.then(take);
    if (room === undefined) return this.#handOn(request);
    const behind = before === undefined ? 0 : length;
    this.#behind += behind;
    const last = room.then(() => {
      this.#behind -= behind;
      if (this.#last === last) this.#last = undefined;
      this.#handOn(request);
    });
    this.#last = last;
  }

  /** A request is answered or cancelled; a waiting one is no longer passed on. */
  settle(id: Id): void {
    this.#waiting.delete(id);
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#budget.add(-held);
  }

  /** Settles when more can be read. */
  async hasRoom(): Promise<void> {
    while (this.#behind > LONG) await this.#last;
  }

  #handOn(request: Passing): void {
    const { id, length, handOn } = request;
    const isWanted = this.#waiting.get(id) === request;
    if (isWanted) this.#waiting.delete(id);
    if (isWanted && length > LONG) this.#held.set(id, length);
    else if (length > LONG) this.#budget.add(-length);
    if (isWanted) handOn();
  }
}
