/**
 * Locks across processes. A file's lock is a flock on its inode, so it needs no lock file and ends with the
 * process. A replaced file is a new inode: after locking, the path is checked again, and a lock on what is no
 * longer there is released. In front of it is a fair queue per path, so that a hundred calls in one process contend
 * with other processes as one.
 */
import { abortReason, PaddockError, throwIfAborted } from "../base/errors.ts";
import {
  createFile,
  discardTemp,
  isCurrent,
  LockedFile,
  openFolder,
  openForLock,
} from "../confine/confined_fs.ts";
import { osCode } from "../confine/os_errors.ts";
import { childOf, type ConfinedPath } from "../confine/resolve_path.ts";
import { quote } from "../confine/path_rules.ts";
import { whileInUse } from "./transient.ts";
import { delay } from "./yield.ts";

export const LOCK_WAIT_MS = 30_000;

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** The longest wait; default: 30 s. */
  waitMs?: number;
  /**
   * For a file to be removed or moved, which takes no permission to write to it: one that may only be read is
   * locked by reading, and one that may not even be read is not locked, because nobody else with this user's rights
   * could lock it either.
   */
  forRemoval?: boolean;
  /** Keeps the file open for the next time: for one that is locked again and again. */
  kept?: KeptFile | undefined;
}

export interface KeptFile {
  file: Deno.FsFile | undefined;
}

/** What a lock holds: the open file, or undefined if there is none yet and only this process is kept out. */
export interface HeldLock {
  readonly file: Deno.FsFile | undefined;
}

export class Locks {
  readonly #tails = new Map<string, Promise<void>>();
  #waits = 0;

  /** How often a lock had to be waited for, since the start. */
  get waits(): number {
    return this.#waits;
  }

  /** Runs `body` while holding the lock of the file at `path`, or of its place if there is no file. */
  withFile<T>(
    path: ConfinedPath,
    body: (lock: HeldLock) => Promise<T>,
    options: LockOptions = {},
  ): Promise<T> {
    const { kept } = options;
    return this.#queued(path, options, async (deadline) => {
      const open = () => takeFrom(kept) ?? openIfThere(path, options);
      const file = await this.#lock(path, { ...options, deadline, open });
      const locked = file && new LockedFile(path, file);
      try {
        return await body({ file });
      } finally {
        const left = locked?.end();
        if (kept === undefined) left?.close(); // closing releases the flock
        else kept.file = left && unlocked(left);
      }
    });
  }

  /** Runs `body` while holding the lock of a whole folder: for structural changes below it. */
  withFolder<T>(path: ConfinedPath, body: () => Promise<T>, options: LockOptions = {}): Promise<T> {
    return this.#queued(path, options, async (deadline) => {
      using _lock = await this.#lockFolder(path, { ...options, deadline });
      return await body();
    });
  }

  /**
   * Locks by a flock on the folder. Where folders cannot be locked (Windows, some network file systems), locks a
   * file in it whose name no tool can see. It is removed when the lock is released; one left by a crash is used
   * again, or swept.
   */
  async #lockFolder(path: ConfinedPath, options: LockOptions & { deadline: number }): Promise<Disposable> {
    try {
      const folder = await this.#lock(path, { ...options, open: () => openFolder(path) });
      if (folder !== undefined) return { [Symbol.dispose]: () => folder.close() };
    } catch (error) {
      if (!NO_FOLDER_LOCKS.has(osCode(error) ?? "")) throw error;
    }
    const place = childOf(path, FOLDER_LOCK);
    const file = await this.#lock(place, { ...options, what: path, open: () => openOrCreate(place) });
    return {
      [Symbol.dispose]: () => {
        if (file !== undefined) discardTemp(place, file);
        file?.close();
      },
    };
  }

  async #queued<T>(
    path: ConfinedPath,
    options: LockOptions,
    run: (deadline: number) => Promise<T>,
  ): Promise<T> {
    const key = path.absolute;
    const deadline = Date.now() + (options.waitMs ?? LOCK_WAIT_MS);
    const before = this.#tails.get(key);
    let release = () => {};
    const done = new Promise<void>((resolve) => release = resolve);
    const tail = (before ?? Promise.resolve()).then(() => done);
    this.#tails.set(key, tail);
    const forget = () => this.#tails.get(key) === tail && this.#tails.delete(key);
    let reached = before === undefined;
    try {
      if (before !== undefined) {
        this.#waits++;
        await turn(before, { path, deadline, signal: options.signal });
        reached = true;
      }
      return await run(deadline);
    } finally {
      release();
      // A call that gave up still stands for those in front of it: the next one has to wait for them.
      if (reached) forget();
      else tail.then(forget);
    }
  }

  async #lock(
    path: ConfinedPath,
    { signal, deadline, open, what = path }: LockOptions & Opening,
  ): Promise<Deno.FsFile | undefined> {
    for (let attempt = 0;; attempt++) {
      throwIfAborted(signal);
      const file = await whileInUse(open, signal);
      if (file === undefined) return undefined;
      let [isLocked, keep] = [false, false];
      try {
        isLocked = file.tryLockSync(true);
        keep = isLocked && isCurrent(file, path);
      } finally {
        if (!keep) file.close();
      }
      if (keep) return file;
      if (isLocked && attempt === 0) continue; // nobody holds it: it is a different file from the one that was kept open
      if (attempt === 0) this.#waits++;
      if (Date.now() >= deadline) throw waitedTooLong(what);
      await delay(1 + Math.random() * Math.min(attempt + 1, 8), signal);
    }
  }
}

/** One of the names reserved for us. */
const FOLDER_LOCK = ".paddock-lock.tmp";
const NO_FOLDER_LOCKS = new Set(["ENOTSUP", "EOPNOTSUPP", "ENOLCK", "EBADF", "EINVAL", "ENOSYS"]);

/**
 * Undefined if no file can be created: then no process with this user's rights can, and none changes the folder.
 */
function openOrCreate(path: ConfinedPath): Deno.FsFile | undefined {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return openIfThere(path, {}) ?? createFile(path);
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code === "TIMEOUT") throw error;
      if (error.code === "PERMISSION_DENIED" || error.code === "NOT_FOUND") return undefined;
      if (error.code !== "ALREADY_EXISTS") throw error; // somebody else was first: open theirs
    }
  }
  return undefined;
}

/** Keeps a file open without its lock; if that is impossible, closes it, which releases the lock too. */
function unlocked(file: Deno.FsFile): Deno.FsFile | undefined {
  try {
    file.unlockSync();
    return file;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    file.close();
    return undefined;
  }
}

/** Takes it out, so that nobody else uses it until it is put back. */
function takeFrom(kept: KeptFile | undefined): Deno.FsFile | undefined {
  const file = kept?.file;
  if (kept !== undefined) kept.file = undefined;
  return file;
}

function openIfThere(path: ConfinedPath, { forRemoval = false }: LockOptions): Deno.FsFile | undefined {
  try {
    return openForLock(path, { orRead: forRemoval });
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    if (error.code === "NOT_FOUND" || (forRemoval && error.code === "PERMISSION_DENIED")) return undefined;
    throw error;
  }
}

interface Opening {
  deadline: number;
  open: () => Deno.FsFile | undefined;
  /** What is locked, for the error message, if not the file itself. */
  what?: ConfinedPath;
}

interface Turn {
  path: ConfinedPath;
  deadline: number;
  signal: AbortSignal | undefined;
}

/** Waits for the calls in front, the deadline or a cancellation, whichever comes first. */
async function turn(before: Promise<void>, { path, deadline, signal }: Turn): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const timer = setTimeout(() => reject(waitedTooLong(path)), Math.max(0, deadline - Date.now()));
  const abort = () => signal !== undefined && reject(abortReason(signal));
  signal?.addEventListener("abort", abort, { once: true });
  try {
    throwIfAborted(signal);
    await Promise.race([before, promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
  throwIfAborted(signal);
}

function waitedTooLong(path: ConfinedPath): PaddockError {
  const what = path.relative === "" ? `root ${path.root.name}` : quote(path.given);
  return new PaddockError(
    "TIMEOUT",
    `could not lock ${what}: another call or process kept it locked; try again later`,
  );
}
