/**
 * Recovers what processes that died left behind. A change that was recorded step by step is only checked: what is
 * there shows what became of it. One that was to be all or nothing and is not finished is rolled back, by hash:
 * what somebody has changed since stays.
 */
import { PaddockError } from "../../base/errors.ts";
import { rootPathOf } from "../../confine/resolve_path.ts";
import { beginChange, type Changing } from "../changing.ts";
import { withStructure } from "../with_locks.ts";
import { unmarkHalfDone } from "./half_done.ts";
import type { StoreKeeper } from "./keeper.ts";
import type { ChangeRow } from "./records.ts";
import { settleSteps } from "./settle_steps.ts";
import type { UndoStore } from "./store.ts";
import { troubleOf } from "./trouble.ts";

const WAIT_MS = 2_000;

/** Throws StoreTrouble. */
export async function recover(store: UndoStore, changing: Changing): Promise<void> {
  const isInterrupted = ({ writer }: ChangeRow) => !store.live.isAlive(writer);
  for (const change of store.records.changesIn("open").filter(isInterrupted)) await look(store, change);
  if (!store.records.changesIn("running").some(isInterrupted)) return;
  await withStructure([rootPathOf(store.root)], async (locked) => {
    beginChange(changing); // calls that follow wait for it, however long it takes
    for (const change of store.records.changesIn("running").filter(isInterrupted)) {
      await rollBackInterrupted(store, change, { ...locked, recording: undefined, signal: undefined });
    }
    unmarkHalfDone(store);
  }, changing);
}

/** The same for a store that may be missing or unusable: then there is nothing to do. */
export async function recoverIfThere(
  keeper: StoreKeeper,
  { changing, waitMs }: { changing: Changing; waitMs: number },
): Promise<void> {
  try {
    if (!keeper.isThere()) return;
    await recover(await keeper.open({ deadline: Date.now() + waitMs }), changing);
  } catch (error) {
    if (error instanceof PaddockError) return; // somebody else holds the root, and may be recovering it
    await keeper.failed(troubleOf(error));
  }
}

async function look(store: UndoStore, { seq }: ChangeRow): Promise<void> {
  const found = await settleSteps(store, seq);
  await store.db.write(() => {
    for (const [n, made] of found) store.records.setMade(seq, n, made);
    const isAnyMade = store.records.steps(seq).some(({ made }) => made === true);
    store.records.setState(seq, isAnyMade ? "made" : "failed");
  }, { deadline: Date.now() + WAIT_MS });
}

/** Steps known to be made are rolled back; those that were in progress, in either direction, are checked first. */
async function rollBackInterrupted(store: UndoStore, { seq }: ChangeRow, changing: Changing): Promise<void> {
  const { rollBack } = await import("./roll_back.ts"); // seldom needed
  const rows = store.records.steps(seq);
  const toRollBack = rows.filter(({ made }) => made !== false)
    .map(({ n, step, made }) => ({ n, step, isCertain: made === true }));
  const bytes = (hash: string | undefined) => hash && store.contents.get(hash) || undefined;
  const left = await rollBack(toRollBack, { seq, performing: { store, changing, bytes }, waitMs: WAIT_MS });
  await store.db.write(() => {
    for (const { n } of rows) store.records.setMade(seq, n, left.includes(n));
    store.records.setState(seq, left.length > 0 ? "made" : "failed");
  }, { deadline: Date.now() + WAIT_MS });
}
