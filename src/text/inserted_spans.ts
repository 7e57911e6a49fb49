/**
 * Which parts of a staged text were inserted by which edit. Two edits conflict when the later one covers part
 * of what the earlier inserted, together with text beside it: the later was then written for some other text.
 * An edit inside, or around all of, an earlier insertion builds on it.
 */

import type { Span } from "./staged_text.ts";

export interface InsertedSpan extends Span {
  readonly edit: number;
}

export class InsertedSpans {
  /** None is empty; each is inside, around or apart from every other. */
  readonly #spans: { edit: number; start: number; end: number }[] = [];

  /** The first edit that a replacement of this span would conflict with. */
  conflict({ start, end }: Span): InsertedSpan | undefined {
    for (const span of this.#spans) {
      if (end <= span.start || start >= span.end) continue;
      const isAround = start <= span.start && end >= span.end;
      const isInside = start >= span.start && end <= span.end;
      if (!isAround && !isInside) return span;
    }
    return undefined;
  }

  /** Forgets all of them: earlier insertions then count as ordinary text. */
  clear(): void {
    this.#spans.length = 0;
  }

  /** Records that an edit, which conflicts with none, replaced the span with text of this length. */
  record(edit: number, { span: { start, end }, length }: { span: Span; length: number }): void {
    const shift = length - (end - start);
    let kept = 0;
    for (const span of this.#spans) {
      const isGone = start <= span.start && end >= span.end;
      if (isGone) continue;
      if (span.start >= end) span.start += shift;
      if (span.end > start) span.end += shift;
      this.#spans[kept++] = span;
    }
    this.#spans.length = kept;
    if (length > 0) this.#spans.push({ edit, start, end: start + length });
  }
}
