/**
 * Where a thing is by now that a step left somewhere: later moves took it along, later removals took it away, and what
 * takes those back brought it home. Something else that came to its place is not it.
 */
import { type Records } from "./records.ts";
import { liesIn, movedTo, type Step } from "./state.ts";
import { type StepIndex } from "./step_index.ts";

/** A step, and the change it belongs to; none for one that is only planned. */
export interface Later {
  readonly step: Step;
  readonly seq?: number;
  /** The numbers of the changes that it takes back. */
  reverses(): readonly number[];
}

export interface Followed {
  readonly path: string;
  /** What took it away, if it is gone. */
  readonly lost?: Later | undefined;
  /** What last moved it itself, not a folder above it. */
  readonly mover?: Later | undefined;
}

export interface Following {
  readonly records: Records;
  /** What is planned to happen after all that is recorded, and for each the change that it takes back. */
  readonly planned: StepIndex;
  readonly reversed: readonly number[];
}

/** `isThere` is whether the step left anything: a place where nothing is goes along with its folder alone. */
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

/** A level at which the way to the thing ended: the thing itself, or a folder above it. */
interface Gone {
  path: string;
  /** What took it away; nothing for a place where nothing was. */
  readonly later?: Later;
}

class Thing implements Followed {
  path: string;
  mover: Later | undefined;
  /** The outermost last. What goes by these names meanwhile is something else. */
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

/** Whether what was taken away is back: only what takes that back brings it; the same content may be something else. */
function isBack({ later }: Gone, { reverses }: Later): boolean {
  return later?.seq !== undefined && reverses().includes(later.seq);
}
