/** The files of a folder and all below it, in the order of paths, as batches; the same ones for the same tree. */
import { type ConfinedPath } from "../../../confine/resolve_path.ts";
import { type Batch } from "./batch.ts";
import { type GlobFilter } from "../walk/glob_filter.ts";
import { type IgnoreScope } from "../walk/ignore_scope.ts";
import { type ListingCache } from "../walk/listing_cache.ts";
import { type SearchTime } from "../search_time.ts";
import { walkRuns } from "../walk/walk.ts";

export interface FileBatchesOptions {
  filter: GlobFilter;
  time: SearchTime;
  maxDepth?: number | undefined;
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
  ignore?: IgnoreScope | undefined;
  listings?: ListingCache | undefined;
}

/** The first batches are small, so that a search that soon finds enough looks at little more than it needs. */
const FIRST = 8;
const MOST = 256;

/** Names are not proven to lie in the folder (see `walkRuns`). Ends early when the time is up. */
export async function* fileBatches(folder: ConfinedPath, options: FileBatchesOptions): AsyncGenerator<Batch> {
  const { filter, time, maxDepth, mayEnter, ignore, listings } = options;
  const step = () => time.step();
  let size = FIRST;
  let count = 0;
  let skipped = 0;
  let next = { folders: [] as { prefix: string; names: string[] }[], skipped: 0 };
  const take = (): Batch => {
    const batch = next;
    next = { folders: [], skipped };
    size = Math.min(size * 2, MOST);
    count = skipped = 0;
    return batch;
  };
  const runs = walkRuns(folder, {
    time,
    maxDepth,
    mayMatchBelow: (below) => filter.mayMatchBelow(below, step),
    mayEnter,
    ignore,
    listings,
    unproven: true,
    onSkip: (more) => skipped += more,
  });
  for await (const { prefix, entries } of runs) {
    if (skipped > 0) {
      if (count > 0) yield take();
      else [next.skipped, skipped] = [next.skipped + skipped, 0];
    }
    let names: string[] | undefined;
    for (const { name, isFile } of entries) {
      if (!isFile) continue;
      const isWanted = filter.matches(prefix + name, step);
      if (isWanted !== true && !await isWanted) continue;
      if (names === undefined) next.folders.push({ prefix, names: names = [] });
      names.push(name);
      if (++count < size) continue;
      yield take();
      names = undefined;
    }
  }
  if (count > 0) yield take();
  if (skipped + next.skipped > 0) yield { folders: [], skipped: skipped + next.skipped };
}
