/** What a search has found so far, within its limits: so many matches, and so much text in memory. */

export interface GrepMatch {
  /** Relative to the root. */
  file: string;
  /** From 1. */
  line_number: number;
  line_content: string;
  context_before: string[];
  context_after: string[];
  /** Whether a line of this match is longer than what is shown of it. */
  cut?: true;
  /** For such a line: where the match begins and where `line_content` does, in bytes of the line, from 1. */
  column?: number;
  shown_from?: number;
}

/** A line as it is shown. */
export interface ShownLine {
  text: string;
  cut: boolean;
}

/** A line that matches, or the part of it around the match. */
export interface ShownMatch extends ShownLine {
  /** Both in bytes of the line, from 1. */
  column?: number | undefined;
  shownFrom?: number | undefined;
}

const MAX_CHARACTERS = 8 * 1024 * 1024;
/** The memory a match and a line of context take in addition to their text. */
const PER_MATCH = 100;
const PER_LINE = 10;

export class Findings {
  readonly matches: GrepMatch[] = [];
  readonly #maxResults: number;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxResults: number, maxCharacters = MAX_CHARACTERS) {
    this.#maxResults = maxResults;
    this.#maxCharacters = maxCharacters;
  }

  /** Whether there is no room for another match. */
  get isFull(): boolean {
    return this.matches.length >= this.#maxResults || this.isOverflowing;
  }

  /** Whether there is no room for another line of context either. */
  get isOverflowing(): boolean {
    return this.#characters >= this.#maxCharacters;
  }

  add(
    found: { file: string; lineNumber: number; line: ShownMatch; before: readonly ShownLine[] },
  ): GrepMatch {
    const { file, lineNumber, line, before } = found;
    const match: GrepMatch = {
      file,
      line_number: lineNumber,
      line_content: line.text,
      context_before: [],
      context_after: [],
      ...(line.cut ? { cut: true } : {}),
      ...(line.column === undefined ? {} : { column: line.column }),
      ...(line.shownFrom === undefined ? {} : { shown_from: line.shownFrom }),
    };
    this.#characters += PER_MATCH + file.length + line.text.length;
    for (const shown of before) this.#extend(match, match.context_before, shown);
    this.matches.push(match);
    return match;
  }

  addAfter(match: GrepMatch, line: ShownLine): void {
    this.#extend(match, match.context_after, line);
  }

  /** Adds a match that was found elsewhere. */
  take(match: GrepMatch): void {
    this.#characters += sizeOf(match);
    this.matches.push(match);
  }

  /** Drops all but the first `count`. */
  keep(count: number): void {
    for (const match of this.matches.splice(count)) this.#characters -= sizeOf(match);
  }

  #extend(match: GrepMatch, context: string[], { text, cut }: ShownLine): void {
    context.push(text);
    if (cut) match.cut = true;
    this.#characters += PER_LINE + text.length;
  }
}

/** How many characters a match counts for. */
export function sizeOf({ file, line_content, context_before, context_after }: GrepMatch): number {
  const context = [...context_before, ...context_after];
  return context.reduce(
    (sum, text) => sum + PER_LINE + text.length,
    PER_MATCH + file.length + line_content.length,
  );
}
