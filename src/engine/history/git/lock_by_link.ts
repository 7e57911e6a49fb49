/**
 * Takes git's own lock files by giving a file of ours a second name: the lock appears together with the mark
 * that it is ours, or not at all. Whoever holds the workspace's flock knows that a lock with that mark is
 * stale.
 */
import { PaddockError, throwIfAborted } from "../../../base/errors.ts";
import { NO_HARD_LINKS } from "../../../confine/confined_fs.ts";
import { osCode } from "../../../confine/os_errors.ts";
import { isOne } from "../../stamps.ts";
import { delay } from "../../yield.ts";
import type { GitFolder } from "./git_folder.ts";

export interface LinkLock {
  /** Our file. */
  readonly mine: string;
  /** The lock: `index.lock`. */
  readonly lock: string;
  /** What is locked, for the error message. */
  readonly what: string;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

export async function lockByLink(git: GitFolder, options: LinkLock): Promise<void> {
  const { mine, lock, what, deadline, signal } = options;
  for (let attempt = 0;; attempt++) {
    throwIfAborted(signal);
    if (linkOrCopy(git, { mine, lock })) return;
    if (isOurs(git, { mine, lock })) {
      git.remove(lock);
      continue;
    }
    if (Date.now() >= deadline) {
      throw new PaddockError(
        "CONFLICT",
        `git has locked ${what} of the workspace (.git/${lock} exists): wait for the git command that is running ` +
          "there to end; if none is, a crashed one left the file, and it can be removed",
      );
    }
    await delay(2 + Math.min(attempt, 20), signal);
  }
}

/** Whether an existing lock is ours: git's own never has the content of our file. */
export function isOurs(git: GitFolder, { mine, lock }: { mine: string; lock: string }): boolean {
  const there = git.stat(lock);
  const our = there === undefined ? undefined : git.stat(mine);
  if (there === undefined || our === undefined || there.size !== our.size) return false;
  if (isOne(there, our)) return true;
  const [marked, ours] = [git.read(lock), git.read(mine)];
  return marked !== undefined && ours !== undefined && ours.length > 0 && marked.equals(ours);
}

/** On a file system without hard links, creates a new file with the same content. */
function linkOrCopy(git: GitFolder, { mine, lock }: { mine: string; lock: string }): boolean {
  try {
    return git.link(mine, lock);
  } catch (error) {
    const content = git.read(mine);
    if (content === undefined || !isUnsupported(error)) throw error;
    try {
      git.create(lock, content, { mode: 0o644 }).close();
      return true;
    } catch (failure) {
      if (failure instanceof PaddockError && failure.code === "ALREADY_EXISTS") return false;
      throw failure;
    }
  }
}

/** The errors by which file systems without hard links say so. */
export function isUnsupported(error: unknown): boolean {
  const cause = error instanceof PaddockError ? error.cause : error;
  const code = osCode(cause);
  return code !== undefined && NO_HARD_LINKS.has(code);
}
