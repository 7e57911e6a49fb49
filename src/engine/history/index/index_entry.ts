/** One entry of git's index as bytes: what it says about a file, and whether the file still matches. */
import { Buffer } from "node:buffer";
import { entryLength, EXTENDED, FLAGS_AT, HASH_AT, LONG_NAME, NAME_AT } from "./index_format.ts";
import type { TreeEntry } from "../objects/tree.ts";

/** A file's stat; undefined makes git read the file when it next looks. */
export type Stat = Deno.FileInfo | undefined;

export interface IndexEntry extends TreeEntry {
  readonly stat: Stat | Carried;
  /** Flags that a person set for the file, and that must be kept. */
  readonly marks?: Marks | undefined;
}

/** The stat that an entry had under another name. */
export interface Carried {
  readonly carried: Buffer;
}

/** Flags that people set for a file with git: they belong to the file, whatever its name or content. */
export interface Marks {
  /** It need not be on disk (sparse checkout). */
  readonly isSkipped: boolean;
  /** Git does not check it (`git update-index --assume-unchanged`). */
  readonly isAssumed: boolean;
}

export const ASSUMED = 0x8000;
/** A flag in an extended entry. */
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

/** The start of an entry: times, device, inode, (mode,) owner and size, 32 bits each. */
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

/** Git keeps nanoseconds of both times; Deno returns milliseconds for mtime and seconds for ctime. */
export function isSameTime(bytes: Buffer, now: Buffer, start: number): boolean {
  return bytes.readUInt32BE(start) === now.readUInt32BE(0) &&
    bytes.readUInt32BE(start + 8) === now.readUInt32BE(8) &&
    Math.floor(bytes.readUInt32BE(start + 12) / 1_000_000) === Math.floor(now.readUInt32BE(12) / 1_000_000);
}
