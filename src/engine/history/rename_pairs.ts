/** Finds, among the differences between two commits, the files that only got another name. */
import { MODE_EXECUTABLE, MODE_FILE } from "./objects.ts";
import { MAX_SCORE, MIN_SCORE, piecesOf, similarity, sizesDiffer } from "./similarity.ts";
import { type Difference } from "./tree_diff.ts";

export interface Paired extends Difference {
  /** What the file was called, and how alike the two are in per cent. */
  readonly renamed?: { readonly from: string; readonly percent: number };
}

/** With more files on either side, only equal contents are paired. */
const MAX_COMPARED = 100;
const MAX_COMPARED_BYTES = 1024 * 1024;

/** Undefined for what is too large to be compared. */
export type ContentOf = (difference: Difference, side: "before" | "after") => Uint8Array | undefined;

export function pairRenames(differences: readonly Difference[], contentOf: ContentOf): Paired[] {
  const gone = new Set(differences.filter(({ after }) => after === undefined));
  const added = differences.filter(({ before }) => before === undefined);
  const pairs = new Map<Difference, { from: Difference; percent: number }>();
  const pair = (from: Difference, to: Difference, percent: number) => {
    gone.delete(from);
    pairs.set(to, { from, percent });
  };
  const byContent = Map.groupBy(gone, ({ before }) => `${before?.oid} ${kindOf(before?.mode)}`);
  for (const to of added) {
    const same = (byContent.get(`${to.after?.oid} ${kindOf(to.after?.mode)}`) ?? []).filter((from) =>
      gone.has(from)
    );
    const best = same.find(({ name }) => baseOf(name) === baseOf(to.name)) ?? same[0];
    if (best !== undefined) pair(best, to, 100);
  }
  for (const { from, to, score } of alike(gone, added.filter((to) => !pairs.has(to)), contentOf)) {
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

function alike(gone: ReadonlySet<Difference>, added: readonly Difference[], contentOf: ContentOf): Alike[] {
  const from = [...gone].filter(({ before }) => kindOf(before?.mode) === "file");
  const to = added.filter(({ after }) => kindOf(after?.mode) === "file");
  if (from.length > MAX_COMPARED || to.length > MAX_COMPARED) return [];
  const measure = (side: "before" | "after") => (one: Difference) => {
    const bytes = contentOf(one, side) ?? new Uint8Array();
    const isSmall = bytes.length > 0 && bytes.length <= MAX_COMPARED_BYTES;
    return { one, size: bytes.length, pieces: isSmall ? piecesOf(bytes) : new Map<number, number>() };
  };
  const targets = to.map(measure("after"));
  return from.map(measure("before")).flatMap((source) =>
    targets.filter((target) => !sizesDiffer(source.size, target.size)).map((target) => ({
      from: source.one,
      to: target.one,
      score: similarity(source, target),
    }))
  ).filter(({ score }) => score >= MIN_SCORE).sort((a, b) => b.score - a.score);
}

function kindOf(mode: number | undefined): string {
  return mode === MODE_FILE || mode === MODE_EXECUTABLE ? "file" : String(mode);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
