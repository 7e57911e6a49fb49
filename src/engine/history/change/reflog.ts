/**
 * Git's own record of where HEAD and the branch have been, so that `git reflog` shows paddock's commits too. It is
 * a convenience for people: a line is added without waiting for the disk, and only where git keeps a log.
 */
import { PaddockError } from "../../../base/errors.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { IDENTITY } from "../objects/objects.ts";

export interface Moved {
  readonly from: string | undefined;
  readonly to: string;
  /** The message of the commit, of which the first line is logged. */
  readonly message: string;
}

const NO_COMMIT = "0".repeat(40);
/** How much of the end of a log is read. */
const RECENT = 64 * 1024;

/**
 * Whether somebody else has recently moved HEAD or the branch away from a commit: then it was there. A later change
 * of paddock's proves nothing, as its own move may be lost too.
 */
export function hasLeft(git: GitFolder, ref: string, commit: string): boolean {
  const isMove = (line: string) => line.startsWith(`${commit} `) && !line.includes(` ${IDENTITY} `);
  return ["logs/HEAD", `logs/${ref}`].some((log) =>
    (git.readText(log) ?? "").slice(-RECENT).split("\n").some(isMove)
  );
}

/** One line for each commit, oldest first. The branch has already moved, so a failure here is not reported. */
export function appendReflog(git: GitFolder, ref: string, moves: readonly Moved[]): void {
  const time = Math.floor(Date.now() / 1000);
  const lines = moves.map(({ from = NO_COMMIT, to, message }) =>
    `${from} ${to} ${IDENTITY} ${time} +0000\tcommit: ${message.split("\n", 1)[0]}\n`
  );
  if (lines.length === 0) return;
  for (const log of ["logs/HEAD", `logs/${ref}`]) {
    try {
      git.append(log, encodeUtf8(lines.join("")), { mustExist: true });
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
    }
  }
}
