/**
 * Locks across processes. The lock of a file is a flock on its inode, so it needs no lock file and dies with
 * the process. A replaced file is a new inode: after locking, the path is looked at again, and a lock on what
 * is no longer there is given back. In front of it stands a fair queue per path, so that a hundred calls in
 * one process contend with other processes as one.
 */
import { abortReason, PaddockError, throwIfAborted } from "../base/errors.ts";
import { isCurrent, LockedFile, openFolder, openForLock } from "../confine/confined_fs.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { quote } from "../confine/path_rules.ts";
import { delay } from "./yield.ts";

export const LOCK_WAIT_MS = 30_000;

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** How long to wait at most; 30 s unless told. */
  waitMs?: number;
  /**
   * For a file that is to be removed or moved, which takes no right to write to it: one that may only be read is
   * locked by reading, and one that may not even be read is not locked, as nobody else of this user's could.
   */
  forRemoval?: boolean;
  /** Where the file stays open from one time to the next: for one that is locked again and again. */
  kept?: KeptFile | undefined;
}

export interface KeptFile {
  file: Deno.FsFile | undefined;
}

/** What a lock holds: the open file, or undefined when there is none yet and only this process is held off. */
export interface HeldLock {
  readonly file: Deno.FsFile | undefined;
}

export class Locks {
  readonly #tails = new Map<string, Promise<void>>();
  #waits = 0;

  /** How often a lock could not be had at once, since the start. */
  get waits(): number {
    return this.#waits;
  }

  /** Runs `body` while holding the lock of the file at `path`, or of its place when there is no file. */
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
        if (kept === undefined) left?.close(); // closing gives the flock back
        else {
          left?.unlockSync();
          kept.file = left;
        }
      }
    });
  }

  /** Runs `body` while holding the lock of a whole folder: for changes of structure below it. */
  withFolder<T>(path: ConfinedPath, body: () => Promise<T>, options: LockOptions = {}): Promise<T> {
    return this.#queued(path, options, async (deadline) => {
      const folder = await this.#lock(path, { ...options, deadline, open: () => openFolder(path) });
      try {
        return await body();
      } finally {
        folder?.close();
      }
    });
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
      // One that gave up its turn still stands for those in front of it: who comes next has to wait for them.
      if (reached) forget();
      else tail.then(forget);
    }
  }

  async #lock(
    path: ConfinedPath,
    { signal, deadline, open }: LockOptions & { deadline: number; open: () => Deno.FsFile | undefined },
  ): Promise<Deno.FsFile | undefined> {
    for (let attempt = 0;; attempt++) {
      throwIfAborted(signal);
      const file = open();
      if (file === undefined) return undefined;
      let [isLocked, keep] = [false, false];
      try {
        isLocked = file.tryLockSync(true);
        keep = isLocked && isCurrent(file, path);
      } finally {
        if (!keep) file.close();
      }
      if (keep) return file;
      if (isLocked && attempt === 0) continue; // nobody holds it: it is another file than the one that was kept
      if (attempt === 0) this.#waits++;
      if (Date.now() >= deadline) throw waitedTooLong(path);
      await delay(1 + Math.random() * Math.min(attempt + 1, 8), signal);
    }
  }
}

/** It is nobody else's until it is put back; one that is not the file any more is not. */
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

interface Turn {
  path: ConfinedPath;
  deadline: number;
  signal: AbortSignal | undefined;
}

/** Waits for the calls in front, for the deadline or for a cancellation, whichever comes first. */
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
    `could not lock ${what}: another call or process has held it all the while; try again later`,
  );
}
