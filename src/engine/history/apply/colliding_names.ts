/**
 * New names that a case-insensitive file system takes for one: only one of the two files would exist, but the
 * commit would have both. To tell whether the file system is one, `.git` is looked up in another spelling.
 */
import { PaddockError } from "../../../base/errors.ts";
import { foldedName, quote } from "../../../confine/path_rules.ts";
import type { Step } from "../store.ts";
import type { PlannedTree } from "./planned_tree.ts";

export function refuseColliding(steps: readonly Step[], tree: PlannedTree): void {
  const names = new Map<string, string>();
  for (const step of steps) {
    const path = step.kind === "put"
      ? step.path.relative
      : step.kind === "move"
      ? step.to.relative
      : undefined;
    if (path === undefined) continue;
    const folded = path.split("/").map(foldedName).join("/");
    const other = names.get(folded);
    if (other !== undefined && other !== path && tree.onDisk(".GIT") !== undefined) {
      throw new PaddockError(
        "INVALID_INPUT",
        `${quote(other)} and ${
          quote(path)
        } are the same name on this file system; choose another for one of them`,
      );
    }
    names.set(folded, path);
  }
}
