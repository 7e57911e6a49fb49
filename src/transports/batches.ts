/** JSON-RPC batches: the answers to the messages of one batch leave together, when all of them are there. */

export type Id = string | number;

/** Batches came with 2024-11-05 and went with 2025-06-18; before a revision is agreed on they are taken. */
export function isBatchRevision(revision: string | undefined): boolean {
  return revision === undefined || revision < "2025-06-18";
}

interface Batch {
  readonly waitingFor: Set<Id>;
  readonly answers: unknown[];
  /** False while the batch is still being read. */
  closed: boolean;
}

export class BatchBook {
  readonly #batches = new Set<Batch>();

  /** Begins a batch; `close` ends its reading and returns the answers if they are complete already. */
  open(messages: readonly unknown[]): { answer(value: unknown): void; close(): unknown[] | undefined } {
    const batch: Batch = { waitingFor: new Set(), answers: [], closed: false };
    for (const message of messages) {
      const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
      if (typeof method === "string" && (typeof id === "string" || typeof id === "number")) {
        batch.waitingFor.add(id);
      }
    }
    this.#batches.add(batch);
    return {
      answer: (value) => {
        const { id } = value as { id: Id | null };
        if (id !== null) batch.waitingFor.delete(id);
        batch.answers.push(value);
      },
      close: () => {
        batch.closed = true;
        return this.#finish(batch);
      },
    };
  }

  /** Keeps an answer that belongs to a batch. False when it does not. */
  take(id: Id | undefined, answer: unknown): boolean {
    if (id === undefined) return false;
    for (const batch of this.#batches) {
      if (!batch.waitingFor.has(id)) continue;
      batch.answers.push(answer);
      return true;
    }
    return false;
  }

  /** A request is answered or cancelled; returns a batch's answers when it was the last one. */
  settle(id: Id): unknown[] | undefined {
    for (const batch of this.#batches) {
      if (batch.waitingFor.delete(id)) return this.#finish(batch);
    }
    return undefined;
  }

  #finish(batch: Batch): unknown[] | undefined {
    if (!batch.closed || batch.waitingFor.size > 0) return undefined;
    this.#batches.delete(batch);
    return batch.answers.length > 0 ? batch.answers : undefined;
  }
}
