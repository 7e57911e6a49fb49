/**
 * Where the branch stands: HEAD, the branch it names, loose or in packed-refs. The branch moves under git's own
 * lock, whose content is the new commit. That lock is a second name of `mcp/branch`, so that after a crash it can
 * be told from one of git's.
 */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../confine/path_rules.ts";
import { type GitFolder } from "./git_folder.ts";
import { lockByLink } from "./lock_by_link.ts";

export interface Head {
  /** The branch: `refs/heads/main`. */
  readonly ref: string;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
}

const OID = /^[0-9a-f]{40}$/;
export const BRANCH = "branch";
const MINE = `mcp/${BRANCH}`;

/** The last commit, for looking back: also when HEAD is on no branch. */
export function lastCommit(git: GitFolder): string | undefined {
  const text = textOfHead(git);
  return OID.test(text) ? text : readHead(git).commit;
}

function textOfHead(git: GitFolder): string {
  return git.readSettled("HEAD")?.trim() ?? "";
}

/** The branch that HEAD is on, for changing it. */
export function readHead(git: GitFolder): Head {
  const text = textOfHead(git);
  if (!text.startsWith("ref: ")) {
    throw new PaddockError(
      "UNSUPPORTED",
      'the workspace is not on a branch ("detached HEAD"); run "git switch" to a branch there',
    );
  }
  const ref = text.slice(5).trim();
  // A name with `..` in it would lead out of .git.
  if (!/^refs\/heads\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) || /\.\.|\/\/|\/\.|\/$|\.lock$/.test(ref)) {
    throw new PaddockError("UNSUPPORTED", `HEAD of the workspace names no branch: ${quote(ref)}`);
  }
  return { ref, commit: resolveRef(git, ref) };
}

export function resolveRef(git: GitFolder, ref: string): string | undefined {
  const loose = git.readText(ref)?.trim();
  if (loose !== undefined && loose !== "") {
    if (OID.test(loose)) return loose;
    throw new PaddockError("UNSUPPORTED", `${quote(ref)} of the workspace is not a plain branch`);
  }
  for (const line of git.readText("packed-refs")?.split("\n") ?? []) {
    if (line.slice(41) === ref && OID.test(line.slice(0, 40))) return line.slice(0, 40);
  }
  return undefined;
}

/** The new value of a branch, while nobody else can change it. */
export class RefLock {
  readonly #git: GitFolder;
  readonly #ref: string;

  private constructor(git: GitFolder, ref: string) {
    this.#git = git;
    this.#ref = ref;
  }

  /** Writes what the branch is to be; the file is for the caller to sync and close. */
  static prepare(git: GitFolder, commit: string): Deno.FsFile {
    return git.recreate(MINE, new TextEncoder().encode(`${commit}\n`), { mode: 0o644 });
  }

  static async take(
    git: GitFolder,
    ref: string,
    wait: { deadline: number; signal: AbortSignal | undefined },
  ) {
    const lock = () =>
      lockByLink(git, { mine: MINE, lock: `${ref}.lock`, what: `the branch ${quote(ref)}`, ...wait });
    try {
      await lock();
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code !== "NOT_FOUND") throw error;
      git.makeFolder(folderOfRef(ref));
      await lock();
    }
    return new RefLock(git, ref);
  }

  /** Moves the branch; the lock is gone with that. After it, nothing is an error any more. */
  commit(): void {
    this.#git.rename(`${this.#ref}.lock`, this.#ref);
    try {
      this.#git.remove(MINE);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error; // the next change removes it
    }
  }

  release(): void {
    this.#git.remove(`${this.#ref}.lock`);
    this.#git.remove(MINE);
  }
}

/** The commit that a process which died was about to move its branch to: the file goes right after the move. */
export function readMoving(git: GitFolder): string | undefined {
  return git.readText(MINE)?.trim();
}

/** Removes a lock on the branch that a process of ours left behind. */
export function removeStaleRefLock(git: GitFolder, ref: string): void {
  const mine = git.readText(MINE);
  if (mine !== undefined && git.readText(`${ref}.lock`) === mine) git.remove(`${ref}.lock`);
  if (mine !== undefined) git.remove(MINE);
}

export function folderOfRef(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("/"));
}
