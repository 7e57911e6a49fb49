/**
 * A plan carried out as one change, all or nothing: every step is put on record before it is made, and when one does
 * not fit any more, those before it are taken back. What a process that died left half-done is taken back by whoever
 * comes next (recover.ts). The lock of the root is held all the while.
 */
import { PaddockError } from "../../base/errors.ts";
import { rootPathOf } from "../../confine/resolve_path.ts";
import { beginChange, type Changing } from "../changing.ts";
import { withStructure } from "../with_locks.ts";
import { newChangeId } from "./ids.ts";
import { perform, type Performing, setFolderModes } from "./perform.ts";
import { type Plan } from "./plan.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { type CallFacts } from "./store_change.ts";
import { keptIn, reverseOf, type Step } from "./state.ts";
import { type UndoStore } from "./store.ts";

export interface CarryingOut {
  readonly store: UndoStore;
  readonly facts: CallFacts;
  readonly changing: Changing;
  readonly waitMs: number;
  /** The changes that this takes back. */
  readonly undoes: readonly string[];
  /** Changes that count as not undone afterwards. */
  readonly redoes: readonly string[];
}

/** Makes the plan and carries it out while nobody else changes the root's structure. The id of the change, unless there is nothing to do. */
export async function planAndCarryOut(
  makePlan: () => Promise<Plan>,
  carrying: CarryingOut,
): Promise<{ plan: Plan; id?: string }> {
  const { store, changing } = carrying;
  return await withStructure([rootPathOf(store.root)], async (locked) => {
    const plan = await makePlan();
    if (plan.steps.length === 0) return { plan };
    beginChange(changing);
    return { plan, id: await carryOut(plan, { ...carrying, changing: { ...locked, recording: undefined } }) };
  }, changing);
}

async function carryOut(plan: Plan, carrying: CarryingOut): Promise<string> {
  const { store, facts, waitMs, undoes } = carrying;
  const id = newChangeId();
  const waiting = () => ({ deadline: Date.now() + waitMs });
  const seq = await store.db.write(
    () =>
      store.records.addChange({ ...facts, id, time: Date.now(), writer: store.live.name }, "running", undoes),
    { ...waiting(), durable: false }, // it goes to the disk with the first step
  );
  const performing: Performing = { store, bytes: (hash) => plan.bytes(hash), changing: carrying.changing };
  const done: Step[] = [];
  try {
    for (const [n, step] of plan.steps.entries()) {
      const prepared = await prepare(step, performing);
      await store.db.write(() => intend(store, { seq, n, prepared }), waiting());
      await perform(prepared.step, performing);
      done.push(prepared.step);
    }
    await setFolderModes(done, performing);
  } catch (error) {
    throw await tookBack(error, { seq, done, performing, carrying });
  }
  await store.db.write(() => finish(store, { seq, id, count: done.length, carrying }), waiting());
  return id;
}

function intend(
  store: UndoStore,
  { seq, n, prepared }: { seq: number; n: number; prepared: Prepared },
): void {
  const { step, contents } = prepared;
  if (n > 0) store.records.setMade(seq, n - 1, true);
  for (const content of contents) store.contents.put(content);
  store.records.addStep(seq, n, step);
  const kept = step.op === "put" ? keptIn(step.before) : undefined;
  if (kept === undefined) return;
  store.db.run("insert or replace into trash (name, change) values (?, ?)", kept, seq);
}

interface Finishing {
  seq: number;
  id: string;
  count: number;
  carrying: CarryingOut;
}

function finish(store: UndoStore, { seq, id, count, carrying }: Finishing): void {
  if (count > 0) store.records.setMade(seq, count - 1, true);
  store.records.setState(seq, "made");
  for (const undone of carrying.undoes) store.records.setUndoneBy(undone, id);
  for (const redone of carrying.redoes) store.records.setUndoneBy(redone, null);
}

interface Broken {
  seq: number;
  done: readonly Step[];
  performing: Performing;
  carrying: CarryingOut;
}

/** The error to tell when all is as it was, or not quite. */
async function tookBack(error: unknown, { seq, done, performing, carrying }: Broken): Promise<unknown> {
  const { store, waitMs } = carrying;
  const left = await takeBack(done, performing);
  await store.db.write(() => {
    for (const n of done.keys()) store.records.setMade(seq, n, left.includes(n));
    store.records.setMade(seq, done.length, false);
    store.records.setState(seq, left.length > 0 ? "made" : "failed");
  }, { deadline: Date.now() + waitMs });
  if (left.length === 0 || !(error instanceof PaddockError)) return error;
  return new PaddockError(
    error.code,
    `${
      error.message.replace("; nothing was changed", "")
    }; ${left.length} of ${done.length} steps before it could ` +
      "not be taken back, because others have changed the same files meanwhile",
    { cause: error },
  );
}

/** Takes steps back, the last first; the numbers of those that do not fit any more. */
export async function takeBack(done: readonly Step[], performing: Performing): Promise<number[]> {
  const left: number[] = [];
  for (const [n, step] of [...done.entries()].toReversed()) {
    try {
      await perform(reverseOf(step), performing);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      left.push(n);
    }
  }
  await setFolderModes(done.map(reverseOf), performing);
  return left;
}
