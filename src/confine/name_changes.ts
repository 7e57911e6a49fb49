/**
 * Who wants to know of names that were given, taken or given to something else: of everything that changes by way of
 * the fence, whatever did it. One for the whole thread, as the thread has one fence.
 */
import { type ConfinedPath } from "./resolve_path.ts";

let watcher: ((absolute: string) => void) | undefined;

/** Undefined for nobody. */
export function watchNames(told: ((absolute: string) => void) | undefined): void {
  watcher = told;
}

export function tellNames(...paths: readonly ConfinedPath[]): void {
  if (watcher === undefined) return;
  for (const { absolute } of paths) watcher(absolute);
}
