/**
 * Plans the undo of a change in the current state. What is still as the change left it goes back to what it was;
 * what was changed since gets the reverse of the change merged in; what does not fit is a conflict.
 */
import type { PaddockError } from "../../base/errors.ts";
import { isRespelling } from "../spelling.ts";
import { byChange, conflict, laterAt } from "./conflict.ts";
import { follow, type Followed } from "./follow.ts";
import { merge } from "./merge.ts";
import { MERGED_AT_MOST, type Plan } from "./plan.ts";
import type { ChangeRow, StepRow } from "./records.ts";
import { EMPTY_HASH, hashOf, spliced } from "./contents.ts";
import {
  type FileState,
  isSameContent,
  keptIn,
  liesIn,
  modeOf,
  type Move,
  type Put,
  reverseOf,
  type Splice,
  type State,
} from "./state.ts";

/** Adds to the plan what undoes a change. */
export async function planUndo(plan: Plan, change: ChangeRow): Promise<void> {
  plan.reverses = change.seq;
  for (const row of plan.store.records.steps(change.seq).toReversed()) {
    if (row.made !== true) continue;
    const step = reverseOf(row.step);
    if (step.op === "move") await planMove(plan, row, step);
    else if (step.op === "splice") await planSplice(plan, row, step);
    else await planPut(plan, row, step);
  }
}

async function planPut(plan: Plan, row: StepRow, step: Put): Promise<void> {
  const found = followed(plan, row, { path: step.path, isThere: step.before.kind !== "absent" });
  const { path } = found;
  const whole = step.before.kind === "tree" || step.after.kind === "tree";
  const now = await plan.overlay.look(path, { whole, signal: plan.options.signal });
  if (isSameContent(now, step.after) && now.kind !== "folder") {
    if (now.kind === "absent" || modeOf(now) === modeOf(step.after)) return; // already as before the change
  }
  if (isSameContent(now, step.before)) {
    if (now.kind === "folder" && step.after.kind === "absent" && (await plan.overlay.list(path)).length > 0) {
      return;
    }
    const before = withKept(now, step.before);
    return await plan.put(path, { before, after: withMode(step.after, { now, left: step.before }) });
  }
  if (found.lost !== undefined && step.before.kind !== "absent") {
    if (step.after.kind === "absent") return; // what was new is already gone
    throw removed(plan, found);
  }
  if (now.kind === "file" && step.before.kind === "file" && step.after.kind === "file") {
    return await planMerge(plan, row, { path, now, base: step.before, target: step.after });
  }
  const later = laterAt(plan.store.records, step.path, row);
  const by = byChange(later);
  if (step.before.kind === "absent") {
    throw conflict(path, `is taken: something was put there${by}`, { later });
  }
  throw conflict(path, now.kind === "absent" ? `was removed${by}` : `was changed since${by}`, { later });
}

/**
 * What came from the trash goes back there under the same name, where the change that first removed it finds it.
 */
function withKept(now: State, left: State): State {
  const kept = keptIn(left);
  return kept === undefined || now.kind === "absent" || now.kind === "folder" ? now : { ...now, kept };
}

/** A mode that somebody has set since stays, unless the change itself set one. */
function withMode(target: State, { now, left }: { now: State; left: State }): State {
  const mode = modeOf(now);
  const isKept = mode !== undefined && mode !== modeOf(left) && modeOf(left) === modeOf(target);
  return isKept && "mode" in target && target.kind === "file" && target.kept === undefined
    ? { ...target, mode }
    : target;
}

interface Merging {
  path: string;
  now: FileState;
  base: FileState;
  target: FileState;
}

async function planMerge(plan: Plan, row: StepRow, { path, now, base, target }: Merging): Promise<void> {
  const later = laterAt(plan.store.records, row.step.path, row);
  const since = `was changed since${byChange(later)}`;
  const [original, ours, theirs] = [
    plan.bytes(base.hash),
    await plan.bytesAt(path, now),
    plan.bytes(target.hash),
  ];
  if (original === undefined || ours === undefined || theirs === undefined) {
    throw conflict(path, `${since}, and is too large to merge, or was not kept`, { later });
  }
  if ([original, ours, theirs].some(({ length }) => length > MERGED_AT_MOST)) {
    throw conflict(path, `${since}, and is too large to merge`, { later });
  }
  const merged = await merge({ base: original, ours, theirs });
  if ("refused" in merged) throw conflict(path, `${since}, and ${merged.refused}`, { later });
  if ("conflict" in merged) {
    const { first, last } = merged.conflict;
    const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
    throw conflict(path, `${since}, in the same place (${lines})`, {
      lines: merged.conflict,
      later,
    });
  }
  const hash = plan.keep(merged.bytes);
  if (hash === now.hash) return;
  plan.merged.push(path);
  await plan.put(path, { before: now, after: { ...now, hash, size: merged.bytes.length } });
}

async function planSplice(plan: Plan, row: StepRow, step: Splice): Promise<void> {
  const found = followed(plan, row, { path: step.path, isThere: true });
  const { path } = found;
  const now = await plan.overlay.look(path);
  if (found.lost !== undefined || now.kind !== "file") throw removed(plan, found);
  if (isSameContent(now, step.after)) return;
  if (isSameContent(now, step.before)) {
    const { hash, size } = step.after;
    return plan.add({ ...step, path, before: now, after: { ...now, hash, size } });
  }
  const later = laterAt(plan.store.records, step.path, row);
  const since = `was changed since${byChange(later)}`;
  const [bytes, cut, add] = [await plan.bytesAt(path, now), plan.bytes(step.cut), plan.bytes(step.add)];
  if (bytes === undefined || cut === undefined || add === undefined) {
    throw conflict(path, `${since}, and is too large to search`, { later });
  }
  const offset = step.cut === EMPTY_HASH ? placeFor(bytes, step) : placeOf(bytes, { cut, step });
  if (offset === undefined) {
    throw conflict(path, `${since}: what was added is no longer there, or is there twice`, { later });
  }
  const result = spliced(bytes, { offset, cut: cut.length, add });
  plan.merged.push(path);
  plan.add({
    ...step,
    path,
    before: now,
    offset,
    after: { ...now, hash: hashOf(result), size: result.length },
  });
}

/**
 * Where the added part is: where it was put, if everything before it is unchanged, or else the one place where it
 * is now, as whole lines: the same bytes within a line are part of something else.
 */
function placeOf(
  bytes: Uint8Array,
  { cut, step: { after, offset } }: { cut: Uint8Array; step: Splice },
): number | undefined {
  const isAt = (at: number) => cut.every((byte, i) => bytes[at + i] === byte);
  const isBehindTheSame = after.size === offset && hashOf(bytes.subarray(0, offset)) === after.hash;
  if (isBehindTheSame && isAt(offset)) return offset;
  const isLineStart = (at: number) => at === 0 || at === bytes.length || bytes[at - 1] === NEWLINE;
  const isLines = (at: number) => isLineStart(at) && isLineStart(at + cut.length);
  if (isAt(offset) && isLines(offset)) return offset;
  const first = indexOf(bytes, cut, 0);
  if (first === undefined || !isLines(first)) return undefined;
  return indexOf(bytes, cut, first + 1) === undefined ? first : undefined;
}

const NEWLINE = 0x0a;

/** Where a part is put back: where it was, if everything before it is unchanged. */
function placeFor(bytes: Uint8Array, { before, offset }: Splice): number | undefined {
  return before.size === offset && hashOf(bytes.subarray(0, offset)) === before.hash ? offset : undefined;
}

function indexOf(bytes: Uint8Array, part: Uint8Array, from: number): number | undefined {
  const [first] = part;
  if (first === undefined) return undefined;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + part.length > bytes.length) return undefined;
    if (part.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return undefined;
}

async function planMove(plan: Plan, row: StepRow, step: Move): Promise<void> {
  const found = followed(plan, row, { path: step.path, isThere: true });
  const left = followed(plan, row, { path: step.path, isThere: false }); // the place itself, which moves with its folders
  const goal = followed(plan, row, { path: step.dest, isThere: false });
  if (found.lost !== undefined) throw removed(plan, found);
  if (found.path !== left.path) {
    const later = changeOf(plan, found);
    throw conflict(step.path, `was moved again, to ${JSON.stringify(found.path)}${byChange(later)}`, {
      later,
    });
  }
  const laterOn = (path: string) => laterAt(plan.store.records, path, row);
  if ((await plan.overlay.look(found.path)).kind === "absent") {
    const later = laterOn(step.path);
    throw conflict(found.path, `is gone: it was removed${byChange(later)}`, { later });
  }
  if (liesIn(found.path, goal.path)) {
    throw conflict(
      found.path,
      `cannot be moved back to ${JSON.stringify(goal.path)}, which is now inside it`,
    );
  }
  const [from, to] = [plan.overlay.placeOf(found.path), plan.overlay.placeOf(goal.path)];
  const isFree = (from !== undefined && to !== undefined && isRespelling(from, to)) ||
    (await plan.overlay.look(goal.path)).kind === "absent";
  if (!isFree) {
    const later = laterOn(step.dest);
    throw conflict(goal.path, `is taken: something was put there${byChange(later)}`, { later });
  }
  await plan.makeParents(goal.path);
  plan.add({ op: "move", path: found.path, dest: goal.path });
}

function followed(plan: Plan, row: StepRow, { path, isThere }: { path: string; isThere: boolean }): Followed {
  const { store: { records }, overlay: { index: planned }, reversed } = plan;
  return follow({ path, seq: row.seq, n: row.n, isThere }, { records, planned, reversed });
}

function removed(plan: Plan, found: Followed): PaddockError {
  const later = changeOf(plan, found);
  return conflict(found.path, `was removed${byChange(later)}`, { later });
}

function changeOf({ store: { records } }: Plan, { lost, mover }: Followed): ChangeRow | undefined {
  const seq = (lost ?? mover)?.seq;
  return seq === undefined ? undefined : records.change(seq);
}
