/**
 * JSON that clients send, parsed only if it is no deeper and has no more parts than a request needs. Parsing
 * cannot be interrupted, and nested brackets or keys by the million would block everyone for seconds. So one
 * pass over the text counts first, and yields to others meanwhile.
 */

export const MOST_LEVELS = 128;
/** Keys and elements of all objects and lists together. */
export const MOST_PARTS = 50_000;

export type Parsed = { value: unknown } | { code: -32700 | -32600; message: string };

/** `what` names the text in a refusal. Short text is parsed at once. */
export function parseJson(text: string, what: "line" | "body"): Parsed | Promise<Parsed> {
  if (text.length > STEPS) return measureJson(text).then((measured) => parsed(text, what, measured));
  const meter = new Meter(text);
  meter.run();
  return parsed(text, what, meter);
}

function parsed(text: string, what: "line" | "body", { levels, parts }: Measured): Parsed {
  const tooMuch = levels > MOST_LEVELS
    ? `${levels} levels of nesting, ${MOST_LEVELS} are allowed`
    : parts > MOST_PARTS
    ? `${parts} keys and elements, ${MOST_PARTS} are allowed; send less at once`
    : undefined;
  if (tooMuch !== undefined) {
    return { code: -32600, message: `Request too complex: the JSON of the ${what} has ${tooMuch}` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { code: -32700, message: `Parse error: the ${what} is not valid JSON` };
  }
}

interface Measured {
  readonly levels: number;
  readonly parts: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const TURN_MS = 50;
/** How many steps to make between two checks of the clock. */
const STEPS = 0x10000;

/**
 * How deep the text is nested, and how many parts it has at most; also gives some number for text that is not
 * JSON.
 */
export async function measureJson(text: string, turnMs = TURN_MS): Promise<Measured> {
  const meter = new Meter(text);
  for (let turn = performance.now(); !meter.run();) {
    if (performance.now() - turn < turnMs) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    turn = performance.now();
  }
  return meter;
}

/** The pass over the text, in pieces. */
class Meter {
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
