/**
 * JSON that clients send, parsed only if it is no deeper and has no more parts than a request needs. Parsing
 * cannot be interrupted, and nested brackets or keys by the million would block everyone for seconds. So one
 * pass over the text counts first, and yields to others meanwhile.
 */
import { JsonMeter, type JsonSize, MOST_LEVELS, MOST_PARTS, STEPS } from "../base/json_size.ts";

export type Parsed = { value: unknown } | { code: -32700 | -32600; message: string };

/** `what` names the text in a refusal. Short text is parsed at once. */
export function parseJson(text: string, what: "line" | "body"): Parsed | Promise<Parsed> {
  if (text.length > STEPS) return measureJson(text).then((measured) => parsed(text, what, measured));
  const meter = new JsonMeter(text);
  meter.run();
  return parsed(text, what, meter);
}

function parsed(text: string, what: "line" | "body", { levels, parts }: JsonSize): Parsed {
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

const TURN_MS = 50;

/**
 * How deep the text is nested, and how many parts it has at most; also gives some number for text that is not
 * JSON.
 */
export async function measureJson(text: string, turnMs = TURN_MS): Promise<JsonSize> {
  const meter = new JsonMeter(text);
  for (let turn = performance.now(); !meter.run();) {
    if (performance.now() - turn < turnMs) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    turn = performance.now();
  }
  return meter;
}
