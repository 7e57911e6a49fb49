/**
 * One change at a time across processes: a fair queue in this one, then a flock on `.git/mcp/lock`, which ends
 * with its process, then git's own index.lock, so that a person's `git commit` waits or fails but never
 * interleaves.
 */
import { PaddockError } from "../../../base/errors.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { type HeldLock, type KeptFile, Locks } from "../../locks.ts";
import type { GitFolder } from "./git_folder.ts";
import { isOurs, isUnsupported, lockByLink } from "./lock_by_link.ts";

export interface LockWait {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether git may run meanwhile: for work that touches neither index nor branch. */
  readonly besideGit?: boolean;
}

const LOCK = "mcp/lock";
const MINE = { mine: "mcp/mine", lock: "index.lock" };
const MARK = "paddock is changing this workspace\n";

export class WorkspaceLock {
  readonly #git: GitFolder;
  readonly #locks: Locks;
  readonly #kept: KeptFile | undefined;

  /** `keepsOpen`: whether the lock file stays open between changes, until `letGo`. */
  constructor(git: GitFolder, { keepsOpen }: { readonly keepsOpen: boolean }) {
    this.#git = git;
    this.#locks = new Locks();
    this.#kept = keepsOpen ? { file: undefined } : undefined;
  }

  letGo(): void {
    this.#kept?.file?.close();
    if (this.#kept !== undefined) this.#kept.file = undefined;
  }

  async with<T>(
    { waitMs, signal, besideGit = false }: LockWait,
    body: (deadline: number) => Promise<T>,
  ): Promise<T> {
    const deadline = Date.now() + waitMs;
    const locked = async () => {
      if (besideGit) return { value: await body(deadline) };
      await this.#lockIndex({ deadline, signal });
      try {
        return { value: await body(deadline) };
      } finally {
        if (isOurs(this.#git, MINE)) this.#git.remove(MINE.lock);
      }
    };
    try {
      for (;;) {
        const ifThere = async ({ file }: HeldLock) => file === undefined ? undefined : await locked();
        const options = { waitMs, signal, kept: this.#kept };
        const done = await this.#locks.withFile(this.#git.at(LOCK), ifThere, options);
        if (done !== undefined) return done.value;
        this.#make(LOCK, "");
      }
    } catch (error) {
      throw isWaitOver(error) ? busy(error) : error;
    }
  }

  async #lockIndex(wait: { deadline: number; signal: AbortSignal | undefined }): Promise<void> {
    for (;;) {
      try {
        return await lockByLink(this.#git, { ...MINE, what: "the index", ...wait });
      } catch (error) {
        if (this.#git.stat(MINE.mine) !== undefined) throw error;
        this.#make(MINE.mine, MARK);
      }
    }
  }

  /** Whether a lock was ever taken here. */
  isMade(): boolean {
    return this.#git.stat(LOCK) !== undefined;
  }

  /** Whether git's lock is there with our mark: left by a dead process, or held by one at work. */
  isMarked(): boolean {
    return isOurs(this.#git, MINE);
  }

  /** Creates a file for good. It appears with its content or not at all. */
  #make(path: string, content: string): void {
    this.#git.makeFolder("mcp");
    const temp = `mcp/${crypto.randomUUID()}.new`;
    this.#git.create(temp, encodeUtf8(content), { mode: 0o600 }).close();
    try {
      this.#git.link(temp, path); // if somebody else was first, theirs will do
      this.#git.remove(temp);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      this.#git.rename(temp, path); // a file system without hard links
    }
  }
}

function isWaitOver(error: unknown): boolean {
  return error instanceof PaddockError && error.code === "TIMEOUT" &&
    error.message.startsWith("could not lock");
}

function busy(cause: unknown): PaddockError {
  return new PaddockError(
    "TIMEOUT",
    "the workspace is busy: other calls or processes kept changing it; try again later",
    { cause },
  );
}
