/**
 * A file's earlier name, by the rules of `git log --follow`: a file that is new in a commit came from the file of
 * the commit before that is equal, or most similar; one that was removed in the same commit is preferred.
 */
import type { ObjectStore } from "../objects/object_store.ts";
import { MODE_EXECUTABLE, MODE_FILE } from "../objects/objects.ts";
import { MIN_SCORE, type Pieces, piecesOf, similarity, sizesDiffer } from "./similarity.ts";
import type { NamedEntry, TreeEntry } from "../objects/tree.ts";
import { entryAt, filesBelow } from "../objects/tree_edits.ts";

/** In a larger workspace only removed files are compared by content, or it would take seconds. */
const MAX_COMPARED = 2_000;
/** Larger files are not read into memory. */
const MAX_BYTES = 512 * 1024 * 1024;
/** As in git: more candidates than this are dropped. */
const CANDIDATES = 4;

export interface Appearance {
  readonly before: string;
  readonly after: string;
  /** A byte string. */
  readonly path: string;
  readonly entry: TreeEntry;
}

/** The name in the commit before, as a byte string; undefined if the file really was new. */
export function sourceOf(store: ObjectStore, { before, after, path, entry }: Appearance): string | undefined {
  const sources = [...filesBelow(store, entryAt(store, before, ""), "")];
  const isGone = ({ name }: NamedEntry) => entryAt(store, after, name) === undefined;
  const same = sameContent(sources, { path, entry, isGone });
  if (same !== undefined) return same.name;
  if (!isRegular(entry.mode)) return undefined;
  const compared = sources.filter((source) => sources.length <= MAX_COMPARED || isGone(source));
  return mostAlike(store, compared, { path, entry, isGone })?.name;
}

interface Target {
  readonly path: string;
  readonly entry: TreeEntry;
  isGone(source: NamedEntry): boolean;
}

function sameContent(
  sources: readonly NamedEntry[],
  { path, entry, isGone }: Target,
): NamedEntry | undefined {
  let best: NamedEntry | undefined;
  let bestScore = -1;
  for (const source of sources) {
    if (source.oid !== entry.oid) continue;
    if (source.mode !== entry.mode && !(isRegular(source.mode) && isRegular(entry.mode))) continue;
    const score = (isGone(source) ? 1 : 0) + (baseOf(source.name) === baseOf(path) ? 1 : 0);
    if (score > bestScore) [best, bestScore] = [source, score];
  }
  return best;
}

interface Candidate {
  readonly source: NamedEntry;
  readonly score: number;
  readonly sameName: boolean;
}

function mostAlike(
  store: ObjectStore,
  sources: readonly NamedEntry[],
  { path, entry, isGone }: Target,
): NamedEntry | undefined {
  if (store.size(entry.oid) > MAX_BYTES) return undefined;
  const wanted = store.blob(entry.oid);
  if (wanted.length === 0) return undefined;
  const target = { pieces: piecesOf(wanted), size: wanted.length };
  const best: Candidate[] = [];
  for (const source of sources) {
    const score = isRegular(source.mode) ? scoreOf(store, source.oid, target) : 0;
    record(best, { source, score, sameName: baseOf(source.name) === baseOf(path) });
  }
  const fit = best.sort(byRank).filter(({ score }) => score >= MIN_SCORE).map(({ source }) => source);
  return fit.find(isGone) ?? fit[0];
}

function scoreOf(store: ObjectStore, oid: string, target: { pieces: Pieces; size: number }): number {
  if (sizesDiffer(store.size(oid), target.size)) return 0; // before reading it into memory
  const bytes = store.blob(oid);
  return similarity({ pieces: piecesOf(bytes), size: bytes.length }, target);
}

/** As git does it, down to which of two equals is kept: a candidate with no similarity at all counts as well. */
function record(best: Candidate[], candidate: Candidate): void {
  if (best.length < CANDIDATES) {
    best.push(candidate);
    return;
  }
  let worst = 0;
  for (let i = 1; i < CANDIDATES; i++) if (compare(best[i], best[worst]) > 0) worst = i;
  if (compare(best[worst], candidate) > 0) best[worst] = candidate;
}

function compare(a: Candidate | undefined, b: Candidate | undefined): number {
  return a === undefined || b === undefined ? 0 : byRank(a, b);
}

function byRank(a: Candidate, b: Candidate): number {
  return b.score - a.score || Number(b.sameName) - Number(a.sameName);
}

function isRegular(mode: number): boolean {
  return mode === MODE_FILE || mode === MODE_EXECUTABLE;
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
