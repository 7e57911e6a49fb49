/**
 * One change at a time, in whatever process: a fair queue in this one, then a flock on `.git/mcp/lock`, which dies
 * with its process, then git's own index.lock, so that a person's `git commit` waits or fails, and never mixes in.
 */
import { PaddockError } from "../../base/errors.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { type Locks } from "../locks.ts";
import { type GitFolder } from "./git_folder.ts";
import { isOurs, lockByLink } from "./lock_by_link.ts";

export interface LockWait {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

const LOCK = "mcp/lock";
const MINE = { mine: "mcp/mine", lock: "index.lock" };
const MARK = "paddock is changing this workspace\n";

export class WorkspaceLock {
  readonly #git: GitFolder;
  readonly #locks: Locks;

  constructor(git: GitFolder, locks: Locks) {
    this.#git = git;
    this.#locks = locks;
  }

  async with<T>({ waitMs, signal }: LockWait, body: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = Date.now() + waitMs;
    this.#ensure(LOCK, "");
    const locked = async () => {
      this.#ensure(MINE.mine, MARK);
      await lockByLink(this.#git, { ...MINE, what: "the index", deadline, signal });
      try {
        return await body(deadline);
      } finally {
        if (isOurs(this.#git, MINE)) this.#git.remove(MINE.lock);
      }
    };
    try {
      return await this.#locks.withFile(this.#git.at(LOCK), locked, { waitMs, signal });
    } catch (error) {
      throw isWaitOver(error) ? busy(error) : error;
    }
  }

  /** Whether a process of ours left git's lock behind; one that is at work holds it as well. */
  isMarked(): boolean {
    return isOurs(this.#git, MINE);
  }

  /** A file that is there from then on. It appears with its content or not at all. */
  #ensure(path: string, content: string): void {
    if (this.#git.stat(path) !== undefined) return;
    this.#git.makeFolder("mcp");
    const temp = `mcp/${crypto.randomUUID()}.new`;
    this.#git.create(temp, encodeUtf8(content), { mode: 0o600 }).close();
    this.#git.link(temp, path); // if somebody else was first, theirs is as good
    this.#git.remove(temp);
  }
}

function isWaitOver(error: unknown): boolean {
  return error instanceof PaddockError && error.code === "TIMEOUT" &&
    error.message.startsWith("could not lock");
}

function busy(cause: unknown): PaddockError {
  return new PaddockError(
    "TIMEOUT",
    "the workspace is busy: another call or process has been changing it all the while; try again later",
    { cause },
  );
}
