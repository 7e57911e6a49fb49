/** Which steps of a plan are recorded together: neighbours that do not depend on each other. */
import type { State, Step } from "./state.ts";

/** The most steps, and bytes of files to be kept: these are in memory together. */
const MOST_STEPS = 200;
const MOST_BYTES = 16 * 1024 * 1024;

/** New files, removed files, or changes to different files; every other step is by itself. */
export function* batchesOf(steps: readonly Step[]): Generator<readonly Step[]> {
  let batch: Step[] = [];
  let [kind, bytes, paths] = [kindOf(undefined), 0, new Set<string>()];
  for (const step of steps) {
    const next = kindOf(step);
    const size = sizeOf(step);
    const fits = next !== undefined && next === kind && !paths.has(step.path) &&
      batch.length < MOST_STEPS && bytes + size <= MOST_BYTES;
    if (!fits) {
      if (batch.length > 0) yield batch;
      [batch, kind, bytes, paths] = [[], next, 0, new Set()];
    }
    batch.push(step);
    paths.add(step.path);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function kindOf(step: Step | undefined): "comes" | "goes" | "changes" | undefined {
  if (step?.op !== "put") return undefined;
  const isPlain = ({ kind }: State) => kind === "file" || kind === "folder";
  if (step.before.kind === "absent" && isPlain(step.after)) return "comes";
  if (step.after.kind === "absent" && isPlain(step.before)) return "goes";
  return step.before.kind === "file" && step.after.kind === "file" ? "changes" : undefined;
}

function sizeOf(step: Step): number {
  return step.op === "put" && step.before.kind === "file" ? step.before.size : 0;
}
