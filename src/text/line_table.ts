/**
 * The lines of a large text, as defined in lf_lines.ts, stored as offsets: four bytes per line, where an
 * object for each would take many times that.
 */

export class LineTable {
  readonly text: string;
  /** The number of lines. */
  readonly length: number;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    let lines = 0;
    this.#eachEnd(() => lines++);
    this.#starts = new Uint32Array(lines + 1);
    let at = 0;
    this.#eachEnd((end) => this.#starts[++at] = end);
    this.length = lines;
  }

  /** The offset of a line; for the line after the last, the end of the text. */
  start(index: number): number {
    return this.#starts[index] ?? this.text.length;
  }

  ending(index: number): "\n" | "\r\n" | "" {
    const end = this.start(index + 1);
    if (this.#char(end - 1) !== LF) return "";
    return this.#char(end - 2) === CR ? "\r\n" : "\n";
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
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) visit(at + 1);
    if (text !== "" && !text.endsWith("\n")) visit(text.length);
  }
}

const LF = 10;
const CR = 13;
