/**
 * Objects in files of their own, as git writes them: `objects/xx/…`, made under a name that git knows for a
 * temporary one, read-only, and renamed when all of it is on the disk. A crash leaves nothing but such names,
 * which `git gc` tidies away.
 */
import { Buffer } from "node:buffer";
import { deflate, deflateSync, inflateSync } from "node:zlib";
import { PaddockError } from "../../base/errors.ts";
import { settleGit } from "./settle_git.ts";
import { type GitFolder } from "./git_folder.ts";
import { inflateStart } from "./inflate_start.ts";
import { damaged, type GitObject, hashObject, headerOf, type ObjectType, parseObject } from "./objects.ts";

export function pathOfObject(oid: string): string {
  return `objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

export function readLoose(git: GitFolder, oid: string): GitObject | undefined {
  const packed = git.read(pathOfObject(oid));
  if (packed === undefined) return undefined;
  let raw: Buffer;
  try {
    raw = inflateSync(packed);
  } catch {
    throw damaged(oid);
  }
  return parseObject(raw, oid);
}

/** The header is at the beginning; how the bytes are compressed takes up to 300 bytes before it. */
const START_BYTES = 512;
const HEADER_BYTES = 32;

export function sizeOfLoose(git: GitFolder, oid: string): number | undefined {
  const start = git.readStart(pathOfObject(oid), START_BYTES);
  if (start === undefined) return undefined;
  const header = inflateStart(start).toString("latin1", 0, HEADER_BYTES);
  const [, size] = /^[a-z]+ ([0-9]+)\0/.exec(header) ?? [];
  if (size === undefined) throw damaged(oid);
  return Number(size);
}

/** Above this, compressing a tree costs more than it saves until the object is packed. */
const STORED_TREE = 64 * 1024;
/** Above this, compressing goes through the thread pool, so that the event loop stays free. */
const INLINE_DEFLATE = 256 * 1024;
/** Above this, an object that is there is not written again. */
const LARGE = 64 * 1024;
/** How often a folder that git removes is made again. */
const ATTEMPTS = 20;
/** How many files are open at once. */
const OPEN_FILES = 64;

interface Pending {
  readonly oid: string;
  readonly temp: string;
  readonly file: Deno.FsFile;
}

/** Objects that are written together: they get their names all at once, after they are on the disk. */
export class ObjectBatch {
  readonly #git: GitFolder;
  readonly #isPacked: (oid: string) => boolean;
  #pending: Pending[] = [];
  readonly #names = new Set<string>();
  /** Folders with new names in them. */
  readonly #renamed = new Set<string>();

  constructor(git: GitFolder, isPacked: (oid: string) => boolean) {
    this.#git = git;
    this.#isPacked = isPacked;
  }

  /**
   * Takes an object in and gives its name. A large one that is there already is only touched; a small one is written
   * over, which takes less than to find out.
   */
  async add(type: ObjectType, data: Uint8Array): Promise<string> {
    const oid = hashObject(type, data);
    if (this.#names.has(oid) || (data.length > LARGE && this.#isThere(oid))) return oid;
    const raw = Buffer.concat([headerOf(type, data.length), data]);
    const packed = await compress(raw, type === "tree" && raw.length > STORED_TREE ? 0 : 1);
    if (this.#pending.length >= OPEN_FILES) await this.flush();
    const folder = `objects/${oid.slice(0, 2)}`;
    const temp = `${folder}/tmp_obj_${crypto.randomUUID().replaceAll("-", "")}`;
    this.#pending.push({ oid, temp, file: this.#create(folder, temp, packed) });
    this.#names.add(oid);
    return oid;
  }

  /** The folder is there most of the time. A `git gc` removes it whenever it is empty, also right after it was made. */
  #create(folder: string, temp: string, content: Uint8Array): Deno.FsFile {
    for (let attempt = 1;; attempt++) {
      try {
        if (attempt > 1) this.#git.makeFolder(folder);
        return this.#git.create(temp, content, { mode: 0o444 });
      } catch (error) {
        if (!isNotFound(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  #isThere(oid: string): boolean {
    if (this.#git.stat(pathOfObject(oid))?.isFile !== true) return this.#isPacked(oid);
    return this.#git.touch(pathOfObject(oid));
  }

  /** Files that are to be on the disk together with the objects; they are synced, not closed. */
  async flush(others: readonly Deno.FsFile[] = []): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    try {
      await Promise.all([...pending.map(({ file }) => file.sync()), ...others.map((file) => file.sync())]);
    } finally {
      for (const { file } of pending) file.close();
    }
    for (const { oid, temp } of pending) {
      try {
        this.#git.rename(temp, pathOfObject(oid));
      } catch (error) {
        throw isNotFound(error) ? tidiedAway(error) : error;
      }
      this.#renamed.add(`objects/${oid.slice(0, 2)}`);
    }
  }

  /** Brings the new names to the disk: before that of anything that refers to them. */
  async settle(): Promise<void> {
    await settleGit(this.#git, [...this.#renamed]);
    this.#renamed.clear();
  }

  /** Removes what has not got its name yet. */
  discard(): void {
    for (const { temp, file } of this.#pending) {
      file.close();
      this.#git.remove(temp);
    }
    this.#pending = [];
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof PaddockError && error.code === "NOT_FOUND";
}

/** `git gc --prune=now` does that, and says that nobody else must be at work. */
function tidiedAway(cause: unknown): PaddockError {
  return new PaddockError(
    "CONFLICT",
    "git tidied a new object away before it had its name (git prune, or git gc --prune=now); try again",
    { cause },
  );
}

function compress(raw: Buffer, level: number): Promise<Buffer> | Buffer {
  if (raw.length <= INLINE_DEFLATE || level === 0) return deflateSync(raw, { level });
  return new Promise((resolve, reject) =>
    deflate(raw, { level }, (error, result) => error === null ? resolve(result) : reject(error))
  );
}
