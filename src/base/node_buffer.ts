/**
 * Node's functions on bytes and text, which take a fraction of the time of the language's own. The module takes
 * longer to load than a small text to decode, so it is loaded when there is a long one, for the next time.
 */

export type NodeBuffer = typeof import("node:buffer");

/** From this length on it is worth loading. */
const LONG = 64 * 1024;

let loading: Promise<void> | undefined;
let loaded: NodeBuffer | undefined;

/** Undefined until it is loaded; `length` is that of the bytes or the text. */
export function nodeBuffer(length: number): NodeBuffer | undefined {
  if (loaded === undefined && length >= LONG) loading ??= load();
  return loaded;
}

async function load(): Promise<void> {
  loaded = await import("node:buffer");
}
