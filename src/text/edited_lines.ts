/**
 * Which lines of the text are those that edits put in, while further edits above and below move them; and which
 * line of the text as it is now a line of the original has become.
 */

export interface LineEdit {
  /** The first line that is replaced, from 1. */
  readonly line: number;
  /** How many line breaks go, and how many come. */
  readonly oldBreaks: number;
  readonly newBreaks: number;
  /** Whether what comes ends with a line break, so that the line behind it is not one of its own. */
  readonly isEnded: boolean;
}

export interface NumberedRange {
  readonly editIndex: number;
  /** From 1, both included. */
  readonly start: number;
  readonly end: number;
}

export class EditedLines {
  readonly #ranges: { editIndex: number; start: number; end: number }[] = [];
  readonly #shifts: { line: number; by: number }[] = [];

  get ranges(): NumberedRange[] {
    return this.#ranges.toSorted((a, b) => a.editIndex - b.editIndex || a.start - b.start);
  }

  /** `isKept` says whether the lines of this one are asked for later. */
  record(editIndex: number, edit: LineEdit, isKept = true): void {
    const { line, oldBreaks, newBreaks, isEnded } = edit;
    const by = newBreaks - oldBreaks;
    const last = line + oldBreaks;
    if (by !== 0) {
      this.#shifts.push({ line, by });
      for (const range of this.#ranges) {
        if (range.start > last) range.start += by;
        else if (range.start > line) range.start = Math.min(range.start, line + newBreaks);
        if (range.end >= last) range.end += by;
        range.end = Math.max(range.end, range.start);
      }
    }
    if (!isKept) return;
    const end = line + newBreaks - (isEnded && newBreaks > 0 ? 1 : 0);
    this.#ranges.push({ editIndex, start: line, end });
  }

  /** What has become of a line of the original. */
  now(original: number): number {
    return this.#shifts.reduce((at, { line, by }) => at > line ? Math.max(line, at + by) : at, original);
  }
}
