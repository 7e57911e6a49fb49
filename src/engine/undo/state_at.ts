/**
 * What was at a path at some moment: what the last change by then left there, else what the first change after it
 * found, else unknown. Moves are followed in both directions.
 */
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { ABSENT, liesIn, movedTo, type State } from "./state.ts";
import type { UndoStore } from "./store.ts";

/** A recorded state, or where the thing itself is now: in the trash, or somewhere else in the root. */
export type Then = { readonly state: State } | { readonly where: ConfinedPath };

const END = Number.MAX_SAFE_INTEGER;

/** Right after the change with this number; undefined if unknown. */
export function stateAt(store: UndoStore, path: string, seq: number): Then | undefined {
  return leftBy(store, path, seq) ?? foundAfter(store, path, seq);
}

function leftBy({ records }: UndoStore, path: string, seq: number): Then | undefined {
  let [at, place] = [{ seq, n: END }, path];
  for (;;) {
    const row = records.touching(place, at, "upTo");
    if (row === undefined) return undefined;
    const { step } = row;
    at = { seq: row.seq, n: row.n - 1 };
    if (step.op === "move") {
      if (liesIn(step.dest, place)) place = movedTo(place, { from: step.dest, to: step.path });
      else return { state: ABSENT };
    } else if (step.path === place) {
      return { state: step.after };
    } else {
      return step.after.kind === "tree" ? undefined : { state: ABSENT };
    }
  }
}

function foundAfter(store: UndoStore, path: string, seq: number): Then | undefined {
  let [at, place] = [{ seq, n: END }, path];
  for (;;) {
    const row = store.records.touching(place, at, "after");
    if (row === undefined) return place === path ? undefined : { where: store.at(place) };
    const { step } = row;
    at = row;
    if (step.op === "move") {
      if (!liesIn(step.path, place)) return { state: ABSENT };
      place = movedTo(place, { from: step.path, to: step.dest });
    } else if (step.path === place) {
      return { state: step.before };
    } else if (step.before.kind !== "tree") {
      return { state: ABSENT };
    } else {
      const { kept } = step.before;
      if (kept === undefined || !store.trash.has(kept)) return undefined;
      const rest = place.slice(step.path.length + 1).split("/");
      return { where: rest.reduce(childOf, store.trash.at(kept)) };
    }
  }
}
