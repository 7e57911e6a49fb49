/**
 * Where the branch is: HEAD, and the branch it names, loose or in packed-refs. The branch moves under git's own
 * lock file, whose content is the new commit. That lock is a second name of `mcp/branch`, so that after a crash
 * it can be told from git's.
 */
import { syncFile } from "../../../confine/confined_fs.ts";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { GitFolder } from "./git_folder.ts";
import { lockByLink } from "./lock_by_link.ts";
import { settleGit } from "./settle_git.ts";

export interface Head {
  /** The branch: `refs/heads/main`. */
  readonly ref: string;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
}

const OID = /^[0-9a-f]{40}$/;
const REF_BYTES = 41;
export const BRANCH = "branch";
export const INDEX_BEHIND = "behind";
const MINE = `mcp/${BRANCH}`;
const KEPT_ASIDE = "refs/paddock/kept";

/** The last commit, for reading: works on a detached HEAD too. */
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
      'the workspace is not on a branch ("detached HEAD"); run "git switch BRANCH" there',
    );
  }
  const ref = text.slice(5).trim();
  if (!isBranch(ref)) {
    throw new PaddockError("UNSUPPORTED", `HEAD of the workspace does not name a branch: ${quote(ref)}`);
  }
  return { ref, commit: resolveRef(git, ref) };
}

/** Refuses, among others, a name with `..`, which would lead out of .git. */
export function isBranch(ref: string): boolean {
  return /^refs\/heads\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) && !/\.\.|\/\/|\/\.|\/$|\.lock$/.test(ref);
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

  /** Moves the branch, which releases the lock. */
  commit(): void {
    this.#git.rename(`${this.#ref}.lock`, this.#ref, { replacing: REF_BYTES });
  }

  release(): void {
    this.#git.remove(`${this.#ref}.lock`);
  }
}

/**
 * Writes what a change is about to set the branch to. The file exists from before the first step that others
 * can see until after the last, so it also says that the change is not complete. The caller syncs and closes
 * it.
 */
export function markUnderWay(git: GitFolder, mark: string): Deno.FsFile {
  return git.recreate(MINE, encodeUtf8(`${mark}\n`), { mode: 0o644 });
}

export function clearUnderWay(git: GitFolder): void {
  git.remove(MINE);
}

/** Says that all is done but the index. A rename, because it needs no space on a full disk. */
export function markIndexBehind(git: GitFolder): void {
  git.rename(MINE, `mcp/${INDEX_BEHIND}`);
}

/** The mark of the change in progress, or of one whose process died or lost power. */
export function readUnderWay(git: GitFolder): string | undefined {
  return git.readText(MINE)?.trim();
}

/** The mark of a change of which only the index is missing. */
export function readIndexBehind(git: GitFolder): string | undefined {
  return git.readText(`mcp/${INDEX_BEHIND}`)?.trim();
}

/** Removes a branch lock that a process of ours left behind. */
export function removeStaleRefLock(git: GitFolder, ref: string): void {
  const mine = git.readText(MINE);
  if (mine !== undefined && git.readText(`${ref}.lock`) === mine) git.remove(`${ref}.lock`);
}

/** Keeps git from pruning a commit that is on no branch because somebody moved the branch meanwhile. */
export async function keepAside(git: GitFolder, commit: string): Promise<void> {
  git.makeFolder(KEPT_ASIDE);
  using file = git.recreate(`${KEPT_ASIDE}/${commit}`, encodeUtf8(`${commit}\n`), { mode: 0o644 });
  await syncFile(file);
  await settleGit(git, [KEPT_ASIDE, folderOfRef(KEPT_ASIDE), "refs"]);
}

export function folderOfRef(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("/"));
}
