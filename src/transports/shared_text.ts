/**
 * A tool that reads text answers with it twice: for models, and in the structured content for programs. A long
 * text is turned into JSON and into bytes once, and copied.
 */

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
  const encoded = encoder.encode(JSON.stringify(text));
  return joined([
    encoder.encode(before),
    encoded,
    encoder.encode(between),
    encoded,
    encoder.encode(after + end),
  ]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
