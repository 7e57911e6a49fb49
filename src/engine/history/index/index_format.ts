/**
 * Parses git's index, of any version, into entries in the form of versions 2 and 3: one buffer, and where each
 * entry starts. Extensions are git's caches and are dropped, which git tolerates; an index with one it cannot do
 * without is refused.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { PaddockError } from "../../../base/errors.ts";

export interface IndexEntries {
  /** Header and entries, without extensions and checksum. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly starts: Int32Array;
}

export const HEADER = 12;
const CHECKSUM = 20;
/** Offsets in an entry: its hash, its flags and its name. */
export const HASH_AT = 40;
export const FLAGS_AT = 60;
export const NAME_AT = 62;
export const LONG_NAME = 0xfff;
export const EXTENDED = 0x4000;

export function emptyIndex(): IndexEntries {
  const bytes = Buffer.alloc(HEADER);
  bytes.write("DIRC", "latin1");
  bytes.writeUInt32BE(2, 4);
  return { bytes, starts: new Int32Array(0) };
}

/** Undefined if the file is damaged. */
export function parseIndex(file: Buffer): IndexEntries | undefined {
  if (file.length < HEADER + CHECKSUM || file.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const end = file.length - CHECKSUM;
  const checksum = file.subarray(end);
  const isUnchecked = checksum.every((byte) => byte === 0); // index.skipHash
  if (!isUnchecked && !createHash("sha1").update(file.subarray(0, end)).digest().equals(checksum)) {
    return undefined;
  }
  const version = file.readUInt32BE(4);
  if (version < 2 || version > 4) throw unsupported(`version ${version}`);
  try {
    const { entries, behind } = version === 4 ? unfold(file) : locate(file);
    refuseExtensions(file.subarray(behind, end));
    return entries;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The length of what precedes an entry's name. */
export function nameStart(bytes: Buffer, start: number): number {
  return bytes.readUInt16BE(start + FLAGS_AT) & EXTENDED ? NAME_AT + 2 : NAME_AT;
}

export function nameOfEntry(bytes: Buffer, start: number): string {
  const from = start + nameStart(bytes, start);
  return bytes.toString("latin1", from, endOfName(bytes, start, from));
}

function endOfName(bytes: Buffer, start: number, from: number): number {
  const length = bytes.readUInt16BE(start + FLAGS_AT) & LONG_NAME;
  return length === LONG_NAME ? bytes.indexOf(0, from) : from + length;
}

/** Below 0 if the entry's name comes first, above 0 if the given one does. Builds no string. */
export function compareName(bytes: Buffer, start: number, name: string): number {
  const from = start + nameStart(bytes, start);
  const length = endOfName(bytes, start, from) - from;
  const common = Math.min(length, name.length);
  for (let i = 0; i < common; i++) {
    const difference = (bytes[from + i] ?? 0) - name.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - name.length;
}

/** The length of an entry in versions 2 and 3: at least one NUL, and a multiple of eight. */
export function entryLength(nameFrom: number, nameLength: number): number {
  return (nameFrom + nameLength + 8) & ~7;
}

interface Located {
  readonly entries: IndexEntries;
  /** Where the extensions begin. */
  readonly behind: number;
}

function locate(file: Buffer): Located {
  const count = file.readUInt32BE(8);
  if (count > file.length / 62) throw new RangeError("more entries than there can be");
  const starts = new Int32Array(count);
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    at += entryLength(nameStart(file, at), nameOfEntry(file, at).length);
  }
  if (at > file.length - CHECKSUM) throw new RangeError("the entries do not end");
  return { entries: { bytes: Buffer.from(file.subarray(0, at)), starts }, behind: at };
}

/** Version 4 stores each name as its difference from the one before. */
function unfold(file: Buffer): Located {
  const count = file.readUInt32BE(8);
  if (count > file.length / 62) throw new RangeError("more entries than there can be");
  const parts: Buffer[] = [emptyIndex().bytes];
  const starts = new Int32Array(count);
  let [at, written, name, extended] = [HEADER, HEADER, "", false];
  for (let i = 0; i < count; i++) {
    const from = nameStart(file, at);
    extended ||= from > NAME_AT;
    let next = at + from;
    let byte = file.readUInt8(next++);
    let cut = byte & 0x7f;
    while (byte & 0x80) {
      byte = file.readUInt8(next++);
      cut = (cut + 1) * 128 + (byte & 0x7f);
    }
    const end = file.indexOf(0, next);
    if (end < 0 || cut > name.length) throw new RangeError("a name does not end");
    name = name.slice(0, name.length - cut) + file.toString("latin1", next, end);
    const entry = Buffer.alloc(entryLength(from, name.length));
    file.copy(entry, 0, at, at + from);
    const flags = entry.readUInt16BE(FLAGS_AT) & ~LONG_NAME;
    entry.writeUInt16BE(flags | Math.min(name.length, LONG_NAME), FLAGS_AT);
    entry.write(name, from, "latin1");
    parts.push(entry);
    starts[i] = written;
    written += entry.length;
    at = end + 1;
  }
  const bytes = Buffer.concat(parts);
  bytes.writeUInt32BE(extended ? 3 : 2, 4);
  bytes.writeUInt32BE(count, 8);
  return { entries: { bytes, starts }, behind: at };
}

/** A name in lower case marks an extension that cannot be dropped: entries elsewhere, folders as entries. */
function refuseExtensions(extensions: Buffer): void {
  for (let at = 0; at + 8 <= extensions.length; at += 8 + extensions.readUInt32BE(at + 4)) {
    const name = extensions.toString("latin1", at, at + 4);
    if (name === "link") {
      throw new PaddockError(
        "UNSUPPORTED",
        'the workspace uses a split index; run "git update-index --no-split-index" and ' +
          '"git config core.splitIndex false" there',
      );
    }
    if (!/^[A-Z]/.test(name)) {
      throw unsupported(`extension ${JSON.stringify(name)}; "git sparse-checkout disable"`);
    }
  }
}

function unsupported(what: string): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `the workspace's git index has a form that paddock does not support: ${what}`,
  );
}
