/**
 * Reads a file: whole, by bytes or by lines. A whole read is limited by the caller; ranges are streamed through one
 * buffer, so that fifty lines of a ten-gigabyte log cost fifty lines of memory.
 */
import { PaddockError, throwIfAborted } from "../base/errors.ts";
import { ConfinedFile } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { LineScanner } from "../text/line_scanner.ts";
import { looksBinary, SNIFFED_BYTES, wholeCharacters } from "../text/utf8.ts";
import { Pace } from "./yield.ts";
import { whileInUse } from "./transient.ts";

const CHUNK = 256 * 1024;

export interface ReadOptions {
  /** The most bytes that may be returned. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Reserves memory for what will be read; returns undefined if there is enough, or else what to wait for. */
  room?: ((bytes: number) => Promise<void> | undefined) | undefined;
}

/**
 * Opens the file once there is memory for as much of it as will be read; no descriptor stays open while waiting.
 */
export async function openWithRoom(
  path: ConfinedPath,
  room: ReadOptions["room"],
  wanted: (size: number) => number,
): Promise<ConfinedFile> {
  const file = await whileInUse(() => ConfinedFile.open(path));
  let waiting: Promise<void> | undefined;
  try {
    waiting = room?.(wanted(file.size));
  } finally {
    if (waiting !== undefined) file[Symbol.dispose]();
  }
  if (waiting === undefined) return file;
  await waiting;
  return await whileInUse(() => ConfinedFile.open(path));
}

export interface ByteRange {
  bytes: Uint8Array;
  /** Where in the file they begin. */
  startByte: number;
  /** Of the whole file. */
  size: number;
  binary: boolean;
  /** Whether `maxBytes` ended the range before its own limit or the end of the file did. */
  cut: boolean;
}

export interface LineRange extends ByteRange {
  /** The first line returned, counted from 1, and the last; the last is one less if there is none. */
  startLine: number;
  endLine: number;
  linesTotal: number;
}

/** How much a file may grow while it is read, beyond twice its size. */
const GROWTH = 1024 * 1024;

/**
 * All bytes of an open file, not to be modified. The file may grow meanwhile; the result is what was there at the end. One that grows
 * as fast as it is read has no end, and is an error.
 */
export async function readAll(file: ConfinedFile, signal?: AbortSignal): Promise<Uint8Array> {
  const held = file.held();
  if (held !== undefined) return held;
  const pace = new Pace(signal);
  let bytes = new Uint8Array(file.size + 1); // one more, so that the end is seen without a second round
  const limit = 2 * file.size + GROWTH;
  let length = 0;
  for (;;) {
    const asked = Math.min(bytes.length - length, 4 * CHUNK);
    const read = file.readAt(bytes.subarray(length, length + asked), length);
    length += read;
    const isEnd = read === 0 || (read < asked && length === file.size); // asked for one more, in vain
    if (isEnd) {
      throwIfAborted(signal);
      return bytes.subarray(0, length);
    }
    if (length > limit) {
      throw new PaddockError(
        "CONFLICT",
        `${quote(file.path.given)} kept growing while it was read; try again later`,
      );
    }
    if (length === bytes.length) {
      const larger = new Uint8Array(Math.min(bytes.length * 2, limit + 1));
      larger.set(bytes);
      bytes = larger;
    }
    await pace.step();
  }
}

/** The whole file, refused if it is larger than `maxBytes`; `tooLarge` words the refusal. */
export async function readWhole(
  path: ConfinedPath,
  { maxBytes, signal, room, tooLarge }: ReadOptions & { tooLarge: (size: number) => PaddockError },
): Promise<ByteRange> {
  using file = await openWithRoom(path, room, (size) => size > maxBytes ? 0 : size);
  if (file.size > maxBytes) throw tooLarge(file.size);
  const bytes = await readAll(file, signal);
  if (bytes.length > maxBytes) throw tooLarge(bytes.length);
  return { bytes, startByte: 0, size: bytes.length, binary: looksBinary(bytes), cut: false };
}

/** How many bytes of a character may be missing on either side of a range. */
const CHARACTER_REST = 3;

/** In a text file the range is moved to whole characters, as far as there are any at its ends. */
export async function readBytes(
  path: ConfinedPath,
  { offset, limit, maxBytes, signal, room }: ReadOptions & { offset: number; limit: number | undefined },
): Promise<ByteRange> {
  const most = Math.min(limit ?? Infinity, maxBytes);
  using file = await openWithRoom(path, room, (size) => Math.min(most, Math.max(0, size - offset)));
  const { size } = file;
  const start = Math.min(offset, size);
  const wanted = Math.min(limit ?? Infinity, size - start);
  const end = start + Math.min(wanted, maxBytes);
  const first = Math.max(0, start - CHARACTER_REST);
  const around = new Uint8Array(Math.min(size, end + CHARACTER_REST) - first);
  const pace = new Pace(signal);
  let length = 0;
  while (length < around.length) {
    const read = file.readAt(around.subarray(length, length + 4 * CHUNK), first + length);
    if (read === 0) break;
    length += read;
    await pace.step();
  }
  const bytes = around.subarray(0, length);
  const exact = { from: Math.min(start - first, length), to: Math.min(end - first, length) };
  const binary = isBinary(file);
  const { from, to } = binary || exact.from === exact.to ? exact : wholeCharacters(bytes, exact);
  return {
    bytes: bytes.subarray(from, to),
    startByte: first + from,
    size,
    binary,
    cut: wanted > end - start,
  };
}

export async function readLines(
  path: ConfinedPath,
  { offset, limit, maxBytes, signal, room }: ReadOptions & { offset: number; limit: number | undefined },
): Promise<LineRange> {
  using file = await openWithRoom(path, room, (size) => Math.min(maxBytes, size)); // one line may be that long
  const pace = new Pace(signal);
  const lastLine = limit === undefined ? Infinity : offset + limit - 1;
  const scanner = new LineScanner({ firstLine: offset, lastLine, maxBytes });
  const buffer = new Uint8Array(CHUNK);
  let position = 0;
  for (;;) {
    const read = file.readAt(buffer, position);
    if (read === 0) break;
    scanner.push(buffer.subarray(0, read));
    position += read;
    await pace.step();
  }
  const found = scanner.end();
  return {
    bytes: found.bytes,
    startByte: found.startByte,
    size: position,
    binary: isBinary(file),
    cut: found.cut,
    startLine: found.startLine,
    endLine: found.endLine,
    linesTotal: found.totalLines,
  };
}

/** The number of the first of the last `count` lines; 1 if there are no more. */
export async function firstOfLastLines(
  path: ConfinedPath,
  count: number,
  signal?: AbortSignal,
): Promise<number> {
  const beyond = Number.MAX_SAFE_INTEGER;
  const { linesTotal } = await readLines(path, { offset: beyond, limit: 1, maxBytes: 1, signal });
  return Math.max(1, linesTotal - count + 1);
}

function isBinary(file: ConfinedFile): boolean {
  const head = new Uint8Array(SNIFFED_BYTES);
  return looksBinary(head.subarray(0, file.readAt(head, 0)));
}
