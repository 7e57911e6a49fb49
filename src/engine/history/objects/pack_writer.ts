/**
 * Writes packs: all objects of a change in one file, and an index by which git finds them. That takes two
 * files, where loose objects would take a file each, folders for them, and as many syncs. The objects are
 * stored whole; `git gc` turns them into deltas when a person runs it.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { crc32, deflate, deflateSync } from "node:zlib";
import type { ObjectType } from "./objects.ts";
import { CHECKSUM, FANOUT, INDEX_MARK, type IndexedEntry, NAMES, PACK_HEADER, TYPES } from "./pack_format.ts";

export interface PackEntry {
  readonly oid: string;
  /** Header and compressed content. */
  readonly parts: readonly Uint8Array[];
}

export interface EncodedPack {
  /** As git names it: `pack-…`. */
  readonly name: string;
  readonly pack: readonly Uint8Array[];
  readonly index: Buffer;
}

/** From here on an offset takes more bits than an index entry has. */
const LARGE_OFFSET = 0x80000000;
const KINDS = new Map(Object.entries(TYPES).map(([kind, type]) => [type, Number(kind)]));

/** Up to this, compressing takes longer than it saves: the smallest file takes a whole disk block anyway. */
const STORED = 4 * 1024;
/** Above this, compressing a tree costs more than it saves until git repacks it. */
const STORED_TREE = 64 * 1024;
/** Above this, compression runs in the thread pool, so that the event loop stays free. */
const INLINE_DEFLATE = 256 * 1024;

export async function encodeObject(type: ObjectType, data: Uint8Array): Promise<PackEntry["parts"]> {
  const header: number[] = [];
  let next = (KINDS.get(type) ?? 0) << 4 | data.length % 16;
  for (let left = Math.floor(data.length / 16); left > 0; left = Math.floor(left / 128)) {
    header.push(next | 0x80);
    next = left % 128;
  }
  header.push(next);
  if (data.length <= STORED) return [Buffer.from(header), stored(data)];
  const level = type === "tree" && data.length > STORED_TREE ? 0 : 1;
  return [Buffer.from(header), await compress(data, level)];
}

/** What zlib produces for less than 64 KB without compression: one block and an Adler checksum. */
function stored(data: Uint8Array): Buffer {
  const { length } = data;
  const bytes = Buffer.allocUnsafe(length + 11);
  bytes.set([0x78, 0x01, 0x01, length & 0xff, length >> 8, ~length & 0xff, ~length >> 8 & 0xff]);
  bytes.set(data, 7);
  let [a, b] = [1, 0];
  for (let i = 0; i < length; i++) {
    a += data[i] ?? 0;
    b += a; // for so few bytes the sums stay exact
  }
  bytes.writeUInt32BE((b % ADLER) * 0x10000 + a % ADLER, length + 7);
  return bytes;
}

const ADLER = 65_521;

function compress(data: Uint8Array, level: number): Promise<Buffer> | Buffer {
  if (data.length <= INLINE_DEFLATE || level === 0) return deflateSync(data, { level });
  return new Promise((resolve, reject) =>
    deflate(data, { level }, (error, result) => error === null ? resolve(result) : reject(error))
  );
}

/** Up to this size a pack is written in one go; a larger one is not copied in memory once more. */
const JOINED = 1024 * 1024;

/** A pack of these objects, which must have different names, and its index. */
export function encodePack(entries: readonly PackEntry[]): EncodedPack {
  const parts = [packHeader(entries.length), ...entries.flatMap((entry) => entry.parts)];
  const checksum = sha1(parts);
  const pack = [...parts, checksum];
  let offset = PACK_HEADER;
  const placed = entries.map(({ oid, parts }) => {
    const at = offset;
    offset += lengthOf(parts);
    return { oid, at, crc: parts.reduce((crc, part) => crc32(part, crc), 0) };
  });
  return {
    name: `pack-${checksum.toString("hex")}`,
    pack: lengthOf(pack) <= JOINED ? [Buffer.concat(pack)] : pack,
    index: encodeIndex(placed, checksum),
  };
}

export function packHeader(count: number): Buffer {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(count, 8);
  return header;
}

/** The index of a pack with that checksum, smaller than 2 GiB. */
export function encodeIndex(entries: readonly IndexedEntry[], checksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => a.oid < b.oid ? -1 : 1);
  const count = sorted.length;
  const index = Buffer.alloc(NAMES + count * 28 + 2 * CHECKSUM);
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  view.setUint32(0, INDEX_MARK);
  view.setUint32(4, 2);
  for (const [i, { oid, crc, at }] of sorted.entries()) {
    if (at >= LARGE_OFFSET) throw new RangeError("paddock writes no packs of 2 GiB or more");
    index.write(oid, NAMES + i * 20, "hex");
    view.setUint32(NAMES + count * 20 + i * 4, crc);
    view.setUint32(NAMES + count * 24 + i * 4, at);
    view.setUint32(FANOUT + (index[NAMES + i * 20] ?? 0) * 4, i + 1);
  }
  // So far only bytes that some name begins with have their count; the others take over the one before.
  for (let byte = 0, before = 0; byte < 256; byte++) {
    before = view.getUint32(FANOUT + byte * 4) || before;
    view.setUint32(FANOUT + byte * 4, before);
  }
  checksum.copy(index, index.length - 2 * CHECKSUM);
  sha1([index.subarray(0, -CHECKSUM)]).copy(index, index.length - CHECKSUM);
  return index;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function sha1(parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
