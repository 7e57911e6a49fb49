/** JSON-RPC batches: the answers to one batch are sent together, when all of them are ready. */

export type Id = string | number;

/** Batches existed from 2024-11-05 until 2025-06-18; they are accepted until a revision is agreed on. */
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
  /** One of its requests was accepted, and will be answered or cancelled. */
  expect(id: Id): void;
  /** One of its messages was refused. */
  answer(refusal: unknown): void;
  /** The whole batch is read; returns the answers if they are already complete. */
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

  /** Keeps an answer that belongs to a batch; false when it does not belong to one. */
  take(id: Id | undefined, answer: unknown): boolean {
    if (id === undefined) return false;
    for (const batch of this.#batches) {
      if (!batch.waitingFor.has(id)) continue;
      batch.answers.push(answer);
      return true;
    }
    return false;
  }

  /** A request is answered or cancelled; returns the batch's answers if it was the last one. */
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
