/**
 * Somebody has changed what a plan was made from, and nothing of it was done, or it was rolled back: everything is
 * read again and the plan made again. A client sees this error only if it happens again and again.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";

export class StartOver extends PaddockError {
  /** The file that was changed, if it was one: the next attempt locks it from the start. */
  readonly path: ConfinedPath | undefined;

  constructor(message: string, path?: ConfinedPath) {
    super("CONFLICT", message);
    this.path = path;
  }

  /** Changed by a program that takes no lock, such as an editor, or by a tool of another surface. */
  static forFile(path: ConfinedPath): StartOver {
    return new StartOver(
      `${quote(path.given)} was changed by somebody else in the meantime; try again`,
      path,
    );
  }

  /** A `git commit` releases the index before it moves the branch. */
  static forBranch(ref: string): StartOver {
    return new StartOver(`the branch ${ref} was moved by git in the meantime; try again`);
  }
}
