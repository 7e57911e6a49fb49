/**
 * How many lines a text file has, cached by inode, size and modification time, so that a second listing of a folder
 * reads only its entries. A file changed just before it was counted is not cached: one of the same size can be
 * written again within the same tick of the clock. Neither is a file that could not be read: permission to read it
 * may come without any of the three changing.
 */
import { ConfinedFile, type ProvenFolder } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { countLines, stripBom } from "../text/lines.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import type { Facts } from "./metadata.ts";
import { readAll } from "./read.ts";
import { retryTransient } from "./transient.ts";

const REMEMBERED = 10_000;
const SETTLED_MS = 2_000;

/** Tells one state of a file from another. */
type FileState = Pick<Facts, "ino" | "size" | "mtimeMs">;

export interface Counting {
  path: ConfinedPath;
  facts: FileState;
  maxBytes: number;
  signal: AbortSignal;
}

interface Counted extends Pick<Counting, "facts" | "maxBytes"> {
  begun: number;
  bytes: Uint8Array;
}

export class LineCounts {
  readonly #counts = new Map<string, FileState & { lines: number }>();
  readonly #most: number;

  /** Remembers the counts of this many files. */
  constructor(most = REMEMBERED) {
    this.#most = most;
  }

  /** The number of lines if it was counted before and the file has not changed since. */
  known(key: string, { ino, size, mtimeMs }: FileState): number | undefined {
    const count = this.#counts.get(key);
    return count?.ino === ino && count.size === size && count.mtimeMs === mtimeMs ? count.lines : undefined;
  }

  /** As `count`, for a file named `key` in a folder; undefined if it cannot be counted at once. */
  countNow(
    key: string,
    { folder, facts, maxBytes }: Pick<Counting, "facts" | "maxBytes"> & { folder: ProvenFolder },
  ): number | undefined {
    const begun = Date.now();
    const bytes = facts.size > maxBytes ? undefined : folder.read(key);
    return bytes && this.#keep(key, { begun, bytes, facts, maxBytes });
  }

  /** -1 if the file is too large, not text, or cannot be read. */
  async count(key: string, { path, facts, maxBytes, signal }: Counting): Promise<number> {
    this.#counts.delete(key);
    if (facts.size > maxBytes) return -1;
    const begun = Date.now();
    const bytes = await readIfPossible(path, signal);
    return bytes === undefined ? -1 : this.#keep(key, { begun, bytes, facts, maxBytes });
  }

  #keep(key: string, { begun, bytes, facts, maxBytes }: Counted): number {
    const text = bytes.length > maxBytes ? undefined : decodeUtf8(bytes);
    const lines = text === undefined ? -1 : countLines(stripBom(text).body);
    if (begun - facts.mtimeMs > SETTLED_MS) {
      const oldest = this.#counts.size < this.#most ? undefined : this.#counts.keys().next().value;
      if (oldest !== undefined) this.#counts.delete(oldest);
      const { ino, size, mtimeMs } = facts;
      this.#counts.set(key, { ino, size, mtimeMs, lines });
    }
    return lines;
  }
}

async function readIfPossible(path: ConfinedPath, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return await retryTransient(async () => {
      using file = await ConfinedFile.open(path);
      return await readAll(file, signal);
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
