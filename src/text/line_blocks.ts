/**
 * A text as blocks of whole lines, each line with its ending, so that a long unchanged stretch is never split
 * into lines.
 */

import { countLines, type Ending } from "./lines.ts";

export interface Block {
  readonly text: string;
  readonly lines: number;
  /** Unchanged lines of the original. */
  readonly isOld: boolean;
}

const BREAK = /\r\n?|\n/g;

export function withEnding(text: string, ending: Ending): string {
  return text.replace(BREAK, ending);
}

/** At least one line; a newline at the end of the content does not start another. */
export function newBlock(content: string, ending: Ending): Block {
  return ofNewLines(leadOf(content, ending) + ending);
}

/**
 * The same, but its last line has another ending. An empty one that would merge with a lone CR before it is a
 * block of its own: another line may yet come between them.
 */
export function replacement(content: string, ending: Ending, lastEnding: string): Block[] {
  const lead = leadOf(content, ending);
  const wouldMerge = lead.endsWith("\r") && lastEnding.startsWith("\n");
  return (wouldMerge ? [lead, lastEnding] : [lead + lastEnding]).map(ofNewLines);
}

/** The content without the ending of its last line. */
function leadOf(content: string, ending: Ending): string {
  const body = withEnding(content, ending);
  return body.endsWith(ending) ? body.slice(0, -ending.length) : body;
}

function ofNewLines(text: string): Block {
  return { text, lines: countLines(text), isOld: false };
}

/**
 * Concatenates texts. A lone CR before an LF would merge with it into one ending, so it is turned into a
 * CRLF.
 */
export function glue(parts: readonly string[]): string {
  const glued: string[] = [];
  let afterCr = false;
  for (const part of parts) {
    if (part === "") continue;
    if (afterCr && part.startsWith("\n")) glued.push("\n");
    glued.push(part);
    afterCr = part.endsWith("\r");
  }
  return glued.join("");
}

/** The first lines of a block, and the rest if there is any. */
export function splitBlock(block: Block, lines: number): [head: Block, tail?: Block] {
  if (block.lines <= lines) return [block];
  const cursor = new LineCursor(block.text);
  const head = cursor.take(lines);
  return [
    { text: head, lines, isOld: block.isOld },
    { text: block.text.slice(head.length), lines: block.lines - lines, isOld: block.isOld },
  ];
}

/** Walks through a text, line by line. */
export class LineCursor {
  readonly #text: string;
  #at = 0;
  #line = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next line, from 0. */
  get line(): number {
    return this.#line;
  }

  /** The text from here to the start of a line further down, or to the end. */
  take(line: number): string {
    const text = this.#text;
    const start = this.#at;
    while (this.#line < line && this.#at < text.length) {
      const char = text.charCodeAt(this.#at++);
      if (char === LF || (char === CR && text.charCodeAt(this.#at) !== LF)) this.#line++;
    }
    return text.slice(start, this.#at);
  }
}

const LF = 10;
const CR = 13;
