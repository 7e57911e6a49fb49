/**
 * Carries out a plan as one change, all or nothing: every step is recorded before it is made, and when one no
 * longer fits, those before it are rolled back. What a process that died left half done is rolled back by the next
 * one (recover.ts). The root's lock is held throughout.
 */
import { PaddockError } from "../../base/errors.ts";
import { rootPathOf } from "../../confine/resolve_path.ts";
import { beginChange, type Changing } from "../changing.ts";
import { withStructure } from "../with_locks.ts";
import { batchesOf } from "./batches.ts";
import { markHalfDone, unmarkHalfDone } from "./half_done.ts";
import { newChangeId } from "./ids.ts";
import { finishSteps } from "./finish_steps.ts";
import { perform, type Performing } from "./perform.ts";
import { notePerson } from "./person.ts";
import type { Plan } from "./plan.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { isMade } from "./settle_steps.ts";
import type { CallFacts } from "./store_change.ts";
import { keptIn, type Step } from "./state.ts";
import type { UndoStore } from "./store.ts";
import { rollBack, type StepToRollBack } from "./roll_back.ts";
import { StoreTrouble } from "./trouble.ts";

export interface CarryingOut {
  readonly store: UndoStore;
  readonly facts: CallFacts;
  readonly changing: Changing;
  readonly waitMs: number;
  /** The changes that this undoes. */
  readonly undoes: readonly string[];
  /** Changes that no longer count as undone afterwards. */
  readonly redoes: readonly string[];
  /**
   * Whether these are new changes rather than an undo: then copying is limited, and what people did before is
   * recorded.
   */
  readonly isNew?: boolean;
}

/**
 * Makes and carries out the plan while nobody else changes the root's structure. Returns the change's id, unless
 * there was nothing to do.
 */
export async function planAndCarryOut(
  makePlan: () => Promise<Plan>,
  carrying: CarryingOut,
): Promise<{ plan: Plan; id?: string }> {
  const { store, changing } = carrying;
  return await withStructure([rootPathOf(store.root)], async (locked) => {
    const plan = await makePlan();
    if (plan.steps.length === 0) return { plan };
    beginChange(changing);
    // From here on a cancellation comes too late: it would stop halfway, and also stop the rollback.
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
  }, { ...waiting(), durable: false }); // synced together with the first step
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
    await finishSteps(done, performing.store);
    // A change not recorded as done would be rolled back by the next process: better do it now, and report it.
    await store.db.write(() => finish(store, { seq, id, carrying }), waiting());
  } catch (error) {
    throw await rolledBack(error, { seq, done, under, performing, carrying });
  }
  return id;
}

/**
 * Records what people have done to files since the last change, for each file where this change touches it first.
 */
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

/** Rolls back, and returns the error to report: that everything is as before, or not quite. */
async function rolledBack(
  error: unknown,
  { seq, done, under, performing, carrying }: Broken,
): Promise<unknown> {
  const { store, waitMs } = carrying;
  const toRollBack: StepToRollBack[] = done.map((step, n) => ({ n, step, isCertain: true }));
  const isUnder = under !== undefined && await isMade(store, under, { exactly: true });
  if (isUnder) toRollBack.push({ n: done.length, step: under, isCertain: true });
  const setUnmade = () =>
    store.db.run("update step set made = 0 where change = ? and n >= ?", seq, toRollBack.length);
  try {
    await store.db.write(setUnmade, { deadline: Date.now() + waitMs });
  } catch (trouble) {
    if (!(trouble instanceof StoreTrouble)) throw trouble;
  }
  const left = await rollBack(toRollBack, { seq, performing, waitMs });
  try {
    await store.db.write(() => {
      for (const { n } of toRollBack) store.records.setMade(seq, n, left.includes(n));
      setUnmade();
      store.records.setState(seq, left.length > 0 ? "made" : "failed");
    }, { deadline: Date.now() + waitMs });
  } catch (trouble) {
    if (!(trouble instanceof StoreTrouble)) throw trouble; // otherwise recovery finds out what became of it
  }
  const isReported = error instanceof PaddockError || error instanceof StoreTrouble;
  if (left.length === 0 || !isReported) return error;
  return new PaddockError(
    error instanceof PaddockError ? error.code : "UNSUPPORTED",
    `${
      error.message.replace("; nothing was changed", "")
    }; ${left.length} of ${toRollBack.length} steps before it could ` +
      "not be rolled back, because others have changed the same files in the meantime",
    { cause: error },
  );
}
