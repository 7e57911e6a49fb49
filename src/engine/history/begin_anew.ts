/**
 * Somebody has changed what a plan was made from, before anything of it was done: with new looks at everything, the
 * plan is made once more. A client hears of it only when that happens again and again.
 */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../confine/path_rules.ts";
import { type ConfinedPath } from "../../confine/resolve_path.ts";

export class BeginAnew extends PaddockError {
  constructor(message: string) {
    super("CONFLICT", message);
  }

  /** A program that does not lock, an editor say, has saved a file. */
  static forFile(path: ConfinedPath): BeginAnew {
    return new BeginAnew(`${quote(path.given)} was changed by somebody else meanwhile; try again`);
  }

  /** A `git commit` lets go of the index before it moves the branch. */
  static forBranch(ref: string): BeginAnew {
    return new BeginAnew(`the branch ${ref} was moved by git meanwhile; try again`);
  }
}
