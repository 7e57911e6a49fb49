/**
 * Finds out what became of steps that were about to happen, by reading the root, never by writing to it. A step was
 * made if what it leaves is there; it was not made if what it found is still there. If neither is, somebody has
 * changed it since: that counts as made, because undoing it then is a merge, which notices.
 */
import { PaddockError } from "../../base/errors.ts";
import { lookAt, lookShort } from "./look.ts";
import { isSameContent, type Step } from "./state.ts";
import type { UndoStore } from "./store.ts";

/** For the steps with these numbers, or for all whose outcome is unknown. */
export async function settleSteps(
  store: UndoStore,
  seq: number,
  numbers?: ReadonlySet<number>,
): Promise<Map<number, boolean>> {
  const found = new Map<number, boolean>();
  if (numbers?.size === 0) return found;
  for (const { n, step, made } of store.records.steps(seq)) {
    if (numbers === undefined ? made !== undefined : !numbers.has(n)) continue;
    found.set(n, await isMade(store, step));
  }
  return found;
}

/** `exactly`: only if what is there is exactly what the step leaves. */
export async function isMade(
  store: UndoStore,
  step: Step,
  { exactly = false }: { exactly?: boolean } = {},
): Promise<boolean> {
  try {
    const path = store.at(step.path);
    if (step.op === "move") {
      return lookShort(path) === undefined && lookShort(store.at(step.dest)) !== undefined;
    }
    const { before, after } = step;
    if (after.kind === "absent") return lookShort(path) === undefined;
    if (after.kind !== "file") return lookShort(path) !== undefined;
    if (lookShort(path) === undefined) return false;
    const now = await lookAt(path);
    return isSameContent(now, after) || (!exactly && !isSameContent(now, before));
  } catch (error) {
    if (error instanceof PaddockError) return false; // it cannot even be read
    throw error;
  }
}
