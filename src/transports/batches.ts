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

/** A batch that is being read. */
export interface OpenBatch {
  /** One of its requests was taken in, and will be answered or cancelled. */
  expect(id: Id): void;
  /** One of its messages was refused. */
  answer(refusal: unknown): void;
  /** All of it is read; returns the answers if they are complete already. */
  close(): unknown[] | undefined;
}

export class BatchBook {
  readonly #batches = new Set<Batch>();

  open(): OpenBatch {
    const batch: Batch = { waitingFor: new Set(), answers: [], closed: false };
    this.#batches.add(batch);
    return {
      expect: (id) => void batch.waitingFor.add(id),
      answer: (value) => void batch.answers.push(value),
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
