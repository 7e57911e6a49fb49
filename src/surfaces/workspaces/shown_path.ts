/** A path as a commit message shows it: one line, whatever the file is called. */
import { shown } from "../../base/shown.ts";
import type { ConfinedPath } from "../../engine/fence.ts";

export function shownPath({ relative }: ConfinedPath): string {
  if (relative === "") return ".";
  return shown(relative) === relative ? relative : shown(JSON.stringify(relative));
}
