/**
 * Writes a file so that a reader sees the old content or the new, never a mix, and a crash leaves one of the two: a
 * private temporary file in the same folder is written, given its owner and mode, synced and renamed over the
 * target, and the folder is synced. A file that must be new gets its name by link(2) instead of rename. The writer
 * holds a flock on its temporary file throughout (see temp_sweeper.ts).
 */
import { allDone } from "../base/all_done.ts";
import { PaddockError } from "../base/errors.ts";
import { type Identity, isSameFile } from "../base/identity.ts";
import {
  type ConfinedFile,
  createFile,
  discardTemp,
  hasStrayed,
  isCurrent,
  linkNew,
  type Ownership,
  replace,
  type Replaced,
  setOwnership,
  syncFile,
} from "../confine/confined_fs.ts";
import { fromOsError } from "../confine/os_errors.ts";
import { quote, tempName } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { hashedContent, hashSoon } from "./hash.ts";
import type { FileRecording } from "./recording.ts";
import { settle } from "./settle.ts";
import type { TempSweeper } from "./temp_sweeper.ts";
import { whileInUse } from "./transient.ts";
import { delay } from "./yield.ts";

/** New content: the bytes, or a function that writes them piece by piece. */
export type Content = Uint8Array | ((write: (chunk: Uint8Array) => Promise<void>) => Promise<void>);

export interface WriteOptions {
  /** Owner and mode of the result. */
  ownership: Ownership;
  /** The file to be replaced. Without it the name must be new. */
  insteadOf?: Replaced | undefined;
  sweeper: TempSweeper;
  /** Called right before the new content is put in place, and after. */
  recording?: FileRecording | undefined;
  /** What is replaced, for the record. */
  replaced?: ConfinedFile | undefined;
}

/** A finished write. The new file stays locked until this is disposed of. */
export interface Written extends Disposable {
  /** False if the name had to be new and was taken, or the file was not the right one; then nothing has changed. */
  readonly done: boolean;
  readonly size: number;
  /** Whether it is what is at the path now. */
  isInPlace(): boolean;
  /** Whether this is the new file. */
  is(found: Identity): boolean;
}

/** Above this, writing goes through the thread pool, so that the event loop stays free. */
const INLINE_WRITE = 256 * 1024;

export async function atomicWrite(
  path: ConfinedPath,
  content: Content,
  options: WriteOptions,
): Promise<Written> {
  const folder = parentOf(path);
  options.sweeper.sweep(folder);
  const temp = await openTemp(folder);
  let [isNamed, isKept] = [true, false];
  try {
    const record = options.recording && await recordedContent(content);
    const size = await writeContent(temp.file, record?.content ?? content);
    if (!await setOwnership(temp.path, { ...options.ownership, file: temp.file })) throw swapped(path);
    const { recording, replaced, ownership: { mode } } = options;
    // Both must be on disk before the new content is put in place: they are synced together. The file must not be closed
    // while it is being synced: it would stay open for good.
    await allDone([
      syncFile(temp.file),
      record && intend(record, { size, mode, recording, replaced }),
    ]);
    if (!isCurrent(temp.file, temp.path, { careful: true })) throw swapped(path);
    const placed = await whileInUse(() => place(temp, path, options.insteadOf));
    isNamed = placed !== "renamed";
    if (placed !== "not") recording?.placed();
    if (placed !== "not") await settle(folder, `${quote(path.given)} was written`);
    if (isNamed) await discard(temp);
    isKept = true;
    return {
      done: placed !== "not",
      size,
      isInPlace: () => isCurrent(temp.file, path),
      is: (found) => isSameFile(temp.file.statSync(), found),
      [Symbol.dispose]: () => temp.file.close(),
    };
  } catch (error) {
    throw fromOsError(error, path);
  } finally {
    if (!isKept) await (isNamed ? drop(temp) : temp.file.close());
  }
}

async function intend(
  record: RecordedContent,
  { size, mode, recording, replaced }: Pick<WriteOptions, "recording" | "replaced"> & {
    size: number;
    mode: number;
  },
): Promise<void> {
  await recording?.intend({ hash: await record.hash(), size, mode, bytes: record.bytes() }, replaced);
}

/** A file that must be new gets its name as a second one; the first is removed later. */
function place(
  { path: temp, file }: Temp,
  path: ConfinedPath,
  insteadOf: Replaced | undefined,
): "linked" | "renamed" | "not" {
  const info = file.statSync();
  if (insteadOf === undefined) {
    const outcome = linkNew(temp, path, info);
    if (outcome === "linked") return "linked";
    if (outcome === "taken" || !reserve(path)) return "not";
  }
  if (!replace(temp, path, insteadOf ?? ANYTHING)) return "not";
  if (hasStrayed(path, file, info)) throw swapped(path);
  return "renamed";
}

/** For replacing the empty file with which we reserved the name. */
const ANYTHING: Replaced = { isStill: () => true };

/** Takes a name on a file system without hard links: creates an empty file, which is replaced at once. */
function reserve(path: ConfinedPath): boolean {
  try {
    createFile(path).close();
    return true;
  } catch (error) {
    if (error instanceof PaddockError && error.code === "ALREADY_EXISTS") return false;
    throw error;
  }
}

async function writeContent(file: Deno.FsFile, content: Content): Promise<number> {
  let size = 0;
  const write = async (chunk: Uint8Array) => {
    size += chunk.length;
    for (let at = 0; at < chunk.length;) {
      const rest = chunk.subarray(at);
      at += rest.length <= INLINE_WRITE ? file.writeSync(rest) : await file.write(rest);
    }
  };
  if (content instanceof Uint8Array) {
    const written = write(content);
    hashSoon(content); // while a long one is being written
    await written;
  } else await content(write);
  return size;
}

interface RecordedContent {
  content: Content;
  hash: () => string | Promise<string>;
  /** What was written, unless it is large. */
  bytes: () => Uint8Array | undefined;
}

/** The same content, plus what a record needs to know about it after writing. */
async function recordedContent(content: Content): Promise<RecordedContent> {
  const hashed = await hashedContent(content);
  if (content instanceof Uint8Array) {
    return { ...hashed, bytes: () => content.length <= MOST_RECORDED ? content : undefined };
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const { content: inner } = hashed;
  const collecting: Content = inner instanceof Uint8Array ? inner : (write) =>
    inner(async (chunk) => {
      length += chunk.length;
      if (length <= MOST_RECORDED) chunks.push(chunk.slice());
      await write(chunk);
    });
  return {
    content: collecting,
    hash: hashed.hash,
    bytes: () => length <= MOST_RECORDED ? joined(chunks, length) : undefined,
  };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** For larger content a record has only the hash. */
const MOST_RECORDED = 1024 * 1024;

interface Temp {
  path: ConfinedPath;
  file: Deno.FsFile;
}

/**
 * A new temporary file, locked, and proven to be in its folder before anything is written to it. If another process
 * sweeps it away first, another name is tried.
 */
async function openTemp(folder: ConfinedPath): Promise<Temp> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const path = childOf(folder, tempName());
    const file = createFile(path);
    let keep = false;
    try {
      keep = file.tryLockSync(true) && isCurrent(file, path, { careful: true });
      if (keep) return { path, file };
    } finally {
      if (!keep) await drop({ path, file });
    }
  }
  throw new PaddockError(
    "CONFLICT",
    `could not create a temporary file beside ${quote(folder.given)}; try again`,
  );
}

async function drop(temp: Temp): Promise<void> {
  try {
    await discard(temp);
  } finally {
    temp.file.close();
  }
}

/**
 * Removes a temporary file. While its folder is being swapped for a link and back, that takes a few tries; what
 * remains is swept at the next write, or was left outside, empty.
 */
async function discard({ path, file }: Temp): Promise<void> {
  for (let attempt = 0; attempt < 60 && !discardTemp(path, file); attempt++) {
    if (attempt >= 20) await delay(1);
  }
}

function swapped(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "CONFLICT",
    `the folder of ${quote(path.given)} changed during the write; try again`,
  );
}
