/**
 * How complex a JSON text is, before it is parsed: parsing cannot be interrupted, and nested brackets or keys by the
 * million would block everyone for seconds and take gigabytes.
 */

export const MOST_LEVELS = 128;
/** Keys and elements of all objects and lists together. */
export const MOST_PARTS = 50_000;

/** How deep a text is nested, and how many parts it has at most. */
export interface JsonSize {
  readonly levels: number;
  readonly parts: number;
}

/** Undefined if the text is nested too deeply or has more than so many parts. */
export function jsonPartsOf(text: string, most: number): number | undefined {
  const meter = new JsonMeter(text);
  for (let isDone = false; !isDone;) {
    isDone = meter.run();
    if (meter.levels > MOST_LEVELS || meter.parts > most) return undefined;
  }
  return meter.parts;
}

/** How many steps the meter makes at a time. */
export const STEPS = 0x10000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The pass over the text, in pieces; it also gives some numbers for text that is not JSON. */
export class JsonMeter implements JsonSize {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #inString = false;
  levels = 0;
  parts = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Makes up to STEPS steps; true at the end of the text. */
  run(): boolean {
    const text = this.#text;
    let [at, depth, inString, levels, parts] = [
      this.#at,
      this.#depth,
      this.#inString,
      this.levels,
      this.parts,
    ];
    for (let step = 0; step < STEPS && at < text.length; step++, at++) {
      if (inString) {
        at = text.indexOf('"', at);
        if (at < 0) at = text.length;
        else inString = isEscaped(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        inString = true;
      } else if (code === COMMA) {
        parts++;
      } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        parts++; // the first, if there is one; the others come with commas
        depth++;
        if (depth > levels) levels = depth;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        depth--;
      }
    }
    [this.#at, this.#depth, this.#inString, this.levels, this.parts] = [at, depth, inString, levels, parts];
    return at >= text.length;
  }
}

/** Whether an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}
