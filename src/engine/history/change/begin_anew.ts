/**
 * Somebody has changed what a plan was made from, and nothing of it was done, or it was taken back: with new looks at
 * everything, the plan is made once more. A client hears of it only when that happens again and again.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";

export class BeginAnew extends PaddockError {
  /** The file that was changed, if it was one: the next time it is locked from the beginning. */
  readonly path: ConfinedPath | undefined;

  constructor(message: string, path?: ConfinedPath) {
    super("CONFLICT", message);
    this.path = path;
  }

  /** By a program that does not lock, an editor say, or by a tool of another surface. */
  static forFile(path: ConfinedPath): BeginAnew {
    return new BeginAnew(`${quote(path.given)} was changed by somebody else meanwhile; try again`, path);
  }

  /** A `git commit` lets go of the index before it moves the branch. */
  static forBranch(ref: string): BeginAnew {
    return new BeginAnew(`the branch ${ref} was moved by git meanwhile; try again`);
  }
}
