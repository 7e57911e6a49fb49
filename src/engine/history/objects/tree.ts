/**
 * One folder of a commit in git's format: mode, name, NUL and hash of each entry, sorted. The bytes are kept
 * and patched, because parsing and rebuilding a flat folder of 20,000 files would take ten times as long.
 */
import { Buffer } from "node:buffer";
import { MODE_FOLDER } from "./objects.ts";

export interface TreeEntry {
  readonly mode: number;
  readonly oid: string;
}

export interface NamedEntry extends TreeEntry {
  /** A byte string (see byte_names.ts). */
  readonly name: string;
}

/** By name; undefined for an entry to remove. */
export type TreeChanges = ReadonlyMap<string, TreeEntry | undefined>;

/** Buffer's own indexOf takes several times as long to find a byte. */
const { indexOf } = Uint8Array.prototype;
const SPACE = 32;
const HASH = 20;
/** In bytes. */
const SMALL = 4_096;

export class Tree {
  static readonly EMPTY = new Tree(Buffer.alloc(0));
  readonly raw: Buffer;
  #starts: Int32Array | undefined;

  /** `starts` are the offsets of the entries, if known. */
  constructor(raw: Buffer, starts?: Int32Array) {
    this.raw = raw;
    this.#starts = starts;
  }

  find(name: string): TreeEntry | undefined {
    if (this.#starts === undefined && this.raw.length < SMALL) return this.#scan(name);
    const at = this.#indexOf(name, false) ?? this.#indexOf(name, true);
    return at === undefined ? undefined : this.#entry(at);
  }

  /**
   * Searches from the first entry on: in a small folder that is faster than finding where all entries start.
   */
  #scan(name: string): TreeEntry | undefined {
    const { raw } = this;
    for (let at = 0; at < raw.length;) {
      const space = raw[at + 5] === SPACE ? at + 5 : at + 6; // all modes but a folder's have six digits
      let end = space + 1;
      for (let i = 0; i < name.length && raw[end] === name.charCodeAt(i); i++) end++;
      const isIt = end === space + 1 + name.length && raw[end] === 0;
      while (raw[end] !== 0 && end < raw.length) end++;
      const next = end + 1 + HASH;
      if (isIt) {
        return {
          mode: parseInt(raw.toString("latin1", at, space), 8),
          oid: raw.toString("hex", end + 1, next),
        };
      }
      at = next;
    }
    return undefined;
  }

  *entries(): Generator<NamedEntry> {
    for (let i = 0; i < this.#offsets().length; i++) yield this.#entry(i);
  }

  /** The same folder with some entries added, replaced or removed. */
  edited(changes: TreeChanges): Tree {
    const edits: Edit[] = [];
    for (const [name, entry] of changes) {
      const key = entry === undefined ? undefined : sortKey(name, entry.mode === MODE_FOLDER);
      let placed = key === undefined;
      for (const asFolder of [false, true]) {
        const at = this.#indexOf(name, asFolder);
        if (at === undefined) continue;
        const same = key === sortKey(name, asFolder);
        placed ||= same;
        const bytes = same && entry !== undefined ? encodeEntry(name, entry) : NOTHING;
        edits.push({ start: this.#start(at), end: this.#start(at + 1), key: sortKey(name, asFolder), bytes });
      }
      if (placed || key === undefined || entry === undefined) continue;
      const start = this.#start(this.#lowerBound(key));
      edits.push({ start, end: start, key, bytes: encodeEntry(name, entry) });
    }
    if (edits.length === 0) return this;
    const isInPlace = edits.every(({ start, end, bytes }) => bytes.length === end - start);
    return new Tree(splice(this.raw, edits), isInPlace ? this.#starts : undefined);
  }

  /** The entry's position; one name can be looked up as a file's and as a folder's. */
  #indexOf(name: string, asFolder: boolean): number | undefined {
    const at = this.#lowerBound(sortKey(name, asFolder));
    if (at === this.#offsets().length) return undefined;
    return this.#name(at) === name && this.#isFolder(at) === asFolder ? at : undefined;
  }

  #lowerBound(key: string): number {
    let low = 0;
    let high = this.#offsets().length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sortKey(this.#name(middle), this.#isFolder(middle)) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #entry(i: number): NamedEntry {
    const end = this.#start(i + 1);
    const mode = parseInt(
      this.raw.toString("latin1", this.#start(i), indexOf.call(this.raw, SPACE, this.#start(i))),
      8,
    );
    return { mode, name: this.#name(i), oid: this.raw.toString("hex", end - HASH, end) };
  }

  #name(i: number): string {
    const space = indexOf.call(this.raw, SPACE, this.#start(i));
    return this.raw.toString("latin1", space + 1, this.#start(i + 1) - HASH - 1);
  }

  /** A folder's mode is the only one that begins with a 4. */
  #isFolder(i: number): boolean {
    return this.raw[this.#start(i)] === 0x34;
  }

  #start(i: number): number {
    return this.#offsets()[i] ?? this.raw.length;
  }

  #offsets(): Int32Array {
    if (this.#starts !== undefined) return this.#starts;
    const starts: number[] = [];
    for (let at = 0; at < this.raw.length;) {
      starts.push(at);
      const nul = indexOf.call(this.raw, 0, at);
      if (nul < 0) throw new RangeError("a tree ends in the middle of an entry");
      at = nul + 1 + HASH;
    }
    return this.#starts = Int32Array.from(starts);
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly key: string;
  readonly bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Git sorts folders as if their names ended in a slash. */
function sortKey(name: string, isFolder: boolean): string {
  return isFolder ? `${name}/` : name;
}

function encodeEntry(name: string, { mode, oid }: TreeEntry): Buffer {
  const bytes = Buffer.allocUnsafe(8 + name.length + HASH);
  const length = bytes.write(`${mode.toString(8)} ${name}\0`, 0, "latin1");
  bytes.write(oid, length, "hex");
  return bytes.subarray(0, length + HASH);
}

function splice(raw: Buffer, edits: Edit[]): Buffer {
  edits.sort((a, b) => a.start - b.start || a.end - b.end || (a.key < b.key ? -1 : 1));
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, bytes } of edits) {
    parts.push(raw.subarray(at, start), bytes);
    at = end;
  }
  parts.push(raw.subarray(at));
  return Buffer.concat(parts);
}
