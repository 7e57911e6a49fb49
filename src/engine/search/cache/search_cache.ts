/**
 * What is in files that were searched before, so that the next search need not open those that cannot match. It
 * is kept by each search worker for the files that come its way: nothing is shared, so nothing can be torn, and
 * the memory goes with the worker. Files are learned while no search runs, from the second one on.
 *
 * It must never hide a match. A filter counts only as long as inode, size and both time stamps are those of the
 * open file that it was made of. The time of the last change of a file (ctime) is set by the system at every
 * change and comes in whole seconds, so a file that was changed a moment ago is not learned yet.
 */
import { type FileState, isSameState, stateOf, UnprovenFile } from "../../../confine/confined_fs.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";
import { looksBinary } from "../../../text/utf8.ts";
import { filterOf, mayHold, type SoughtTrigrams, trigramsOf } from "./trigrams.ts";

/** Two seconds of distrust, and one that the time stamp may be behind. */
const SETTLED_MS = 3_000;
const MAX_FILE_BYTES = 1024 * 1024;
/** What an entry takes beside its filter. */
const ENTRY_BYTES = 400;
const MAX_SEEN = 100_000;
/** What no search has asked about for so many searches may go when there is no room. */
const FORGOTTEN_AFTER = 20;

interface Entry {
  readonly state: FileState;
  /** Undefined for a binary file, in which nothing is ever found. */
  readonly filter: Uint8Array | undefined;
  /** The number of the last search that asked. */
  used: number;
}

/** One search's questions. */
export interface CacheQuery {
  /** What is known of a file that need not be opened; undefined when it has to be. */
  ask(path: ConfinedPath): { isText: boolean } | undefined;
}

export class SearchCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  /** Files that were opened once. */
  readonly #seen = new Set<string>();
  /** Files that were opened again, to be learned when there is time. */
  #due: ConfinedPath[] = [];
  #bytes = 0;
  #searches = 0;
  #sweptAt = 0;
  readonly #buffer = new Uint8Array(MAX_FILE_BYTES + 1);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether there is something to learn. */
  get isDue(): boolean {
    return this.#due.length > 0;
  }

  /** Undefined when a file that matches need not hold anything in particular. */
  query({ pattern, caseInsensitive }: { pattern: string; caseInsensitive: boolean }): CacheQuery | undefined {
    this.#searches++;
    const sought = trigramsOf(pattern, caseInsensitive);
    return sought === undefined ? undefined : { ask: (path) => this.#ask(path, sought) };
  }

  /** A file was opened and looked through. */
  note(path: ConfinedPath): void {
    const { absolute } = path;
    if (this.#entries.has(absolute) || this.#seen.size >= MAX_SEEN) return;
    if (this.#seen.delete(absolute)) this.#due.push(path);
    else this.#seen.add(absolute);
  }

  /** Learns the next file that is due. */
  async learn(): Promise<void> {
    const path = this.#due.pop();
    if (path === undefined || !this.#hasRoom()) {
      this.#due = [];
      return;
    }
    try {
      using file = await UnprovenFile.open(path);
      this.#learn(path, file);
    } catch {
      // It could not be read; a search that needs it will say so.
    }
  }

  #learn({ absolute }: ConfinedPath, file: UnprovenFile): void {
    const { state } = file;
    if (state.size > MAX_FILE_BYTES || Date.now() - state.ctimeMs < SETTLED_MS) return;
    let length = 0;
    for (let read = -1; read !== 0 && length <= state.size; length += read) {
      read = file.readAt(this.#buffer.subarray(length), length);
    }
    if (length !== state.size) return;
    const bytes = this.#buffer.subarray(0, length);
    const filter = looksBinary(bytes) ? undefined : filterOf(bytes);
    this.#forget(absolute);
    this.#entries.set(absolute, { state, filter, used: this.#searches });
    this.#bytes += sizeOf(absolute, filter);
  }

  #ask(path: ConfinedPath, sought: SoughtTrigrams): { isText: boolean } | undefined {
    const entry = this.#entries.get(path.absolute);
    if (entry === undefined) return undefined;
    entry.used = this.#searches;
    const { filter } = entry;
    if (filter !== undefined && mayHold(filter, sought)) return undefined;
    if (isSameState(entry.state, stateOf(path))) return { isText: filter !== undefined };
    this.#forget(path.absolute);
    this.#seen.add(path.absolute);
    return undefined;
  }

  #forget(absolute: string): void {
    const entry = this.#entries.get(absolute);
    if (entry === undefined) return;
    this.#entries.delete(absolute);
    this.#bytes -= sizeOf(absolute, entry.filter);
  }

  /** What is there stays while it is used: making room for what was asked for last would keep nothing for long. */
  #hasRoom(): boolean {
    if (this.#bytes < this.#maxBytes) return true;
    const before = this.#searches - FORGOTTEN_AFTER;
    if (this.#sweptAt > before) return false;
    this.#sweptAt = this.#searches;
    for (const [absolute, { used }] of this.#entries) if (used < before) this.#forget(absolute);
    return this.#bytes < this.#maxBytes;
  }
}

function sizeOf(absolute: string, filter: Uint8Array | undefined): number {
  return ENTRY_BYTES + 2 * absolute.length + (filter?.length ?? 0);
}
