/** Makes plans for what is asked of a store, without carrying them out: that changes nothing. */
import { PaddockError } from "../../base/errors.ts";
import { timeOf } from "./history.ts";
import { looksLikeId } from "./ids.ts";
import { Plan, type PlanOptions } from "./plan.ts";
import { planRestore } from "./plan_restore.ts";
import { planUndo } from "./plan_undo.ts";
import type { ChangeRow, Records } from "./records.ts";
import { changeNamed, refuseUndo } from "./select.ts";
import type { UndoStore } from "./store.ts";

/** In the error's data: distinguishes a stale plan from other conflicts. */
export const STALE_PLAN = "stale";

/** The changes with these ids, newest first, each once. Throws if one of them cannot be undone at all. */
export function changesToUndo(records: Records, ids: readonly string[]): ChangeRow[] {
  return undoable(ids.map((id) => changeNamed(records, id)));
}

export function undoable(chosen: readonly ChangeRow[]): ChangeRow[] {
  chosen.forEach(refuseUndo);
  return [...new Map(chosen.map((change) => [change.seq, change])).values()].sort((a, b) => b.seq - a.seq);
}

/** What undoes these changes. */
export async function undoPlan(
  store: UndoStore,
  changes: readonly ChangeRow[],
  options: PlanOptions,
): Promise<Plan> {
  const plan = new Plan(store, options);
  for (const change of changes) await planUndo(plan, change);
  if (plan.steps.length === 0) throw nothingLeft(changes);
  return plan;
}

/** What restores a path, and how many paths stay because their earlier state is unknown. */
export async function restorePlan(
  store: UndoStore,
  { path, at }: { path: string; at: string },
  options: PlanOptions,
): Promise<{ plan: Plan; unknown: number }> {
  const plan = new Plan(store, options);
  const unknown = await planRestore(plan, path, momentOf(store, at));
  return { plan, unknown };
}

/** The plan itself, if it is the expected one. */
export function checkedPlan(plan: Plan, expected: string | undefined): Plan {
  if (expected === undefined || expected === plan.hash) return plan;
  throw new PaddockError(
    "CONFLICT",
    "conflict: the plan is out of date, because something has changed since it was made; nothing was " +
      "changed: ask for a new plan with dry_run",
    { data: { plan: STALE_PLAN } },
  );
}

function nothingLeft(changes: readonly ChangeRow[]): PaddockError {
  const ids = changes.map(({ id }) => id).join(", ");
  return new PaddockError(
    "CONFLICT",
    `conflict: nothing is left to undo in ${ids}: what it made is already gone, or holds what others have put ` +
      "there; nothing was changed",
  );
}

/** The number of the last change that counts: the named one, or the last before a time. */
function momentOf(store: UndoStore, at: string): number {
  if (looksLikeId(at.trim().toLowerCase())) return changeNamed(store.records, at).seq;
  const time = timeOf(at, "at must be the id of a change, or it");
  return Number(store.db.get("select max(seq) as seq from change where time <= ?", time)?.seq ?? 0);
}
