/**
 * Finds where something that a step left is by now: later moves took it along, later removals removed it,
 * and undoing those brought it back. Something else in its place is not it.
 */
import type { Records } from "./records.ts";
import { liesIn, movedTo, type Step } from "./state.ts";
import type { StepIndex } from "./step_index.ts";

/** A step, and the change it belongs to; none if it is only planned. */
export interface Later {
  readonly step: Step;
  readonly seq?: number;
  /** The numbers of the changes that it undoes. */
  reverses(): readonly number[];
}

export interface Followed {
  readonly path: string;
  /** What removed it, if it is gone. */
  readonly lost?: Later | undefined;
  /** What last moved the thing itself, not a folder above it. */
  readonly mover?: Later | undefined;
}

export interface Following {
  readonly records: Records;
  /** What is planned after everything recorded, and for each step the change that it undoes. */
  readonly planned: StepIndex;
  readonly reversed: readonly number[];
}

/** `isThere` says whether the step left anything: an empty place only moves along with its folder. */
export function follow(
  start: { path: string; seq: number; n: number; isThere: boolean },
  { records, planned, reversed }: Following,
): Followed {
  const thing = new Thing(start.path, start.isThere);
  let at: { seq: number; n: number } = start;
  for (;;) {
    const row = records.touching(thing.path, at, "after");
    if (row === undefined) break;
    const { step, seq } = row;
    thing.see({ step, seq, reverses: () => records.undoneIn(seq) });
    at = row;
  }
  for (
    let i = planned.firstFrom(0, thing.path);
    i !== undefined;
    i = planned.firstFrom(i + 1, thing.path)
  ) {
    const [step, reverses] = [planned.steps[i], reversed[i]];
    if (step !== undefined) thing.see({ step, reverses: () => reverses === undefined ? [] : [reverses] });
  }
  return thing;
}

/** Where the path to the thing ended: the thing itself, or a folder above it. */
interface Gone {
  path: string;
  /** What removed it; nothing for an empty place. */
  readonly later?: Later;
}

class Thing implements Followed {
  path: string;
  mover: Later | undefined;
  /** The outermost last. Whatever has these names meanwhile is something else. */
  readonly #gone: Gone[];

  constructor(path: string, isThere: boolean) {
    this.path = path;
    this.#gone = isThere ? [] : [{ path }];
  }

  get lost(): Later | undefined {
    return this.#gone.at(-1)?.later;
  }

  see(later: Later): void {
    const { step } = later;
    if (step.op === "move") return this.#seeMove(step.path, { to: step.dest, later });
    if (step.op !== "put") return;
    const end = this.#gone.at(-1);
    if (step.after.kind === "absent") {
      const reached = end?.path ?? this.path;
      if (liesIn(step.path, reached) && step.path !== end?.path) {
        this.#gone.push({ path: step.path, later });
      }
    } else if (step.before.kind === "absent" && step.path === end?.path) {
      if (isBack(end, later)) this.#gone.pop();
    }
  }

  #seeMove(from: string, { to, later }: { to: string; later: Later }): void {
    const end = this.#gone.at(-1);
    if (!liesIn(from, end?.path ?? this.path) || from === end?.path) return;
    if (from === this.path) this.mover = later;
    this.path = movedTo(this.path, { from, to });
    for (const gone of this.#gone) gone.path = movedTo(gone.path, { from, to });
  }
}

/**
 * Whether what was removed is back: only undoing the removal brings it back; the same content may be something
 * else.
 */
function isBack({ later }: Gone, { reverses }: Later): boolean {
  return later?.seq !== undefined && reverses().includes(later.seq);
}
