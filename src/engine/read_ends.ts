/** The first or last lines of a file, without reading the rest: a log of gigabytes costs only what is asked for. */
import type { PaddockError } from "../base/errors.ts";
import type { ConfinedFile } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { openWithRoom, type ReadOptions } from "./read.ts";
import { Pace } from "./yield.ts";

export interface EndOptions extends ReadOptions {
  tooLarge(): PaddockError;
}

const CHUNK = 64 * 1024;
const LF = 0x0a;

/** This many lines from the start, with their line breaks. */
export async function readFirstLines(
  path: ConfinedPath,
  count: number,
  options: EndOptions,
): Promise<Uint8Array> {
  using file = await openFor(path, count, options);
  const pace = new Pace(options.signal);
  const chunks: Uint8Array[] = [];
  let left = count;
  for (let position = 0; left > 0;) {
    const chunk = new Uint8Array(CHUNK);
    const read = file.readAt(chunk, position);
    if (read === 0) break;
    let end = 0;
    while (left > 0 && end < read) {
      const at = chunk.subarray(0, read).indexOf(LF, end);
      end = at < 0 ? read : at + 1;
      if (at >= 0) left--;
    }
    chunks.push(chunk.subarray(0, end));
    position += end;
    if (position > options.maxBytes) throw options.tooLarge();
    await pace.step();
  }
  return joined(chunks);
}

/** The last `count` lines; a line break at the very end of the file starts one more line, which is empty. */
export async function readLastLines(
  path: ConfinedPath,
  count: number,
  options: EndOptions,
): Promise<Uint8Array> {
  using file = await openFor(path, count, options);
  const pace = new Pace(options.signal);
  const chunks: Uint8Array[] = [];
  let left = count;
  let length = 0;
  for (let position = file.size; left > 0 && position > 0;) {
    const from = Math.max(0, position - CHUNK);
    const chunk = new Uint8Array(position - from);
    const read = file.readAt(chunk, from);
    let start = read;
    while (left > 0 && start > 0) {
      const at = chunk.lastIndexOf(LF, start - 1);
      if (at >= 0) left--;
      start = left === 0 ? at + 1 : Math.max(at, 0);
    }
    chunks.unshift(chunk.subarray(start, read));
    length += read - start;
    position = from;
    if (length > options.maxBytes) throw options.tooLarge();
    await pace.step();
  }
  return joined(chunks);
}

/** The assumed length of a line until it is read. */
const USUAL_LINE = 4_096;

async function openFor(
  path: ConfinedPath,
  count: number,
  { room, maxBytes }: EndOptions,
): Promise<ConfinedFile> {
  return await openWithRoom(path, room, (size) => Math.min(size, maxBytes, count * USUAL_LINE));
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
