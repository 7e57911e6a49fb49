/**
 * Keeps track of the lines that edits inserted while further edits above and below move them; and of where
 * each line of the original is now.
 */

export interface LineEdit {
  /** The first replaced line, from 1. */
  readonly line: number;
  /** How many line breaks are removed and added. */
  readonly oldBreaks: number;
  readonly newBreaks: number;
  /** Whether the new text ends with a line break, so that the line after it is not part of it. */
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

  /** `isKept` says whether the lines of this edit will be needed later. */
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

  /** Where a line of the original is now. */
  now(original: number): number {
    return this.#shifts.reduce((at, { line, by }) => at > line ? Math.max(line, at + by) : at, original);
  }
}
