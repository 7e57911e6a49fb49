/** One entry of git's index as bytes: what it says of a file, and whether that is how a file stands now. */
import { Buffer } from "node:buffer";
import { entryLength, EXTENDED, FLAGS_AT, HASH_AT, LONG_NAME, NAME_AT } from "./index_format.ts";
import { type TreeEntry } from "../objects/tree.ts";

/** How a file stands on the disk; undefined makes git read it when it next looks. */
export type Stat = Deno.FileInfo | undefined;

export interface IndexEntry extends TreeEntry {
  readonly stat: Stat | Carried;
  /** What git was told of the file, and is not to forget. */
  readonly marks?: Marks | undefined;
}

/** The state an entry had under another name. */
export interface Carried {
  readonly carried: Buffer;
}

/** What people tell git of a file of theirs: it belongs to the file, whatever its name or content. */
export interface Marks {
  /** It need not be on the disk (sparse checkout). */
  readonly isSkipped: boolean;
  /** It is not looked at (`git update-index --assume-unchanged`). */
  readonly isAssumed: boolean;
}

export const ASSUMED = 0x8000;
/** Among the flags of an entry that has more of them. */
export const SKIPPED = 0x4000;

export function encodeEntry(name: string, { mode, oid, stat, marks }: IndexEntry): Buffer {
  const isExtended = marks?.isSkipped === true;
  const from = NAME_AT + (isExtended ? 2 : 0);
  const entry = Buffer.alloc(entryLength(from, name.length));
  if (stat !== undefined) ("carried" in stat ? stat.carried : encodeStat(stat)).copy(entry, 0, 0, HASH_AT);
  entry.writeUInt32BE(mode, 24);
  entry.write(oid, HASH_AT, "hex");
  const flags = (isExtended ? EXTENDED : 0) | (marks?.isAssumed === true ? ASSUMED : 0);
  entry.writeUInt16BE(flags | Math.min(name.length, LONG_NAME), FLAGS_AT);
  if (isExtended) entry.writeUInt16BE(SKIPPED, NAME_AT);
  entry.write(name, from, "latin1");
  return entry;
}

/** As an entry begins: times, device, inode, (mode,) owner and size, each in 32 bits. */
export function encodeStat(info: Deno.FileInfo): Buffer {
  const bytes = Buffer.alloc(HASH_AT);
  writeTime(bytes, 0, info.ctime);
  writeTime(bytes, 8, info.mtime);
  const fields: [at: number, value: number | null][] = [
    [16, info.dev],
    [20, info.ino],
    [28, info.uid],
    [32, info.gid],
    [36, info.size],
  ];
  for (const [at, value] of fields) bytes.writeUInt32BE(Number(BigInt(value ?? 0) & 0xffffffffn), at);
  return bytes;
}

function writeTime(bytes: Buffer, at: number, time: Date | null): void {
  const ms = Math.max(0, time?.getTime() ?? 0);
  bytes.writeUInt32BE(Math.floor(ms / 1000) % 2 ** 32, at);
  bytes.writeUInt32BE((ms % 1000) * 1_000_000, at + 4);
}

export function isSameState(bytes: Buffer, now: Buffer, start: number): boolean {
  return isSameTime(bytes, now, start) && bytes.compare(now, 16, 24, start + 16, start + 24) === 0 &&
    bytes.compare(now, 36, 40, start + 36, start + 40) === 0;
}

/** Git keeps nanoseconds of both times; Deno tells milliseconds of the one and seconds of the other. */
export function isSameTime(bytes: Buffer, now: Buffer, start: number): boolean {
  return bytes.readUInt32BE(start) === now.readUInt32BE(0) &&
    bytes.readUInt32BE(start + 8) === now.readUInt32BE(8) &&
    Math.floor(bytes.readUInt32BE(start + 12) / 1_000_000) === Math.floor(now.readUInt32BE(12) / 1_000_000);
}
