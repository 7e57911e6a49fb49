/**
 * The lines of a large text as offsets into it: four bytes a line, where `splitLines` makes an object each.
 * The model is that of lines.ts, or that of `diff` and git, to whom only LF ends a line.
 */

import type { Line } from "./lines.ts";

export interface LineTableOptions {
  /** Whether a CR with no LF after it ends a line; without, it is like any other character. */
  crEndsLine: boolean;
}

export class LineTable {
  readonly text: string;
  /** The number of lines. */
  readonly length: number;
  readonly #starts: Uint32Array;
  readonly #crEndsLine: boolean;

  constructor(text: string, { crEndsLine }: LineTableOptions) {
    this.text = text;
    this.#crEndsLine = crEndsLine;
    let lines = 0;
    this.#eachEnd(() => lines++);
    this.#starts = new Uint32Array(lines + 1);
    let at = 0;
    this.#eachEnd((end) => this.#starts[++at] = end);
    this.length = lines;
  }

  /** The offset of a line, or that of the end of the text for the line after the last. */
  start(index: number): number {
    return this.#starts[index] ?? this.text.length;
  }

  ending(index: number): Line["ending"] {
    const end = this.start(index + 1);
    if (this.#char(end - 1) === LF) {
      return this.#char(end - 2) === CR ? "\r\n" : "\n";
    }
    return this.#crEndsLine && this.#char(end - 1) === CR ? "\r" : "";
  }

  content(index: number): string {
    return this.text.slice(this.start(index), this.#contentEnd(index));
  }

  hasContent(index: number, content: string): boolean {
    const start = this.start(index);
    return this.#contentEnd(index) - start === content.length && this.text.startsWith(content, start);
  }

  #contentEnd(index: number): number {
    return this.start(index + 1) - this.ending(index).length;
  }

  #char(at: number): number {
    return this.text.charCodeAt(at);
  }

  #eachEnd(visit: (end: number) => void): void {
    const { text } = this;
    const size = text.length;
    for (let at = 0; at < size; at++) {
      const char = text.charCodeAt(at);
      if (char === LF) visit(at + 1);
      else if (char === CR && this.#crEndsLine && text.charCodeAt(at + 1) !== LF) visit(at + 1);
    }
    const last = text.charCodeAt(size - 1);
    if (size > 0 && last !== LF && !(last === CR && this.#crEndsLine)) visit(size);
  }
}

const LF = 10;
const CR = 13;
