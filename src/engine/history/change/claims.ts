/** What the steps of one plan are about: they must not meddle with each other, or a crash between them could not be healed. */
import { PaddockError } from "../../../base/errors.ts";
import { quote, SEPARATOR } from "../../../confine/path_rules.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";

export class Claims {
  /** Whether a step is about the path as a folder that may be there already, by absolute path. */
  readonly #isFolder = new Map<string, boolean>();
  /** All that lies above one of them. */
  readonly #above = new Set<string>();

  /** Throws when another step is about the path. Several may be about one folder. */
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
      throw new PaddockError("INVALID_INPUT", `two steps of one change are about ${quote(path.given)}`);
    }
    this.#isFolder.set(absolute, isFolder);
    for (const one of above) this.#above.add(one);
  }
}
