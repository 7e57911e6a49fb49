/**
 * A text to which many edits are made one after another, each of which must first be searched for in all of
 * it. It is kept in chunks: an edit copies one chunk, and a search skips the chunks that cannot contain the
 * string. Offsets are those of the folded text, in which every line break is one character.
 */

import { findLinear } from "./find_linear.ts";
import { countBreaks, fold, type Folded, unfold } from "./folded.ts";
import { runAll } from "./steps.ts";
import { GramProbe, type Signature, signatureOf } from "./gram_filter.ts";

/** For many edits, and for one: each chunk takes some time, and so does each character in it. */
const SHORTEST_CHUNK = 4096;
const LONGEST_CHUNK = 64 * 1024;
/** A longer string is searched for by its beginning. */
const MAX_PROBE = 256;
/**
 * How many places with that beginning are tried before switching to a search that is slower on average, but
 * never slow.
 */
const MAX_TRIES = 64;
/** A chunk that is searched more often gets a signature. */
const SEARCHES_WITHOUT_SIGNATURE = 4;

/** How many characters to process between two pauses. */
const STEP = 512 * 1024;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export class StagedText {
  readonly #chunks: Chunk[] = [];
  readonly #chunkLength: number;
  readonly #chunksAStep: number;

  /** `edits` is how many there will be. */
  constructor(text: string, { edits = Infinity } = {}) {
    this.#chunkLength = Math.max(SHORTEST_CHUNK, Math.floor(LONGEST_CHUNK / Math.max(1, edits)));
    this.#chunksAStep = STEP / this.#chunkLength;
    runAll(this.#fill(text));
  }

  /** The same in steps. */
  static *inSteps(text: string, options: { edits: number }): Generator<void, StagedText> {
    const staged = new StagedText("", options);
    staged.#chunks.pop();
    yield* staged.#fill(text);
    return staged;
  }

  *#fill(text: string): Generator<void, void> {
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = start + this.#chunkLength;
      if (text[end] === "\n" && text[end - 1] === "\r") end++;
      const chunk = text.slice(start, end);
      const folded = chunk.includes("\r") ? fold(chunk) : { text: chunk };
      if (this.#chunks.push(new Chunk(folded)) % this.#chunksAStep < 1) yield;
    }
    if (text === "") this.#chunks.push(new Chunk({ text: "", breaks: "" }));
  }

  get length(): number {
    return this.#chunks.reduce((sum, { text }) => sum + text.length, 0);
  }

  toString(): string {
    return this.#chunks.map((chunk) => chunk.toString()).join("");
  }

  toFolded(): string {
    return this.#chunks.map(({ text }) => text).join("");
  }

  slice({ start, end }: Span): string {
    return this.#read(this.#locate(start), end - start);
  }

  /** How many line breaks come before an offset. */
  countBreaks(end: number): number {
    const { chunk, offset, breaksBefore } = this.#locate(end);
    return breaksBefore + countBreaks(chunk.text.slice(0, offset));
  }

  /** The letters (see Folded) of the line breaks with these numbers. */
  breaks({ start, end }: Span): string {
    let letters = "";
    let first = 0;
    for (const { breaks } of this.#chunks) {
      if (first >= end) break;
      letters += breaks.slice(Math.max(0, start - first), end - first);
      first += breaks.length;
    }
    return letters;
  }

  replace({ start, end }: Span, { text, breaks }: Folded): void {
    const first = this.#locate(start);
    const last = this.#locate(end);
    const head = cutFolded(first.chunk, first.offset)[0];
    const tail = cutFolded(last.chunk, last.offset)[1];
    let rest: Folded = { text: head.text + text + tail.text, breaks: head.breaks + breaks + tail.breaks };
    const chunks: Chunk[] = [];
    while (rest.text.length > 2 * this.#chunkLength) {
      const [next, after] = cutFolded(rest, this.#chunkLength);
      chunks.push(new Chunk(next));
      rest = after;
    }
    this.#chunks.splice(first.index, last.index - first.index + 1, ...chunks, new Chunk(rest));
  }

  /**
   * The offset of every occurrence of a non-empty string, in ascending order. Occurrences may overlap. Yields
   * undefined now and then: a pause in a long search.
   */
  *find(needle: string): Generator<number | undefined> {
    if (needle.length <= MAX_PROBE) return yield* this.#scan(needle);
    const found: number[] = [];
    let tries = 0;
    for (const at of this.#scan(needle.slice(0, MAX_PROBE))) {
      if (at === undefined) {
        yield;
        continue;
      }
      if (++tries > MAX_TRIES) return yield* findLinear(this.toFolded(), needle, { pauses: true });
      if (this.slice({ start: at, end: at + needle.length }) === needle) found.push(at);
    }
    yield* found;
  }

  *#scan(needle: string): Generator<number | undefined> {
    const probe = new GramProbe(needle);
    let start = 0;
    for (let index = 0; index < this.#chunks.length; index++) {
      const [chunk, next] = [this.#chunks[index], this.#chunks[index + 1]];
      if (chunk === undefined) break;
      if ((index + 1) % this.#chunksAStep < 1) yield;
      const { text } = chunk;
      if (chunk.mayHave(probe)) {
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) yield start + at;
      }
      if (next !== undefined && needle.length > 1 && chunk.mayShare(probe, { next, length: needle.length })) {
        const tail = text.slice(1 - needle.length);
        const window = tail + this.#read({ index: index + 1, offset: 0 }, needle.length - 1);
        const from = start + text.length - tail.length;
        for (let at = window.indexOf(needle); at >= 0; at = window.indexOf(needle, at + 1)) yield from + at;
      }
      start += text.length;
    }
  }

  #read({ index, offset }: { index: number; offset: number }, length: number): string {
    let read = "";
    let skip = offset;
    for (let i = index; read.length < length; i++) {
      const chunk = this.#chunks[i];
      if (chunk === undefined) break;
      read += chunk.text.slice(skip, skip + length - read.length);
      skip = 0;
    }
    return read;
  }

  #locate(offset: number): Place {
    let start = 0;
    let breaksBefore = 0;
    for (const [index, chunk] of this.#chunks.entries()) {
      const { length } = chunk.text;
      if (offset < start + length || index === this.#chunks.length - 1) {
        return { chunk, index, offset: offset - start, breaksBefore };
      }
      start += length;
      breaksBefore += chunk.breaks.length;
    }
    throw new RangeError(`no chunk at ${offset}`);
  }
}

interface Place {
  readonly chunk: Chunk;
  readonly index: number;
  /** The offset within the chunk. */
  readonly offset: number;
  readonly breaksBefore: number;
}

class Chunk implements Folded {
  readonly text: string;
  #breaks: string | undefined;
  #signature: Signature | undefined;
  #searches = 0;

  /** Without `breaks`, every line break is an LF. */
  constructor({ text, breaks }: { readonly text: string; readonly breaks?: string }) {
    this.text = text;
    this.#breaks = breaks;
  }

  /** Counted when somebody asks, which is not for chunks after the last edit. */
  get breaks(): string {
    return this.#breaks ??= "n".repeat(countBreaks(this.text));
  }

  toString(): string {
    return this.#breaks === undefined ? this.text : unfold(this);
  }

  /** Counts as a search. */
  mayHave(probe: GramProbe): boolean {
    if (++this.#searches > SEARCHES_WITHOUT_SIGNATURE) this.#signature ??= signatureOf(this.text);
    return this.#signature === undefined || probe.mayBeIn(this.#signature);
  }

  /** Whether a string of that length may begin here and end in the next chunk or a later one. */
  mayShare(probe: GramProbe, { next, length }: { next: Chunk; length: number }): boolean {
    if (this.#signature === undefined || next.#signature === undefined) return true;
    return next.text.length < length || probe.mayBeAcross(this.#signature, next.#signature);
  }
}

function cutFolded({ text, breaks }: Folded, at: number): [before: Folded, after: Folded] {
  const before = text.slice(0, at);
  const count = countBreaks(before);
  return [{ text: before, breaks: breaks.slice(0, count) }, {
    text: text.slice(at),
    breaks: breaks.slice(count),
  }];
}
