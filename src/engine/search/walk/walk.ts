/**
 * Walks a folder and all below it in the order of full paths (code point by code point), without ever following
 * a link. Every folder is verified after it was read: one that was swapped for a link meanwhile gives nothing.
 */
import { readFolderCounted, readFolderUnproven } from "../../../confine/confined_fs.ts";
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";
import type { EntryType } from "../../metadata.ts";
import type { IgnoreScope } from "./ignore_scope.ts";
import type { ListingCache } from "./listing_cache.ts";
import { isPassing } from "./passing.ts";
import type { SearchTime } from "../search_time.ts";
import { type Item, type SortedFolder, sortFolder } from "./sorted_folder.ts";

export interface WalkEntry {
  readonly path: ConfinedPath;
  /** Below the folder that is walked, with `/` between names. */
  readonly below: string;
  readonly type: EntryType;
}

export interface WalkOptions {
  time: SearchTime;
  /** 1 means the entries of the folder itself, 2 also those of its subfolders, and so on. */
  maxDepth?: number | undefined;
  /** Whether anything below a folder can be wanted. */
  mayMatchBelow?: ((below: string) => boolean | Promise<boolean>) | undefined;
  /** Whether the caller may enter a folder: folders of another root have other rules. */
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
  /** Skips the verification of listings, for callers that verify what they do with the names. */
  unproven?: boolean | undefined;
  /** The ignore rules of the folders above the walked one; without it nothing is ignored. */
  ignore?: IgnoreScope | undefined;
  /** Remembers listings; only used together with `unproven`. */
  listings?: ListingCache<SortedFolder> | undefined;
  /** Called with the number of entries left out: unreadable folders, and names that are not valid UTF-8. */
  onSkip?: ((count: number) => void) | undefined;
}

/** Consecutive entries of one folder, in the order of full paths. */
export interface Run {
  readonly folder: ConfinedPath;
  /** What `below` begins with for each of them. */
  readonly prefix: string;
  readonly entries: readonly Deno.DirEntry[];
}

/** Ends early, without an error, when the time is up. An error about the folder itself is thrown. */
export async function* walk(folder: ConfinedPath, options: WalkOptions): AsyncGenerator<WalkEntry> {
  for await (const run of walkRuns(folder, options)) {
    for (const entry of run.entries) {
      if (options.time.isDue && !await options.time.step()) return;
      const { name } = entry;
      yield { path: childOf(run.folder, name), below: run.prefix + name, type: typeOf(entry) };
    }
  }
}

/** As `walk`, with many entries at a time. */
export async function* walkRuns(folder: ConfinedPath, options: WalkOptions): AsyncGenerator<Run> {
  const { time, maxDepth = Infinity } = options;
  if (maxDepth < 1) return;
  const open: Listing[] = [await pruned(await list(folder, "", options), options)];
  for (let listing = open.at(-1); listing !== undefined; listing = open.at(-1)) {
    if (time.isDue && !await time.step()) return;
    const entries = takeRun(listing);
    if (entries.length > 0) yield { folder: listing.folder, prefix: listing.prefix, entries };
    const next = listing.items[listing.next];
    if (next !== undefined && !next.enters) continue;
    listing.next++;
    const entered = next?.entry;
    if (entered === undefined) {
      open.pop();
      continue;
    }
    const path = childOf(listing.folder, entered.name);
    const below = listing.prefix + entered.name;
    if (open.length < maxDepth && await mayEnter(path, below, options)) {
      const inner = await listUnlessRefused(path, `${below}/`, options);
      if (inner === undefined) options.onSkip?.(1);
      else open.push(await pruned(inner, { ...options, ignore: listing.ignore }));
    }
  }
}

interface Listing {
  readonly folder: ConfinedPath;
  readonly prefix: string;
  readonly items: readonly Item[];
  /** The rules in this folder. */
  readonly ignore?: IgnoreScope | undefined;
  next: number;
}

async function list(folder: ConfinedPath, prefix: string, options: WalkOptions): Promise<Listing> {
  const { onSkip, unproven, listings, time } = options;
  const read = unproven ? readFolderUnproven : readFolderCounted;
  const sort = async (path: ConfinedPath) => {
    const steps = sortFolder(path, read(path));
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (time.isDue) await time.step(); // a walk that is out of time ends at the next entry
    }
  };
  const isKept = unproven && listings !== undefined;
  const { items, unnamed } = await (isKept ? listings.of(folder, sort) : sort(folder));
  if (unnamed > 0) onSkip?.(unnamed);
  return { folder, prefix, items, next: 0 };
}

/** Without what git ignores. */
async function pruned(listing: Listing, { ignore, time }: WalkOptions): Promise<Listing> {
  if (ignore === undefined) return listing;
  const { folder } = listing;
  const isNamed = listing.items.some(({ entry }) => entry.name === ".gitignore" && entry.isFile);
  const scope = isNamed ? await ignore.enter(folder) : ignore;
  const ignored = new Set<Deno.DirEntry>();
  for (const { entry, enters } of listing.items) {
    if (!enters && await scope.ignores(folder, entry, time)) ignored.add(entry);
  }
  return { ...listing, items: listing.items.filter(({ entry }) => !ignored.has(entry)), ignore: scope };
}

/** How many entries are returned at a time: few enough that other calls do not wait long. */
const MOST_IN_RUN = 1_024;

/** The entries up to the next folder to be entered, at most MOST_IN_RUN of them. */
function takeRun(listing: Listing): Deno.DirEntry[] {
  const entries: Deno.DirEntry[] = [];
  for (
    let item = listing.items[listing.next];
    item !== undefined && !item.enters && entries.length < MOST_IN_RUN;
  ) {
    entries.push(item.entry);
    item = listing.items[++listing.next];
  }
  return entries;
}

async function listUnlessRefused(
  folder: ConfinedPath,
  prefix: string,
  options: WalkOptions,
): Promise<Listing | undefined> {
  try {
    return await list(folder, prefix, options);
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  }
}

async function mayEnter(folder: ConfinedPath, below: string, options: WalkOptions): Promise<boolean> {
  return (await options.mayMatchBelow?.(below) ?? true) && (options.mayEnter?.(folder) ?? true);
}

export function typeOf(entry: Deno.DirEntry): EntryType {
  if (entry.isSymlink) return "symlink";
  if (entry.isDirectory) return "directory";
  return entry.isFile ? "file" : "other";
}
