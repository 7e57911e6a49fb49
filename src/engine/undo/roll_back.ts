/**
 * Rolls back what was begun as all or nothing: the last steps first. Which ones are about to be rolled back is
 * recorded before, so that after a crash only those need checking; earlier ones are known to be made.
 */
import { PaddockError } from "../../base/errors.ts";
import { batchesOf } from "./batches.ts";
import { finishSteps } from "./finish_steps.ts";
import { perform, type Performing } from "./perform.ts";
import { isMade } from "./settle_steps.ts";
import { reverseOf, type Step } from "./state.ts";
import { StoreTrouble } from "./trouble.ts";

export interface StepToRollBack {
  readonly n: number;
  readonly step: Step;
  /** Whether it is known to be made: otherwise it is checked first. */
  readonly isCertain: boolean;
}

export interface RollingBack {
  readonly seq: number;
  readonly performing: Performing;
  readonly waitMs: number;
}

/** Takes all steps that may be made, in their order; returns the numbers of those that no longer fit, and stay. */
export async function rollBack(
  toRollBack: readonly StepToRollBack[],
  rolling: RollingBack,
): Promise<number[]> {
  const { performing } = rolling;
  const left: number[] = [];
  const backwards = toRollBack.toReversed().map((each) => ({ ...each, step: reverseOf(each.step) }));
  const byStep = new Map(backwards.map((each) => [each.step, each]));
  let before: readonly StepToRollBack[] = [];
  for (const steps of batchesOf(backwards.map(({ step }) => step))) {
    const batch = steps.flatMap((step) => byStep.get(step) ?? []);
    await note(rolling, { done: before, left, next: batch });
    for (const { n, step, isCertain } of batch) {
      if (!isCertain && !await isMade(performing.store, reverseOf(step))) continue;
      try {
        await perform(step, performing);
      } catch (error) {
        if (!(error instanceof PaddockError || error instanceof StoreTrouble)) throw error;
        left.push(n);
      }
    }
    before = batch;
  }
  const all = backwards.map(({ step }) => step);
  await finishSteps(all, performing.store);
  return left;
}

interface Progress {
  done: readonly StepToRollBack[];
  left: readonly number[];
  next: readonly StepToRollBack[];
}

/** A failing store is no reason to stop: the result reports it, as far as possible. */
async function note(
  { seq, performing: { store }, waitMs }: RollingBack,
  { done, left, next }: Progress,
): Promise<void> {
  try {
    await store.db.write(() => {
      for (const { n } of done) store.records.setMade(seq, n, left.includes(n));
      for (const { n } of next) store.records.setMade(seq, n, undefined);
    }, { deadline: Date.now() + waitMs });
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
  }
}
