/**
 * Git's index: for every file of the last commit its hash, and the file's stat when it was last known to match, by
 * which `git status` knows without reading it. Kept as one buffer and patched, because rebuilding it takes forty
 * times as long. Only changed while we hold index.lock.
 *
 * A file written in the same second as the index could be changed again in that second and look the same. Git
 * recognises such entries by the index's own time, and reads the file. Writing the index again, in a later second,
 * loses that sign; so each of these files is read first, and if it holds something else, its entry is marked as
 * unknown. If that would be too much to read, all of them are marked.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { syncFile } from "../../../confine/confined_fs.ts";
import { fromOsError } from "../../../confine/os_errors.ts";
import type { GitFolder } from "../git/git_folder.ts";
import {
  compareName,
  emptyIndex,
  FLAGS_AT,
  HASH_AT,
  type IndexEntries,
  NAME_AT,
  nameOfEntry,
  nameStart,
  parseIndex,
} from "./index_format.ts";
import {
  ASSUMED,
  type Carried,
  encodeEntry,
  encodeStat,
  type IndexEntry,
  isSameState,
  isSameTime,
  type Marks,
  SKIPPED,
  type Stat,
} from "./index_entry.ts";
import { entryFrom, lowerBound, merged, startOf } from "./index_table.ts";
import { isUnsupported } from "../git/lock_by_link.ts";
import { hashObject } from "../objects/objects.ts";
import type { NamedEntry, TreeEntry } from "../objects/tree.ts";

const CHECKSUM = 20;
/** From `git add -N`: the name is known, the content is not. */
const INTENT_TO_ADD = 0x2000;
const STAGE = 0x3000;
const BASE = 0x1000;
/** The first version with extended entries. */
const WITH_MORE_FLAGS = 3;

/** Up to this many entries, and files of that size, are read again before the index is written. */
const SETTLED_BY_READING = 64;
const SETTLED_SIZE = 256 * 1024;

interface Begun {
  readonly file: Deno.FsFile;
  /** The second that decides which entries are racy. */
  readonly second: number;
  readonly checksum: Buffer | Promise<Buffer>;
}

/** A file's stat if it holds exactly what an entry says; undefined if not. */
export type Prove = (name: string, entry: TreeEntry) => Promise<Stat>;

export class IndexFile {
  readonly #git: GitFolder;
  #entries: IndexEntries = emptyIndex();
  /** Identifies the file when it was read or written: a different one is read again. */
  #seen = "none yet";
  /** When the file was written, in whole seconds. */
  #second = 0;
  /** The name under which an unreadable index is kept before a new one replaces it. */
  #aside: string | undefined;
  /** Entries whose file was written in the same second as the index, or later. */
  readonly #racy = new Set<string>();
  /** What is being written and is not published yet. */
  #begun: Begun | undefined;
  /** Identifies the file once it was written completely. */
  #written = { seen: "nothing", second: 0 };
  #isUnsynced = false;

  constructor(git: GitFolder) {
    this.#git = git;
  }

  /** Reads the file unless it is the known one. `rebuild` yields what should be in it if it is lost. */
  load(rebuild: () => Iterable<NamedEntry>): void {
    const info = this.#git.stat("index");
    const seen = this.#mark(info);
    if (seen === this.#seen && info !== undefined) return;
    const file = info === undefined ? undefined : this.#git.read("index");
    const entries = file === undefined ? undefined : parseIndex(file);
    this.#aside = file === undefined || entries !== undefined ? undefined : asideName(file);
    this.#racy.clear();
    this.#entries = entries ?? emptyIndex();
    this.#second = secondOf(info);
    this.#seen = seen;
    if (entries === undefined) {
      this.apply(
        new Map(Array.from(rebuild(), ({ name, mode, oid }) => [name, { mode, oid, stat: undefined }])),
      );
      return;
    }
    const { bytes, starts } = entries;
    for (const start of starts) {
      if (bytes.readUInt32BE(start + 8) >= this.#second) this.#racy.add(nameOfEntry(bytes, start));
    }
  }

  /**
   * The entry of a file, if the file's stat matches the index and it cannot have changed unnoticed. `name` is a
   * byte string.
   */
  unchanged(name: string, info: Deno.FileInfo): TreeEntry | undefined {
    const start = startOf(this.#entries, name);
    if (start === undefined || this.#racy.has(name)) return undefined;
    const { bytes } = this.#entries;
    if (bytes.readUInt16BE(start + FLAGS_AT) & STAGE || bytes.readUInt32BE(start + 8) === 0) return undefined;
    const now = encodeStat(info);
    const same = isSameTime(bytes, now, start) && bytes.compare(now, 20, 24, start + 20, start + 24) === 0 &&
      bytes.compare(now, 36, 40, start + 36, start + 40) === 0;
    return same ? entryFrom(this.#entries, start) : undefined;
  }

  /** The index's entry for a file; undefined if it does not know the content. */
  entryOf(name: string): TreeEntry | undefined {
    const start = startOf(this.#entries, name);
    if (start === undefined || this.#isMarked(start, INTENT_TO_ADD)) return undefined;
    return this.#entries.bytes.readUInt16BE(start + FLAGS_AT) & STAGE
      ? undefined
      : entryFrom(this.#entries, start);
  }

  /**
   * What somebody has staged for a file: its entry or, where git has left a conflict, the two sides of it. Their
   * common base (stage 1) is in one of git's commits.
   */
  versionsOf(name: string): TreeEntry[] {
    const { bytes, starts } = this.#entries;
    const versions: TreeEntry[] = [];
    for (let i = lowerBound(this.#entries, name); i < starts.length; i++) {
      const start = starts[i] ?? 0;
      if (compareName(bytes, start, name) !== 0) break;
      const isBase = (bytes.readUInt16BE(start + FLAGS_AT) & STAGE) === BASE;
      if (!isBase && !this.#isMarked(start, INTENT_TO_ADD)) versions.push(entryFrom(this.#entries, start));
    }
    return versions;
  }

  /** Whether the file need not be on disk (sparse checkout). */
  isSkipped(name: string): boolean {
    const start = startOf(this.#entries, name);
    return start !== undefined && this.#isMarked(start, SKIPPED);
  }

  /** The flags a person set for a file, if any. */
  marksOf(name: string): Marks | undefined {
    const start = startOf(this.#entries, name);
    if (start === undefined) return undefined;
    const isSkipped = this.#isMarked(start, SKIPPED);
    const isAssumed = (this.#entries.bytes.readUInt16BE(start + FLAGS_AT) & ASSUMED) !== 0;
    return isSkipped || isAssumed ? { isSkipped, isAssumed } : undefined;
  }

  #isMarked(start: number, flag: number): boolean {
    const { bytes } = this.#entries;
    return nameStart(bytes, start) > NAME_AT && (bytes.readUInt16BE(start + NAME_AT) & flag) !== 0;
  }

  /** The stat of an entry, for another entry of the same file. */
  stateOf(name: string): (TreeEntry & Carried) | undefined {
    const start = startOf(this.#entries, name);
    if (start === undefined || this.#racy.has(name)) return undefined;
    return {
      ...entryFrom(this.#entries, start),
      carried: Buffer.from(this.#entries.bytes.subarray(start, start + HASH_AT)),
    };
  }

  /** The names at or below a path, in order; all of them if the path is empty. */
  *namesBelow(path: string): Generator<string> {
    const { bytes, starts } = this.#entries;
    if (path !== "" && startOf(this.#entries, path) !== undefined) yield path;
    const prefix = path === "" ? "" : `${path}/`;
    let last: string | undefined;
    for (let i = lowerBound(this.#entries, prefix); i < starts.length; i++) {
      const name = nameOfEntry(bytes, starts[i] ?? 0);
      if (!name.startsWith(prefix)) return;
      if (name !== last) yield name; // a conflict has several entries of one name
      last = name;
    }
  }

  /** Sets and removes entries. Removes what is in the way of a new one: a file for a folder, or the reverse. */
  apply(changes: ReadonlyMap<string, IndexEntry | undefined>): void {
    const replaced = new Map<number, Buffer>();
    const added: { name: string; bytes: Buffer }[] = [];
    const { bytes, starts } = this.#entries;
    const drop = (from: number, isMeant: (name: string) => boolean) => {
      for (let i = from; i < starts.length && isMeant(nameOfEntry(bytes, starts[i] ?? 0)); i++) {
        if (!replaced.has(i)) replaced.set(i, NOTHING);
      }
    };
    for (const [name, entry] of changes) {
      const at = lowerBound(this.#entries, name);
      this.#racy.delete(name);
      if (entry === undefined) {
        drop(at, (found) => found === name);
        continue;
      }
      this.#noteRacy(name, entry);
      const encoded = encodeEntry(name, entry);
      if (entry.marks?.isSkipped === true) bytes.writeUInt32BE(WITH_MORE_FLAGS, 4);
      if (at < starts.length && nameOfEntry(bytes, starts[at] ?? 0) === name) {
        drop(at + 1, (found) => found === name); // the other stages of a conflict
        replaced.set(at, encoded);
        continue;
      }
      added.push({ name, bytes: encoded });
      drop(lowerBound(this.#entries, `${name}/`), (found) => found.startsWith(`${name}/`));
      for (let cut = name.lastIndexOf("/"); cut > 0; cut = name.lastIndexOf("/", cut - 1)) {
        const above = name.slice(0, cut);
        drop(lowerBound(this.#entries, above), (found) => found === above);
      }
    }
    this.#entries = merged(this.#entries, { replaced, added });
  }

  /**
   * Begins to write the new content beside the file, and to compute its checksum. `prove` checks files whose
   * entries could have changed unnoticed.
   */
  async begin(prove: Prove, second = Math.floor(Date.now() / 1000)): Promise<void> {
    this.#close(); // what was begun before is out of date
    await this.#settleRacy(prove, second);
    const { bytes } = this.#entries;
    const checksum = sha1(bytes);
    this.#begun = { file: this.#git.recreate(TEMP, bytes, { mode: 0o644 }), second, checksum };
  }

  /** Finishes writing the new content: `publish` puts it in place. */
  async write(prove: Prove): Promise<void> {
    if (this.#begun === undefined) await this.begin(prove);
    const begun = this.#begun;
    if (begun === undefined) throw new TypeError("begin() has set this");
    const checksum = await begun.checksum;
    try {
      for (let at = 0; at < checksum.length;) at += begun.file.writeSync(checksum.subarray(at));
    } catch (error) {
      throw fromOsError(error, { given: ".git/index" });
    }
    const info = begun.file.statSync();
    if (secondOf(info) > begun.second) {
      await this.begin(prove, secondOf(info)); // the clock moved on meanwhile, which changes what is racy
      return await this.write(prove);
    }
    this.#written = { seen: markOf(info, checksum.toString("hex")), second: secondOf(info) };
  }

  /** Replaces the index by what was written. */
  publish(): void {
    if (this.#aside !== undefined) keepAside(this.#git, this.#aside);
    this.#aside = undefined;
    this.#git.rename(TEMP, "index", { replacing: this.#entries.bytes.length, isSynced: false });
    this.#isUnsynced = true;
    this.#close();
    this.#seen = this.#written.seen;
    this.#second = this.#written.second;
  }

  /** Syncs what was put in place, if anything was: for when nobody is waiting. */
  async sync(): Promise<void> {
    if (!this.#isUnsynced) return;
    this.#isUnsynced = false;
    using file = this.#git.openToRead("index");
    await syncFile(file);
  }

  async save(prove: Prove): Promise<void> {
    await this.write(prove);
    this.publish();
  }

  /** Removes what was written and forgets what is known: the file is read again. */
  discard(): void {
    if (this.#begun !== undefined) this.#git.remove(TEMP);
    this.#close();
    this.#seen = "none yet";
  }

  #close(): void {
    this.#begun?.file.close();
    this.#begun = undefined;
  }

  /** Tells one state of the file from another: its stat, and the checksum at its end. */
  #mark(info: Deno.FileInfo | undefined): string {
    if (info === undefined || info.size < CHECKSUM) return "none";
    using file = this.#git.openToRead("index", info);
    file.seekSync(-CHECKSUM, Deno.SeekMode.End);
    const checksum = Buffer.alloc(CHECKSUM);
    file.readSync(checksum);
    return markOf(info, checksum.toString("hex"));
  }

  #noteRacy(name: string, { stat }: IndexEntry): void {
    if (stat !== undefined) this.#racy.add(name);
  }

  async #settleRacy(prove: Prove, now: number): Promise<void> {
    let read = 0;
    for (const name of [...this.#racy]) {
      const start = startOf(this.#entries, name);
      const { bytes } = this.#entries;
      if (start !== undefined && bytes.readUInt32BE(start + 8) >= now) continue; // still racy, for git too
      this.#racy.delete(name);
      if (start === undefined) continue;
      const isCheap = bytes.readUInt32BE(start + 36) <= SETTLED_SIZE && read++ < SETTLED_BY_READING;
      const info = isCheap ? await prove(name, entryFrom(this.#entries, start)) : undefined;
      if (info === undefined || !isSameState(bytes, encodeStat(info), start)) {
        bytes.fill(0, start, start + 24).fill(0, start + 28, start + 40);
      }
    }
  }
}

const TEMP = "mcp/index.tmp";

/** A damaged index is kept: a person may still find in it what was staged. */
function asideName(file: Buffer): string | undefined {
  return file.length === 0 ? undefined : `mcp/index.damaged-${hashObject("blob", file).slice(0, 10)}`;
}

function keepAside(git: GitFolder, name: string): void {
  try {
    git.link("index", name); // or it is there already
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    git.recreate(name, git.read("index") ?? new Uint8Array(), { mode: 0o600 }).close();
  }
}

/** Up to this, hashing here is faster than handing it to another thread. */
const SMALL = 128 * 1024;

function sha1(bytes: Buffer<ArrayBuffer>): Buffer | Promise<Buffer> {
  if (bytes.length <= SMALL) return createHash("sha1").update(bytes).digest();
  return crypto.subtle.digest("SHA-1", bytes).then((digest) => Buffer.from(digest));
}

function markOf({ ino, size, mtime }: Deno.FileInfo, checksum: string): string {
  return `${ino} ${size} ${mtime?.getTime()} ${checksum}`;
}

function secondOf(info: Deno.FileInfo | undefined): number {
  return Math.floor((info?.mtime?.getTime() ?? 0) / 1000);
}

const NOTHING = Buffer.alloc(0);
