/**
 * How many lines a text file has, remembered by inode, size and time of change, so that a second listing of a
 * folder only looks at its entries. What was changed just before it was counted is not remembered: a file of the
 * same size can be written again within the same tick of the clock.
 */
import { ConfinedFile } from "../confine/confined_fs.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { countLines } from "../text/lines.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import { readAll } from "./read.ts";

const REMEMBERED = 10_000;
const SETTLED_MS = 2_000;

interface Count {
  ino: number | null;
  size: number;
  mtimeMs: number;
  lines: number;
}

export interface CountedFile {
  path: ConfinedPath;
  ino: number | null;
  size: number;
  mtimeMs: number;
}

export class LineCounts {
  readonly #counts = new Map<string, Count>();

  /** -1 when the file is too large, not text, or cannot be read. */
  async of(
    file: CountedFile,
    { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
  ): Promise<number> {
    const { path, ino, size, mtimeMs } = file;
    const known = this.#counts.get(path.absolute);
    if (known !== undefined && known.ino === ino && known.size === size && known.mtimeMs === mtimeMs) {
      return known.lines;
    }
    if (size > maxBytes) return -1;
    const lines = await count(path, signal);
    this.#counts.delete(path.absolute);
    if (Date.now() - mtimeMs > SETTLED_MS) {
      const oldest = this.#counts.size < REMEMBERED ? undefined : this.#counts.keys().next().value;
      if (oldest !== undefined) this.#counts.delete(oldest);
      this.#counts.set(path.absolute, { ino, size, mtimeMs, lines });
    }
    return lines;
  }
}

async function count(path: ConfinedPath, signal: AbortSignal): Promise<number> {
  let bytes: Uint8Array;
  try {
    using file = await ConfinedFile.open(path);
    bytes = await readAll(file, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return -1;
  }
  const text = decodeUtf8(bytes);
  return text === undefined ? -1 : countLines(text);
}
