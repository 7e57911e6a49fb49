/**
 * A regular file, open for reading, proven to be the one that was resolved: a folder can be swapped for a
 * link between the check and the opening (a race a local attacker can win), and no byte read through such a
 * link may be returned. It is opened without blocking and must be regular: a FIFO or a device must not hang a
 * call.
 *
 * It also reports whether its content is still the same as when it was read. Time stamps have millisecond
 * precision at best, from a clock that ticks every few milliseconds, so two saves can share one; small files
 * are therefore kept in memory and compared byte by byte.
 *
 * Where locks are mandatory, as on Windows, a file that this process has locked is read through the handle
 * that holds the lock.
 */
import {
  about,
  ATTEMPTS,
  isRegular,
  kindOf,
  loadedNodeFs,
  loadNodeFs,
  moved,
  type NodeFs,
  restless,
} from "./checks.ts";
import {
  type Handle,
  type HandleStat,
  isBarred,
  kernelHandle,
  lockingHandle,
  openedHandle,
} from "./handles.ts";
import { lockedHandle } from "./held_locks.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { isEqual } from "../base/equal_bytes.ts";
import { type Identity, isSameFile } from "../base/identity.ts";
import { osCode } from "./os_errors.ts";
import { isOpenAt, isProven, isSame, THOROUGH } from "./proof.ts";
import { type ConfinedPath, leadsElsewhere } from "./resolve_path.ts";

interface OpenFile {
  handle: Handle;
  stat: HandleStat;
}

interface Opening {
  open: (path: ConfinedPath) => Handle | undefined;
  holdUpTo: number;
}

export interface OpenOptions {
  /**
   * Content of up to this many bytes is read at once and kept: later reads return it, whoever writes in the
   * meantime.
   */
  holdUpTo?: number;
}

/** What a file is read into to compare its content. */
const compared = new Uint8Array(64 * 1024);

export class ConfinedFile {
  readonly #handle: Handle;
  readonly #holdUpTo: number;
  #stat: HandleStat;
  #isOpen = true;
  #held: Uint8Array | undefined;
  #wasRead = false;
  readonly path: ConfinedPath;

  private constructor(
    path: ConfinedPath,
    { handle, stat, holdUpTo }: OpenFile & { holdUpTo: number },
  ) {
    this.#handle = handle;
    this.#holdUpTo = holdUpTo;
    this.#stat = stat;
    this.path = path;
    this.#hold();
  }

  static async open(path: ConfinedPath, { holdUpTo = -1 }: OpenOptions = {}): Promise<ConfinedFile> {
    const kept = about(path, () => ConfinedFile.#openAndProve(path, { open: openKept, holdUpTo }));
    if (kept !== undefined) return kept;
    const fs = await loadNodeFs();
    return about(path, () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const file = ConfinedFile.#openAndProve(path, { open: (path) => openWithNode(fs, path), holdUpTo });
        if (file !== undefined) return file;
        if (leadsElsewhere(path)) throw moved(path);
      }
      throw restless(path); // replaced again and again, faster than we can check
    });
  }

  /** Undefined if it was not opened, or another file was in its place. */
  static #openAndProve(path: ConfinedPath, { open, holdUpTo }: Opening): ConfinedFile | undefined {
    const since = Date.now();
    const handle = open(path);
    if (handle === undefined) return undefined;
    let file: ConfinedFile | undefined;
    try {
      const stat = handle.stat();
      const isRight = (handle.isReal || isOpenAt(path, handle.descriptor) ||
        isProven(path, () => isSame(path, stat), { since, rounds: THOROUGH })) &&
        isRegular(kindOf(stat), path);
      return file = isRight ? new ConfinedFile(path, { handle, stat, holdUpTo }) : undefined;
    } finally {
      if (file === undefined) handle.close();
    }
  }

  get size(): number {
    return this.#held?.length ?? this.#stat.size;
  }

  get mtimeMs(): number {
    return this.#stat.mtimeMs;
  }

  get mode(): number {
    return (this.#stat.mode ?? 0) & 0o7777;
  }

  get owner(): { uid: number; gid: number } {
    return { uid: this.#stat.uid ?? 0, gid: this.#stat.gid ?? 0 };
  }

  /** Whether the content is kept in memory. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** The content, if it is kept in memory; not to be modified. */
  held(): Uint8Array | undefined {
    this.#wasRead ||= this.#held !== undefined;
    return this.#held;
  }

  /** Whether its content has been read. */
  get wasRead(): boolean {
    return this.#wasRead;
  }

  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. */
  readAt(buffer: Uint8Array, position: number): number {
    this.#wasRead = true;
    if (this.#held === undefined) return this.#readAt(buffer, position);
    const part = this.#held.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  }

  /**
   * Whether the open file's content is unchanged since it was opened, wherever the file is now. True for a
   * closed one.
   */
  isUnchanged(): boolean {
    if (!this.#isOpen) return true;
    return about(this.path, () => {
      const { size, mtimeMs } = this.#handle.stat();
      if (mtimeMs !== this.#stat.mtimeMs || size !== this.#stat.size) return false;
      return this.#held === undefined || this.#holds(this.#held);
    });
  }

  /** Whether it is still at its path, with the same owner and mode; the last check before it is replaced. */
  isInPlace(): boolean {
    try {
      const now = Deno.lstatSync(this.path.absolute); // faster than node's, and every microsecond counts here
      const { ctimeMs, mtimeMs, mode, uid, gid } = this.#stat;
      const isOwned = now.uid === null || (now.uid === uid && now.gid === gid); // Windows reports no owner
      return isSameFile(now, this.#stat) && now.ctime?.getTime() === ctimeMs && now.mode === mode &&
        isOwned &&
        (this.#isOpen || now.mtime?.getTime() === mtimeMs);
    } catch (error) {
      if (osCode(error) !== undefined) return false;
      throw error;
    }
  }

  /** Whether `found` is the open file. */
  is(found: Identity): boolean {
    return isSameFile(found, this.#stat);
  }

  /**
   * Closes it early, where it cannot be replaced while open. Nobody else can have it open then, so nothing
   * more is saved into it.
   */
  letGo(): void {
    if (this.#isOpen) this.#handle.close();
    this.#isOpen = false;
  }

  /** Makes the open file's current state the one to compare with. */
  lookAgain(): void {
    about(this.path, () => {
      this.#stat = this.#handle.stat();
      this.#hold();
    });
  }

  /** A file that grows while it is read is read again; one that keeps growing is not kept. */
  #hold(): void {
    this.#held = undefined;
    for (let attempt = 0; attempt < ATTEMPTS && this.#stat.size <= this.#holdUpTo; attempt++) {
      const content = this.#content(this.#stat.size);
      if (content.length <= this.#stat.size) return void (this.#held = content);
      this.#stat = this.#handle.stat();
    }
  }

  /** The content, up to one byte more than `expected`. */
  #content(expected: number): Uint8Array {
    const bytes = new Uint8Array(expected + 1);
    for (let length = 0;;) {
      const read = this.#readAt(bytes.subarray(length), length);
      if (read === 0 || (length += read) === bytes.length) return bytes.subarray(0, length);
    }
  }

  /** Whether this is its content. */
  #holds(expected: Uint8Array): boolean {
    for (let at = 0;;) {
      const read = this.#readAt(compared, at);
      if (read === 0) return at === expected.length;
      if (!isEqual(compared.subarray(0, read), expected.subarray(at, at + read))) return false;
      at += read;
    }
  }

  #readAt(buffer: Uint8Array, position: number): number {
    return about(this.path, () => this.#handle.read(buffer, position));
  }

  [Symbol.dispose](): void {
    this.letGo();
  }
}

/**
 * Opens it with the kept calls, which take a fraction of the time, and so does the first file if Node's module need
 * not be loaded for it. Undefined if the runtime has to try, and report what is wrong.
 */
function openKept(path: ConfinedPath): Handle | undefined {
  const file = kernelCalls()?.openFile(path.absolute);
  if (file === undefined) return undefined;
  const fs = loadedNodeFs();
  return readable(path, kernelHandle(file, fs && (() => nodeHandle(fs, path))));
}

function openWithNode(fs: NodeFs, path: ConfinedPath): Handle {
  return readable(path, nodeHandle(fs, path));
}

/** The handle itself, unless our lock prevents reading the file through any but the locking one. */
function readable(path: ConfinedPath, handle: Handle): Handle {
  const locked = lockedHandle(path);
  if (locked === undefined || !isBarred(handle)) return handle;
  handle.close();
  return lockingHandle(locked);
}

function nodeHandle(fs: NodeFs, path: ConfinedPath): Handle {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  return openedHandle(fs, fs.openSync(path.absolute, O_RDONLY | O_NONBLOCK));
}
