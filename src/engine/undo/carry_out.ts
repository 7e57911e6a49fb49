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
import { perform, type Performing, setFolderModes, settleParents } from "./perform.ts";
import { type Plan } from "./plan.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { type CallFacts } from "./store_change.ts";
import { keptIn, reverseOf, type State, type Step } from "./state.ts";
import { type UndoStore } from "./store.ts";
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
    for (const batch of batchesOf(plan.steps)) {
      const prepared: Prepared[] = [];
      for (const step of batch) prepared.push(await prepare(step, performing));
      await store.db.write(() => intend(store, { seq, first: done.length, prepared }), waiting());
      for (const { step } of prepared) {
        await perform(step, performing);
        done.push(step);
      }
    }
    await settleParents(done, performing);
    await setFolderModes(done, performing);
    // What is not on record as done would be taken back by whoever comes next: better at once, and told.
    await store.db.write(() => finish(store, { seq, id, carrying }), waiting());
  } catch (error) {
    throw await tookBack(error, { seq, done, performing, carrying });
  }
  return id;
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

/** How many steps go on record together. */
const BATCH = 200;

/** Steps that do not depend on each other: files that come, or files that go; all others are by themselves. */
function* batchesOf(steps: readonly Step[]): Generator<readonly Step[]> {
  let start = 0;
  for (let at = 1; at <= steps.length; at++) {
    const kind = kindOf(steps[start]);
    const isSame = at < steps.length && kind !== undefined && kindOf(steps[at]) === kind;
    if (isSame && at - start < BATCH) continue;
    yield steps.slice(start, at);
    start = at;
  }
}

function kindOf(step: Step | undefined): "comes" | "goes" | undefined {
  if (step?.op !== "put") return undefined;
  const isPlain = ({ kind }: State) => kind === "file" || kind === "folder";
  if (step.before.kind === "absent" && isPlain(step.after)) return "comes";
  return step.after.kind === "absent" && isPlain(step.before) ? "goes" : undefined;
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
  performing: Performing;
  carrying: CarryingOut;
}

/** The error to tell when all is as it was, or not quite. */
async function tookBack(error: unknown, { seq, done, performing, carrying }: Broken): Promise<unknown> {
  const { store, waitMs } = carrying;
  const left = await takeBack(done, performing);
  try {
    await store.db.write(() => {
      for (const n of done.keys()) store.records.setMade(seq, n, left.includes(n));
      store.db.run("update step set made = 0 where change = ? and n >= ?", seq, done.length);
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
