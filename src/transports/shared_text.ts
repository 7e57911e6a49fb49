/**
 * A tool that reads text answers with it twice: for models, and in the structured content for programs. A long
 * text is turned into JSON and into bytes once, and copied.
 */
import { utf8Length } from "../base/utf8_length.ts";

/** Below this length, putting the pieces together takes longer than it saves. */
const LONG = 16 * 1024;

/** Stands for the text in the rest of the answer. Nobody outside knows it, and if it is found elsewhere, it is not used. */
const HOLE = crypto.randomUUID();

interface Answer {
  result?: {
    content?: readonly { text?: unknown }[];
    structuredContent?: { content?: unknown };
  };
}

const encoder = new TextEncoder();

/** The JSON of an answer, followed by `end`, as bytes; undefined if no long text is in it twice. */
export function withSharedText(answer: unknown, end = ""): Uint8Array<ArrayBuffer> | undefined {
  const { result } = (answer ?? {}) as Answer;
  const { content: [first, ...others] = [], structuredContent: value } = result ?? {};
  const text = first?.text;
  if (typeof text !== "string" || text.length < LONG || value?.content !== text) return undefined;
  const holed = {
    ...answer as Answer,
    result: {
      ...result,
      content: [{ ...first, text: HOLE }, ...others],
      structuredContent: { ...value, content: HOLE },
    },
  };
  const [before, between, after, ...more] = JSON.stringify(holed).split(`"${HOLE}"`);
  if (before === undefined || between === undefined || after === undefined || more.length > 0) {
    return undefined;
  }
  return filledIn([before, between, after + end], JSON.stringify(text));
}

/** The parts with the text between them, encoded once and straight to its place. */
function filledIn(parts: readonly [string, string, string], text: string): Uint8Array<ArrayBuffer> {
  const [before, between, after] = parts.map((part) => encoder.encode(part)) as [Bytes, Bytes, Bytes];
  const length = utf8Length(text);
  const bytes = new Uint8Array(before.length + between.length + after.length + 2 * length);
  bytes.set(before);
  encoder.encodeInto(text, bytes.subarray(before.length));
  const second = before.length + length + between.length;
  bytes.set(between, before.length + length);
  bytes.copyWithin(second, before.length, before.length + length);
  bytes.set(after, second + length);
  return bytes;
}

type Bytes = Uint8Array<ArrayBuffer>;
