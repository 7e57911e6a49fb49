/**
 * Reports names that were created, removed or given to something else: every change made through the fence,
 * whatever made it. One watcher for the whole thread, as the thread has one fence.
 */
import type { ConfinedPath } from "./resolve_path.ts";

let watcher: ((absolute: string) => void) | undefined;

/** Undefined to stop watching. */
export function watchNames(onChange: ((absolute: string) => void) | undefined): void {
  watcher = onChange;
}

export function tellNames(...paths: readonly ConfinedPath[]): void {
  if (watcher === undefined) return;
  for (const { absolute } of paths) watcher(absolute);
}
