/**
 * The paths that the steps of one plan touch: no two steps may interfere, or a crash between them could not be
 * repaired.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote, SEPARATOR } from "../../../confine/path_rules.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";

export class Claims {
  /** By absolute path: whether a step touches the path as a folder that may exist already. */
  readonly #isFolder = new Map<string, boolean>();
  /** Everything above one of them. */
  readonly #above = new Set<string>();

  /** Throws if another step touches the path. Several may touch the same folder. */
  add(path: ConfinedPath, { isFolder = false } = {}): void {
    const { absolute, root } = path;
    const known = this.#isFolder.get(absolute);
    let meets = (known !== undefined && !(known && isFolder)) || (!isFolder && this.#above.has(absolute));
    const above: string[] = [];
    for (let at = absolute; at.length > root.path.length;) {
      at = at.slice(0, at.lastIndexOf(SEPARATOR));
      meets ||= this.#isFolder.get(at) === false;
      above.push(at);
    }
    if (meets) {
      throw new PaddockError("INVALID_INPUT", `two steps of one change touch ${quote(path.given)}`);
    }
    this.#isFolder.set(absolute, isFolder);
    for (const one of above) this.#above.add(one);
  }
}
