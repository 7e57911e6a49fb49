/** Steps in their order, indexed by the paths they touch: a plan may have tens of thousands of them. */
import { parentPath, selfAndAbove, type Step } from "./state.ts";

export class StepIndex {
  readonly steps: Step[] = [];
  readonly #byPath = new Map<string, number[]>();
  readonly #moves: number[] = [];
  readonly #names = new Map<string, Set<string>>();

  add(step: Step): void {
    const at = this.steps.push(step) - 1;
    if (step.op === "move") this.#moves.push(at);
    for (const path of step.op === "move" ? [step.path, step.dest] : [step.path]) {
      const known = this.#byPath.get(path);
      if (known === undefined) this.#byPath.set(path, [at]);
      else known.push(at);
      this.#addNames(path);
    }
  }

  /** Replaces a step by another that touches the same paths. */
  replace(at: number, step: Step): void {
    this.steps[at] = step;
  }

  /** The last step before a position that touches a path, or a folder above it. */
  lastBefore(end: number, path: string): number | undefined {
    let best: number | undefined;
    for (const each of selfAndAbove(path)) {
      const found = lastBelow(this.#byPath.get(each) ?? [], end);
      if (found !== undefined && (best === undefined || found > best)) best = found;
    }
    return best;
  }

  /** The first such step from a position on, or any move: what is followed may have come from elsewhere. */
  firstFrom(start: number, path: string): number | undefined {
    let best = firstAbove(this.#moves, start);
    for (const each of selfAndAbove(path)) {
      const found = firstAbove(this.#byPath.get(each) ?? [], start);
      if (found !== undefined && (best === undefined || found < best)) best = found;
    }
    return best;
  }

  /** The names in a folder that any step touches. */
  namesIn(folder: string): Iterable<string> {
    return this.#names.get(folder) ?? [];
  }

  /** Whether no step can touch anything in a folder. */
  isQuietIn(folder: string): boolean {
    return this.#moves.length === 0 && !this.#names.has(folder);
  }

  /** All moves before a position, the last first. */
  movesBefore(end: number): number[] {
    return this.#moves.filter((at) => at < end).toReversed();
  }

  #addNames(path: string): void {
    for (const each of selfAndAbove(path)) {
      const folder = parentPath(each);
      const names = this.#names.get(folder) ?? new Set();
      const name = each.slice(folder === "" ? 0 : folder.length + 1);
      if (names.has(name)) return; // then those above are known too
      this.#names.set(folder, names.add(name));
    }
  }
}

function lastBelow(numbers: readonly number[], end: number): number | undefined {
  return numbers[countBelow(numbers, end) - 1];
}

function firstAbove(numbers: readonly number[], start: number): number | undefined {
  return numbers[countBelow(numbers, start)];
}

/** How many of ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
