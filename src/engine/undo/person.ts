/**
 * What people and other programs change between two changes by agents: noticed when a change finds a file different
 * from how the last one left it, and recorded as a change of its own.
 */
import { newChangeId } from "./ids.ts";
import { PERSON } from "./records.ts";
import { isSameContent, type State, type Step } from "./state.ts";
import type { UndoStore } from "./store.ts";

/** Inside a transaction, before the change that the step belongs to is recorded. */
export function notePerson(store: UndoStore, step: Step): void {
  if (step.op === "move" || (step.before.kind !== "file" && step.before.kind !== "absent")) return;
  const last = store.records.lastAt(step.path);
  if (last === undefined || last.step.op === "move") return;
  const [expected, found] = [last.step.after, step.before];
  if (!isComparable(expected) || !isComparable(found) || isSameContent(expected, found)) return;
  if (store.records.wasTakenAlong(step.path, last)) return;
  const seq = store.records.addChange({
    id: newChangeId(),
    time: Date.now(),
    tool: PERSON,
    client: null,
    session: null,
    summary: "changed by another program",
    writer: store.live.name,
  }, "made");
  store.records.addStep(seq, 0, { op: "put", path: step.path, before: expected, after: found, made: true });
}

/** Whether enough is known about it to compare it. */
function isComparable(state: State): boolean {
  return state.kind === "absent" || (state.kind === "file" && state.hash !== undefined);
}
