/** Finds, among the differences between two commits, the files that were renamed. */
import type { Pace } from "../../yield.ts";
import { MODE_EXECUTABLE, MODE_FILE } from "../objects/objects.ts";
import { MAX_SCORE, MIN_SCORE, piecesOf, similarity, sizesDiffer } from "./similarity.ts";
import type { Difference } from "./tree_diff.ts";

export interface Paired extends Difference {
  /** The file's old name, and how similar the two are, in per cent. */
  readonly renamed?: { readonly from: string; readonly percent: number };
}

/** With more files on either side, only equal contents are paired. */
const MAX_COMPARED = 100;
const MAX_COMPARED_BYTES = 1024 * 1024;

/** Undefined for what is too large to compare. */
export type ContentOf = (difference: Difference, side: "before" | "after") => Uint8Array | undefined;

export async function pairRenames(
  differences: readonly Difference[],
  contentOf: ContentOf,
  pace: Pace,
): Promise<Paired[]> {
  const gone = new Set(differences.filter(({ after }) => after === undefined));
  const added = differences.filter(({ before }) => before === undefined);
  const pairs = new Map<Difference, { from: Difference; percent: number }>();
  const pair = (from: Difference, to: Difference, percent: number) => {
    gone.delete(from);
    pairs.set(to, { from, percent });
  };
  const keyOf = (entry: Difference["before"]) => `${entry?.oid} ${kindOf(entry?.mode)}`;
  const byContent = new Queues(gone, ({ before }) => keyOf(before));
  const byName = new Queues(gone, ({ name, before }) => `${keyOf(before)} ${baseOf(name)}`);
  for (const to of added) {
    await pace.step();
    const key = keyOf(to.after);
    const best = byName.first(`${key} ${baseOf(to.name)}`, gone) ?? byContent.first(key, gone);
    if (best !== undefined) pair(best, to, 100);
  }
  for (
    const { from, to, score } of await alike(gone, added.filter((to) => !pairs.has(to)), { contentOf, pace })
  ) {
    if (gone.has(from) && !pairs.has(to)) pair(from, to, Math.floor(score * 100 / MAX_SCORE));
  }
  const sources = new Set(Array.from(pairs.values(), ({ from }) => from));
  return differences.filter((one) => !sources.has(one)).map((one) => {
    const found = pairs.get(one);
    if (found === undefined) return one;
    return { ...one, before: found.from.before, renamed: { from: found.from.name, percent: found.percent } };
  });
}

interface Alike {
  readonly from: Difference;
  readonly to: Difference;
  readonly score: number;
}

/** Lists by key, of which only the items still present count; each is skipped once. */
class Queues {
  readonly #lists: Map<string, Difference[]>;

  constructor(all: Iterable<Difference>, keyOf: (one: Difference) => string) {
    this.#lists = Map.groupBy(all, keyOf);
    for (const list of this.#lists.values()) list.reverse();
  }

  first(key: string, present: ReadonlySet<Difference>): Difference | undefined {
    const list = this.#lists.get(key) ?? [];
    for (let one = list.at(-1); one !== undefined; one = list.at(-1)) {
      if (present.has(one)) return one;
      list.pop();
    }
    return undefined;
  }
}

async function alike(
  gone: ReadonlySet<Difference>,
  added: readonly Difference[],
  { contentOf, pace }: { contentOf: ContentOf; pace: Pace },
): Promise<Alike[]> {
  const from = [...gone].filter(({ before }) => kindOf(before?.mode) === "file");
  const to = added.filter(({ after }) => kindOf(after?.mode) === "file");
  if (from.length > MAX_COMPARED || to.length > MAX_COMPARED) return [];
  const measure = async (one: Difference, side: "before" | "after") => {
    await pace.step();
    const bytes = contentOf(one, side) ?? new Uint8Array();
    const isSmall = bytes.length > 0 && bytes.length <= MAX_COMPARED_BYTES;
    return { one, size: bytes.length, pieces: isSmall ? piecesOf(bytes) : new Map<number, number>() };
  };
  const targets = [];
  for (const one of to) targets.push(await measure(one, "after"));
  const found: Alike[] = [];
  for (const one of from) {
    const source = await measure(one, "before");
    for (const target of targets) {
      if (sizesDiffer(source.size, target.size)) continue;
      await pace.step();
      const score = similarity(source, target);
      if (score >= MIN_SCORE) found.push({ from: source.one, to: target.one, score });
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

function kindOf(mode: number | undefined): string {
  return mode === MODE_FILE || mode === MODE_EXECUTABLE ? "file" : String(mode);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
