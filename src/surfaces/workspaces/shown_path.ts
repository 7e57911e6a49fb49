/** A path as it stands in a commit's message: one line, whatever the file is called. */
import { type ConfinedPath } from "../../engine/fence.ts";

export function shownPath({ relative }: ConfinedPath): string {
  if (relative === "") return ".";
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(relative) ? JSON.stringify(relative) : relative;
}
