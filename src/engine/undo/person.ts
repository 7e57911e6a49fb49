/**
 * What people and other programs change between two changes of agents: seen when a change finds a file otherwise than
 * the one before left it, and kept as a record of its own.
 */
import { newChangeId } from "./ids.ts";
import { PERSON } from "./records.ts";
import { isSameContent, type State, type Step } from "./state.ts";
import { type UndoStore } from "./store.ts";

/** Inside a transaction, before the change that the step belongs to is recorded. */
export function notePerson(store: UndoStore, step: Step): void {
  if (step.op === "move" || (step.before.kind !== "file" && step.before.kind !== "absent")) return;
  const last = store.records.lastAt(step.path);
  if (last === undefined || last.step.op === "move") return;
  const [expected, found] = [last.step.after, step.before];
  if (!isTold(expected) || !isTold(found) || isSameContent(expected, found)) return;
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

/** Whether it is known well enough to be compared. */
function isTold(state: State): boolean {
  return state.kind === "absent" || (state.kind === "file" && state.hash !== undefined);
}
