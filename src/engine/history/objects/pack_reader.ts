/**
 * Reads git's packs, where `git gc` puts the objects: many in one file, most as a delta against another. The
 * index of a pack is held in memory; of the pack itself only the requested pieces are read.
 */
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { applyDelta, sizeAfter } from "./delta.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { inflateStart } from "./inflate_start.ts";
import type { Lru } from "./lru.ts";
import { damaged, type GitObject } from "./objects.ts";
import { CHECKSUM, FANOUT, INDEX_MARK, type IndexedEntry, NAMES, PACK_HEADER, TYPES } from "./pack_format.ts";

const OFFSET_DELTA = 6;
const NAME_DELTA = 7;
const LARGE = 0x80000000;
/** Up to this size a pack is read at once, and no file stays open for it: there may be many of them. */
const SMALL = 64 * 1024;

/** A delta begins with two numbers; the description of the compression takes up to 300 bytes before them. */
const DELTA_START = 512;

interface Header {
  readonly kind: number;
  /** Of the object, or of the delta, when inflated. */
  readonly size: number;
  /** What a delta is based on: an offset in this pack, or a name. Empty for a whole object. */
  readonly base: number | string;
  readonly start: number;
}

/** Reads an object by its name, wherever it is. */
export type Reader = (oid: string) => GitObject;

/** Where packs are, and the cache that they share: objects by pack and offset. */
export interface PackContext {
  readonly git: GitFolder;
  readonly remembered: Lru<GitObject>;
  /** Packs with an open file, in the order they were opened. */
  readonly open: Set<Pack>;
}

/** How many packs may have an open file: there may be many packs, and many workspaces. */
const MOST_OPEN = 4;

/** Everything in a pack's index; undefined if it is not in the form that paddock writes. */
export function readIndex(index: Buffer): { entries: IndexedEntry[]; checksum: Buffer } | undefined {
  const count = index.length < NAMES ? 0 : index.readUInt32BE(NAMES - 4);
  const end = NAMES + count * 28;
  if (index.length !== end + 2 * CHECKSUM || index.readUInt32BE(0) !== INDEX_MARK) return undefined;
  const entries = Array.from({ length: count }, (_, i) => ({
    oid: index.toString("hex", NAMES + i * 20, NAMES + i * 20 + 20),
    crc: index.readUInt32BE(NAMES + count * 20 + i * 4),
    at: index.readUInt32BE(NAMES + count * 24 + i * 4),
  }));
  return { entries, checksum: index.subarray(end, end + CHECKSUM) };
}

export class Pack {
  readonly #context: PackContext;
  readonly #path: string;
  readonly #index: Buffer;
  readonly #count: number;
  #whole: Buffer | undefined;
  #file: Deno.FsFile | undefined;
  #size = 0;

  /** `path` has no extension. Undefined if the pack is gone by now. */
  static open(context: PackContext, path: string): Pack | undefined {
    const index = context.git.read(`${path}.idx`);
    return index === undefined ? undefined : new Pack(context, path, index);
  }

  constructor(context: PackContext, path: string, index: Buffer) {
    if (index.length < NAMES || index.readUInt32BE(0) !== INDEX_MARK || index.readUInt32BE(4) !== 2) {
      throw damaged(path);
    }
    this.#context = context;
    this.#path = path;
    this.#index = index;
    this.#count = index.readUInt32BE(NAMES - 4);
  }

  /** Closes its file, which is opened again when needed. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#context.open.delete(this);
  }

  has(oid: string): boolean {
    return this.#find(oid) !== undefined;
  }

  read(oid: string, elsewhere: Reader): GitObject | undefined {
    const at = this.#find(oid);
    return at === undefined ? undefined : this.#at(this.#offset(at), elsewhere);
  }

  /** The size of an object; for a delta, the delta itself says it. */
  size(oid: string): number | undefined {
    const at = this.#find(oid);
    if (at === undefined) return undefined;
    const { kind, size, start } = this.#header(this.#offset(at));
    if (TYPES[kind] !== undefined) return size;
    return sizeAfter(inflateStart(this.#bytes(start, DELTA_START))) ?? this.#fail();
  }

  /** The names that begin with this, two at most. */
  withPrefix(prefix: string): string[] {
    const names: string[] = [];
    const low = this.#lowerBound(Buffer.from(prefix.padEnd(40, "0"), "hex"));
    for (let i = low; i < this.#count && names.length < 2; i++) {
      const name = this.#index.toString("hex", NAMES + i * 20, NAMES + i * 20 + 20);
      if (!name.startsWith(prefix)) break;
      names.push(name);
    }
    return names;
  }

  #find(oid: string): number | undefined {
    const key = Buffer.from(oid, "hex");
    const at = this.#lowerBound(key);
    return at < this.#count && this.#compare(key, at) === 0 ? at : undefined;
  }

  #lowerBound(key: Buffer): number {
    const first = key[0] ?? 0;
    let low = first === 0 ? 0 : this.#index.readUInt32BE(FANOUT + (first - 1) * 4);
    let high = this.#index.readUInt32BE(FANOUT + first * 4);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(key, middle) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(key: Buffer, at: number): number {
    return key.compare(this.#index, NAMES + at * 20, NAMES + at * 20 + 20);
  }

  #offset(at: number): number {
    const small = this.#index.readUInt32BE(NAMES + this.#count * 24 + at * 4);
    if (small < LARGE) return small;
    return Number(this.#index.readBigUInt64BE(NAMES + this.#count * 28 + (small - LARGE) * 8));
  }

  /** An object's header: where its bytes start, and what a delta is based on. */
  #header(offset: number): Header {
    const head = this.#bytes(offset, 64);
    let at = 0;
    const byte = () => {
      return head[at++] ?? this.#fail();
    };
    let next = byte();
    const kind = (next >> 4) & 7;
    let size = next & 15;
    for (let scale = 16; next >= 0x80; scale *= 128) {
      next = byte();
      size += (next & 0x7f) * scale;
    }
    let base: number | string = "";
    if (kind === OFFSET_DELTA) {
      next = byte();
      let back = next & 0x7f;
      while (next >= 0x80) {
        next = byte();
        back = (back + 1) * 128 + (next & 0x7f);
      }
      base = offset - back;
      if (base < PACK_HEADER || base >= offset) this.#fail();
    } else if (kind === NAME_DELTA) base = head.toString("hex", at, at += 20);
    return { kind, size, base, start: offset + at };
  }

  #fail(): never {
    throw damaged(this.#path);
  }

  /**
   * The object at an offset: down the chain of deltas to a whole object, and up again. In a loop, as a chain can be
   * longer than the stack is deep.
   */
  #at(offset: number, elsewhere: Reader): GitObject {
    const chain: (Header & { key: string })[] = [];
    let object: GitObject | undefined;
    for (let at = offset; object === undefined;) {
      const key = `${this.#path} ${at}`;
      object = this.#context.remembered.get(key);
      if (object !== undefined) break;
      const header = this.#header(at);
      const type = TYPES[header.kind];
      if (type !== undefined) {
        object = this.#remember(key, { type, data: this.#inflate(header.start, header.size) });
        break;
      }
      // A chain that is longer than the pack comes back to where it was.
      if (header.base === "" || chain.push({ ...header, key }) > this.#count) this.#fail();
      const base = this.#offsetOf(header.base);
      if (base === undefined) object = elsewhere(String(header.base));
      else at = base;
    }
    for (const { key, start, size } of chain.reverse()) {
      const data = this.#patched(object.data, this.#inflate(start, size));
      object = this.#remember(key, { type: object.type, data });
    }
    return object;
  }

  /** Where in this pack a delta's base is; undefined if it is in another one. */
  #offsetOf(base: number | string): number | undefined {
    if (typeof base === "number") return base;
    const at = this.#find(base);
    return at === undefined ? undefined : this.#offset(at);
  }

  #remember(key: string, object: GitObject): GitObject {
    this.#context.remembered.set(key, object, object.data.length + 200);
    return object;
  }

  #patched(base: Buffer, delta: Buffer): Buffer {
    try {
      return applyDelta(base, delta);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.#fail();
    }
  }

  /** What is at `offset`, `size` bytes when inflated; its compressed length is not known in advance. */
  #inflate(offset: number, size: number): Buffer {
    for (let length = size + (size >> 8) + 64;; length *= 2) {
      const bytes = this.#bytes(offset, length);
      try {
        const data = inflateSync(bytes, { maxOutputLength: Math.max(size, 1) });
        if (data.length === size) return data;
      } catch (error) {
        if (bytes.length === length && (error as { code?: unknown }).code === "Z_BUF_ERROR") continue;
      }
      throw damaged(this.#path);
    }
  }

  /** Up to this many bytes: never more than the pack has, whatever a damaged one says. */
  #bytes(offset: number, wanted: number): Buffer {
    if (this.#whole === undefined && this.#file === undefined) this.#open();
    if (this.#whole !== undefined) return this.#whole.subarray(offset, offset + wanted);
    return this.#read(offset, Math.max(0, Math.min(wanted, this.#size - offset)));
  }

  #open(): void {
    this.#file = this.#context.git.openToRead(`${this.#path}.pack`);
    this.#size = this.#file.statSync().size;
    if (this.#size > SMALL) {
      const { open } = this.#context;
      open.add(this);
      for (const oldest of open) if (open.size > MOST_OPEN) oldest.close();
      return;
    }
    this.#whole = this.#read(0, this.#size);
    this.close();
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    this.#file?.seekSync(offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < length) {
      const read = this.#file?.readSync(bytes.subarray(filled)) ?? null;
      if (read === null) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  }
}
