/** Plans for what is asked of a store, made but not carried out: making one changes nothing. */
import { PaddockError } from "../../base/errors.ts";
import { timeOf } from "./history.ts";
import { looksLikeId } from "./ids.ts";
import { Plan, type PlanOptions } from "./plan.ts";
import { planRestore } from "./plan_restore.ts";
import { planUndo } from "./plan_undo.ts";
import { type ChangeRow, type Records } from "./records.ts";
import { changeNamed, refuseUndo } from "./select.ts";
import { type UndoStore } from "./store.ts";

/** The code that tells a plan that went stale from other conflicts, in the data of the error. */
export const STALE_PLAN = "stale";

/** The changes of these names, newest first, each once. Throws when one of them cannot be taken back at all. */
export function changesToUndo(records: Records, ids: readonly string[]): ChangeRow[] {
  return undoable(ids.map((id) => changeNamed(records, id)));
}

export function undoable(chosen: readonly ChangeRow[]): ChangeRow[] {
  chosen.forEach(refuseUndo);
  return [...new Map(chosen.map((change) => [change.seq, change])).values()].sort((a, b) => b.seq - a.seq);
}

/** What takes these changes back. */
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

/** What brings a path back to what it was, and how many paths stay because that is not known. */
export async function restorePlan(
  store: UndoStore,
  { path, at }: { path: string; at: string },
  options: PlanOptions,
): Promise<{ plan: Plan; unknown: number }> {
  const plan = new Plan(store, options);
  const unknown = await planRestore(plan, path, momentOf(store, at));
  return { plan, unknown };
}

/** The plan itself, if it is the one that was expected. */
export function checkedPlan(plan: Plan, expected: string | undefined): Plan {
  if (expected === undefined || expected === plan.hash) return plan;
  throw new PaddockError(
    "CONFLICT",
    "conflict: what would be done now is not what the plan said, because something has changed since; nothing was " +
      "changed: ask for a new plan with dry_run",
    { data: { plan: STALE_PLAN } },
  );
}

function nothingLeft(changes: readonly ChangeRow[]): PaddockError {
  const ids = changes.map(({ id }) => id).join(", ");
  return new PaddockError(
    "CONFLICT",
    `conflict: nothing is left to take back of ${ids}: what it made is gone already, or holds what others have put ` +
      "there; nothing was changed",
  );
}

/** The number of the last change that counts: one that is named, or the last by a time. */
function momentOf(store: UndoStore, at: string): number {
  if (looksLikeId(at.trim().toLowerCase())) return changeNamed(store.records, at).seq;
  const time = timeOf(at, "at must be the id of a change, or it");
  return Number(store.db.get("select max(seq) as seq from change where time <= ?", time)?.seq ?? 0);
}
