/** Finds files, folders and links by their paths, with a glob or a regular expression, in the order of full paths. */
import { PaddockError } from "../../base/errors.ts";
import { isoTime } from "../../base/iso_time.ts";
import type { KernelState } from "../../base/kernel.ts";
import { statesOfChildren } from "../../confine/confined_fs.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import { type EntryType, TYPES } from "../metadata.ts";
import { compileGlob, globTail, isFolderGlob } from "./walk/glob.ts";
import { IgnoreScope } from "./walk/ignore_scope.ts";
import type { SearchPool } from "./crew/pool.ts";
import { compilePattern, type Matcher } from "./pattern/matcher.ts";
import { every, PROGRESS_MS, SearchTime, type TimeOptions } from "./search_time.ts";
import { byCodePoint } from "../../text/code_point_order.ts";
import { isPassing } from "./walk/passing.ts";
import { typeOf, walkRuns } from "./walk/walk.ts";

export interface FindOptions extends TimeOptions {
  /**
   * Must match the whole path below the searched folder; one that ends in a slash finds folders only. One of
   * `glob` and `regex` is given.
   */
  glob?: string | undefined;
  /** May match any part of that path; in Go's syntax. */
  regex?: string | undefined;
  typeFilter?: "file" | "directory" | "symlink" | "all" | undefined;
  maxResults?: number | undefined;
  /** Only what comes after this path below the folder, in the order of results. */
  after?: string | undefined;
  /** 1 means the entries of the folder itself. */
  maxDepth?: number | undefined;
  /** Whether a folder may be searched: folders of another root have other rules. */
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
  /** Whether what git ignores is left out. */
  respectGitignore?: boolean | undefined;
  /** Remembers folder listings. */
  pool?: SearchPool | undefined;
  /** Called now and then. */
  onProgress?: ((progress: FindProgress) => void) | undefined;
}

export interface FindProgress {
  entries: number;
  matches: number;
}

export interface FoundEntry {
  /** Relative to the root. */
  path: string;
  type: EntryType;
  size: number;
  modified_at: string;
}

export interface FindResult {
  matches: FoundEntry[];
  total_matches: number;
  /** Whether a limit ended the search: there may be more. */
  truncated: boolean;
  timed_out: boolean;
  /** Folders that could not be read, and entries whose names are not valid UTF-8. */
  skipped: number;
}

/** How much text of results is kept in memory, and how much a result takes in addition to its path. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const PER_MATCH = 100;
/** For how many results sizes and times are read together. */
const AT_ONCE = 500;

/** Searches below a folder; the folder itself is not among the results. Links are found by their own names. */
export async function find(folder: ConfinedPath, options: FindOptions): Promise<FindResult> {
  const { typeFilter = "all", maxResults = 100, after } = options;
  const foldersOnly = options.glob !== undefined && isFolderGlob(options.glob);
  const matcher = compile(options);
  const tail = options.glob === undefined ? "" : globTail(options.glob);
  const time = new SearchTime(options);
  const step = () => time.step();
  const matches: FoundEntry[] = [];
  let skipped = 0;
  let seen = 0;
  let characters = 0;
  const isFull = () => matches.length >= maxResults || characters >= MAX_CHARACTERS;
  const runs = walkRuns(folder, {
    time,
    maxDepth: options.maxDepth,
    mayMatchBelow: (below) => !liesBefore(`${below}/`, after) && matcher.mayMatchAfter(`${below}/`, step),
    mayEnter: options.mayEnter,
    ignore: options.respectGitignore ? await IgnoreScope.above(folder) : undefined,
    unproven: true,
    listings: options.pool?.listings,
    onSkip: (count) => skipped += count,
  });
  const tell = every(PROGRESS_MS, () => options.onProgress?.({ entries: seen, matches: matches.length }));
  for await (const run of runs) {
    if (isFull()) break;
    const found: Deno.DirEntry[] = [];
    for (const entry of run.entries) {
      if (!entry.name.endsWith(tail) || !isOfType(entry, typeFilter) || (foldersOnly && !entry.isDirectory)) {
        continue;
      }
      const below = run.prefix + entry.name;
      if (after !== undefined && byCodePoint(below, after) <= 0) continue;
      if (matcher.matchesTextAtOnce(below) ?? await matcher.matchesTextInTime(below, step)) found.push(entry);
    }
    seen += run.entries.length;
    while (found.length > 0 && !isFull() && await step()) {
      const some = found.splice(0, Math.min(AT_ONCE, maxResults - matches.length));
      const described = describe(run.folder, some);
      if (described === undefined) skipped++;
      for (const entry of described ?? []) {
        if (isFull()) break;
        matches.push(entry);
        characters += PER_MATCH + entry.path.length;
      }
    }
    tell();
  }
  return { matches, total_matches: matches.length, truncated: isFull(), timed_out: time.isUp, skipped };
}

/** Whether all that is in a folder, whose path ends in a slash here, comes before a path. */
function liesBefore(folder: string, after: string | undefined): boolean {
  return after !== undefined && !after.startsWith(folder) && byCodePoint(folder, after) < 0;
}

function isOfType(entry: Deno.DirEntry, type: FindOptions["typeFilter"]): boolean {
  switch (type) {
    case "file":
      return entry.isFile;
    case "directory":
      return entry.isDirectory;
    case "symlink":
      return entry.isSymlink;
    default:
      return true;
  }
}

function compile({ glob, regex }: FindOptions): Matcher {
  if (glob !== undefined && regex === undefined) return compileGlob(glob);
  if (regex !== undefined && glob === undefined) return compilePattern(regex);
  throw new PaddockError("INVALID_INPUT", "exactly one of pattern or regex must be provided");
}

/**
 * The entries of a folder with these names, verified to be there; without those that have gone or changed their
 * type. Undefined when the folder is not readable, or was swapped for a link.
 */
function describe(folder: ConfinedPath, entries: readonly Deno.DirEntry[]): FoundEntry[] | undefined {
  let states: (KernelState | undefined)[];
  try {
    states = statesOfChildren(folder, entries.map(({ name }) => name));
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  }
  const prefix = folder.relative === "" ? "" : `${folder.relative}/`;
  const found: FoundEntry[] = [];
  entries.forEach((entry, i) => {
    const state = states[i];
    const type = typeOf(entry);
    if (state === undefined || (type !== "other" && type !== TYPES[state.kind])) return;
    const { size, mtimeMs } = state;
    found.push({
      path: prefix + entry.name,
      type,
      size,
      modified_at: isoTime(Math.floor(mtimeMs)),
    });
  });
  return found;
}
