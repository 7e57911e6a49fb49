/** What the steps of one plan are about: they must not meddle with each other, or a crash between them could not be healed. */
import { PaddockError } from "../../../base/errors.ts";
import { contains, quote } from "../../../confine/path_rules.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";

export class Claims {
  readonly #claimed: { readonly path: string; readonly isFolder: boolean }[] = [];

  /** Throws when another step is about the path. Several may be about one folder. */
  add(path: ConfinedPath, { isFolder = false } = {}): void {
    for (const other of this.#claimed) {
      const meets = other.path === path.absolute ||
        (!other.isFolder && contains(other.path, path.absolute)) ||
        (!isFolder && contains(path.absolute, other.path));
      if (meets && !(isFolder && other.isFolder)) {
        throw new PaddockError("INVALID_INPUT", `two steps of one change are about ${quote(path.given)}`);
      }
    }
    this.#claimed.push({ path: path.absolute, isFolder });
  }
}
