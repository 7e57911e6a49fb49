/**
 * Remembers what files contain, so that the next search need not open those that cannot match. Each search worker
 * has its own, for the files it searches: nothing is shared, and the memory is freed with the worker. Files are
 * learned while no search runs, from their second search on.
 *
 * It must never hide a match. A filter is only trusted while inode, size and both time stamps are those of the open
 * file it was made from. The system sets a file's change time (ctime) at every change, in whole seconds, so a file
 * that changed a moment ago is not learned yet.
 */
import { type FileState, isSameState, UnprovenFile, UnprovenFolder } from "../../../confine/unproven.ts";
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";
import { looksBinary } from "../../../text/utf8.ts";
import { addTrigrams, mayHold, newFilter, type SoughtTrigrams, trigramsOf } from "./trigrams.ts";

/** Two seconds of distrust, and one because time stamps are cut to whole seconds. */
const SETTLED_MS = 3_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** The memory an entry takes in addition to its filter. */
const ENTRY_BYTES = 400;
const MAX_SEEN = 100_000;
/** An entry that this many searches have not asked about may be dropped when there is no room. */
const FORGOTTEN_AFTER = 20;

interface Entry {
  readonly state: FileState;
  /** Undefined for a binary file, which never matches. */
  readonly filter: Uint8Array | undefined;
  /** The number of the last search that asked. */
  used: number;
}

interface FolderEntries {
  readonly known: Map<string, Entry>;
  /** Files that were opened once. */
  readonly seen: Set<string>;
}

const TEXT = { isText: true };
const BINARY = { isText: false };

/** One search's questions. */
export interface CacheQuery {
  /** What is known about a file that need not be opened; undefined when it has to be. */
  ask(folder: UnprovenFolder, name: string): { isText: boolean } | undefined;
}

export class SearchCache {
  readonly #maxBytes: number;
  /** By folder, then by name. */
  readonly #folders = new Map<string, FolderEntries>();
  /** How many files were opened once. */
  #seen = 0;
  /** Files that were opened again, to be learned when there is time. */
  #due: { folder: ConfinedPath; name: string }[] = [];
  #bytes = 0;
  #searches = 0;
  #sweptAt = 0;
  readonly #buffer = new Uint8Array(PIECE_BYTES);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether there is something to learn. */
  get isDue(): boolean {
    return this.#due.length > 0;
  }

  /** Undefined when there is nothing that every matching file contains. */
  query({ pattern, caseInsensitive }: { pattern: string; caseInsensitive: boolean }): CacheQuery | undefined {
    this.#searches++;
    const sought = trigramsOf(pattern, caseInsensitive);
    return sought === undefined ? undefined : { ask: (folder, name) => this.#ask(folder, name, sought) };
  }

  /** A file was opened and searched. */
  note(folder: ConfinedPath, name: string): void {
    const entries = this.#entriesOf(folder);
    if (entries.known.has(name) || this.#seen >= MAX_SEEN) return;
    if (entries.seen.delete(name)) {
      this.#seen--;
      this.#due.push({ folder, name });
    } else this.#see(entries, name);
  }

  /** Learns the next file that is due, and awaits `step` now and then. */
  async learn(step: () => Promise<void> = async () => {}): Promise<void> {
    const due = this.#due.pop();
    if (due === undefined || !this.#hasRoom()) {
      this.#due = [];
      return;
    }
    try {
      using folder = new UnprovenFolder(due.folder);
      using file = folder.openNow(due.name) ?? await UnprovenFile.open(childOf(due.folder, due.name));
      const { state } = file;
      if (state.size > MAX_FILE_BYTES || Date.now() - state.ctimeMs < SETTLED_MS) return;
      const filter = await this.#filterOf(file, state.size, step);
      if (filter !== undefined) this.#keep(due, { state, filter: filter || undefined, used: this.#searches });
    } catch {
      // It could not be read; a search that needs it will say so.
    }
  }

  /** False for a binary file; undefined when its size has changed. */
  async #filterOf(
    file: UnprovenFile,
    size: number,
    step: () => Promise<void>,
  ): Promise<Uint8Array | false | undefined> {
    const filter = newFilter(size);
    let length = 0;
    let group = 0;
    for (;;) {
      const read = file.readAt(this.#buffer, length);
      if (read === 0) break;
      const bytes = this.#buffer.subarray(0, read);
      if (length === 0 && looksBinary(bytes)) return false;
      group = addTrigrams(filter, bytes, { group, from: length });
      length += read;
      if (length > size) return undefined;
      await step();
    }
    return length === size ? filter : undefined;
  }

  #keep({ folder, name }: { folder: ConfinedPath; name: string }, entry: Entry): void {
    const entries = this.#entriesOf(folder);
    this.#forget(entries, name);
    entries.known.set(name, entry);
    this.#bytes += sizeOf(name, entry);
  }

  #ask(folder: UnprovenFolder, name: string, sought: SoughtTrigrams): { isText: boolean } | undefined {
    const entries = this.#folders.get(folder.path.absolute);
    const entry = entries?.known.get(name);
    if (entries === undefined || entry === undefined) return undefined;
    entry.used = this.#searches;
    const { filter } = entry;
    if (filter !== undefined && mayHold(filter, sought)) return undefined;
    if (isSameState(entry.state, folder.state(name))) return filter === undefined ? BINARY : TEXT;
    this.#forget(entries, name);
    this.#see(entries, name);
    return undefined;
  }

  #entriesOf({ absolute }: ConfinedPath): FolderEntries {
    const known = this.#folders.get(absolute);
    if (known !== undefined) return known;
    const entries = { known: new Map<string, Entry>(), seen: new Set<string>() };
    this.#folders.set(absolute, entries);
    return entries;
  }

  #see({ seen }: FolderEntries, name: string): void {
    if (seen.has(name)) return;
    seen.add(name);
    this.#seen++;
  }

  #forget({ known }: FolderEntries, name: string): void {
    const entry = known.get(name);
    if (entry === undefined) return;
    known.delete(name);
    this.#bytes -= sizeOf(name, entry);
  }

  /** Entries stay while they are used: evicting them for the latest files would leave nothing useful for long. */
  #hasRoom(): boolean {
    if (this.#bytes < this.#maxBytes) return true;
    const before = this.#searches - FORGOTTEN_AFTER;
    if (this.#sweptAt > before) return false;
    this.#sweptAt = this.#searches;
    for (const entries of this.#folders.values()) {
      for (const [name, { used }] of entries.known) if (used < before) this.#forget(entries, name);
    }
    return this.#bytes < this.#maxBytes;
  }
}

function sizeOf(name: string, { filter }: Entry): number {
  return ENTRY_BYTES + 2 * name.length + (filter?.length ?? 0);
}
