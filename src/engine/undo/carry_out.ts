/**
 * A plan carried out as one change, all or nothing: every step is put on record before it is made, and when one does
 * not fit any more, those before it are taken back. What a process that died left half-done is taken back by whoever
 * comes next (recover.ts). The lock of the root is held all the while.
 */
import { PaddockError } from "../../base/errors.ts";
import { rootPathOf } from "../../confine/resolve_path.ts";
import { beginChange, type Changing } from "../changing.ts";
import { withStructure } from "../with_locks.ts";
import { batchesOf } from "./batches.ts";
import { markHalfDone, unmarkHalfDone } from "./half_done.ts";
import { newChangeId } from "./ids.ts";
import { perform, type Performing, setFolderModes, settleParents } from "./perform.ts";
import { notePerson } from "./person.ts";
import { type Plan } from "./plan.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { isMade } from "./settle_steps.ts";
import { type CallFacts } from "./store_change.ts";
import { keptIn, type Step } from "./state.ts";
import { type UndoStore } from "./store.ts";
import { takeBack, type Taken } from "./take_back.ts";
import { StoreTrouble } from "./trouble.ts";

export interface CarryingOut {
  readonly store: UndoStore;
  readonly facts: CallFacts;
  readonly changing: Changing;
  readonly waitMs: number;
  /** The changes that this takes back. */
  readonly undoes: readonly string[];
  /** Changes that count as not undone afterwards. */
  readonly redoes: readonly string[];
  /** Whether these are new changes, and take nothing back: bounded, and with what people did before them on record. */
  readonly isNew?: boolean;
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
    // From here on a cancellation comes too late: it would end in the middle, and keep that from being taken back.
    const ours: Changing = { ...locked, recording: undefined, signal: undefined };
    markHalfDone(store);
    try {
      return { plan, id: await carryOut(plan, { ...carrying, changing: ours }) };
    } finally {
      unmarkHalfDone(store);
    }
  }, changing);
}

async function carryOut(plan: Plan, carrying: CarryingOut): Promise<string> {
  const { store, facts, waitMs, undoes, isNew = false } = carrying;
  const id = newChangeId();
  const waiting = () => ({ deadline: Date.now() + waitMs });
  const seq = await store.db.write(() => {
    if (isNew) notePeople(plan);
    const begun = { ...facts, id, time: Date.now(), writer: store.live.name };
    return store.records.addChange(begun, "running", undoes);
  }, { ...waiting(), durable: false }); // it goes to the disk with the first step
  const performing: Performing = {
    store,
    bytes: (hash) => plan.bytes(hash),
    changing: carrying.changing,
    ...(isNew && { renamesOnly: true, copying: { allowed: store.settings.maxChangeBytes } }),
  };
  const done: Step[] = [];
  let under: Step | undefined;
  try {
    for (const batch of batchesOf(plan.steps)) {
      const prepared: Prepared[] = [];
      for (const step of batch) prepared.push(await prepare(step, performing));
      await store.db.write(() => intend(store, { seq, first: done.length, prepared }), waiting());
      for (const { step } of prepared) {
        under = step;
        await perform(step, performing);
        done.push(step);
        under = undefined;
      }
    }
    await settleParents(done, performing);
    await setFolderModes(done, performing);
    // What is not on record as done would be taken back by whoever comes next: better at once, and told.
    await store.db.write(() => finish(store, { seq, id, carrying }), waiting());
  } catch (error) {
    throw await tookBack(error, { seq, done, under, performing, carrying });
  }
  return id;
}

/** What people have done to files since the last change, for those that this change is the first to come to. */
function notePeople({ store, steps, overlay: { index } }: Plan): void {
  for (const [at, step] of steps.entries()) {
    if (index.lastBefore(at, step.path) === undefined) notePerson(store, step);
  }
}

interface Intended {
  seq: number;
  /** The number of the first. */
  first: number;
  prepared: readonly Prepared[];
}

function intend(store: UndoStore, { seq, first, prepared }: Intended): void {
  store.db.run("update step set made = 1 where change = ? and made is null", seq);
  for (const [i, { step, contents }] of prepared.entries()) {
    for (const content of contents) store.contents.put(content);
    store.records.addStep(seq, first + i, step);
    const kept = step.op === "put" ? keptIn(step.before) : undefined;
    if (kept !== undefined) {
      store.db.run("insert or replace into trash (name, change) values (?, ?)", kept, seq);
    }
  }
}

interface Finishing {
  seq: number;
  id: string;
  carrying: CarryingOut;
}

function finish(store: UndoStore, { seq, id, carrying }: Finishing): void {
  store.db.run("update step set made = 1 where change = ? and made is null", seq);
  store.records.setState(seq, "made");
  for (const undone of carrying.undoes) store.records.setUndoneBy(undone, id);
  for (const redone of carrying.redoes) store.records.setUndoneBy(redone, null);
}

interface Broken {
  seq: number;
  done: readonly Step[];
  /** The one that failed. */
  under: Step | undefined;
  performing: Performing;
  carrying: CarryingOut;
}

/** The error to tell when all is as it was, or not quite. */
async function tookBack(
  error: unknown,
  { seq, done, under, performing, carrying }: Broken,
): Promise<unknown> {
  const { store, waitMs } = carrying;
  const taken: Taken[] = done.map((step, n) => ({ n, step, isCertain: true }));
  const isUnder = under !== undefined && await isMade(store, under, { exactly: true });
  if (isUnder) taken.push({ n: done.length, step: under, isCertain: true });
  const setUnmade = () =>
    store.db.run("update step set made = 0 where change = ? and n >= ?", seq, taken.length);
  try {
    await store.db.write(setUnmade, { deadline: Date.now() + waitMs });
  } catch (trouble) {
    if (!(trouble instanceof StoreTrouble)) throw trouble;
  }
  const left = await takeBack(taken, { seq, performing, waitMs });
  try {
    await store.db.write(() => {
      for (const { n } of taken) store.records.setMade(seq, n, left.includes(n));
      setUnmade();
      store.records.setState(seq, left.length > 0 ? "made" : "failed");
    }, { deadline: Date.now() + waitMs });
  } catch (trouble) {
    if (!(trouble instanceof StoreTrouble)) throw trouble; // else recovery looks what became of it
  }
  const isTold = error instanceof PaddockError || error instanceof StoreTrouble;
  if (left.length === 0 || !isTold) return error;
  return new PaddockError(
    error instanceof PaddockError ? error.code : "UNSUPPORTED",
    `${
      error.message.replace("; nothing was changed", "")
    }; ${left.length} of ${taken.length} steps before it could ` +
      "not be taken back, because others have changed the same files meanwhile",
    { cause: error },
  );
}
