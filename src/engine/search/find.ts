/** Finds files, folders and links by their paths, with a glob or a regular expression, in the order of full paths. */
import { PaddockError } from "../../base/errors.ts";
import { lstat } from "../../confine/confined_fs.ts";
import { type ConfinedPath } from "../../confine/resolve_path.ts";
import { type EntryType } from "../metadata.ts";
import { compileGlob } from "./glob.ts";
import { compilePattern, type Matcher } from "./matcher.ts";
import { SearchTime, type TimeOptions } from "./search_time.ts";
import { isPassing, walk } from "./walk.ts";

export interface FindOptions extends TimeOptions {
  /** Must match the whole path below the searched folder. One of `glob` and `regex` is given. */
  glob?: string | undefined;
  /** May match any part of that path; in Go's syntax. */
  regex?: string | undefined;
  typeFilter?: "file" | "directory" | "symlink" | "all" | undefined;
  maxResults?: number | undefined;
  /** 1 is what lies in the folder itself. */
  maxDepth?: number | undefined;
  /** Whether a folder may be looked into: one of another root obeys other rules. */
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
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

/** How much text of results is kept in memory, and what a result takes beside its path. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const PER_MATCH = 100;

/** Searches below a folder; the folder itself is not among the results. A link is found by its own name. */
export async function find(folder: ConfinedPath, options: FindOptions): Promise<FindResult> {
  const { typeFilter = "all", maxResults = 100 } = options;
  const matcher = compile(options);
  const time = new SearchTime(options);
  const step = () => time.step();
  const matches: FoundEntry[] = [];
  let skipped = 0;
  let characters = 0;
  const isFull = () => matches.length >= maxResults || characters >= MAX_CHARACTERS;
  const entries = walk(folder, {
    time,
    maxDepth: options.maxDepth,
    mayMatchBelow: (below) => matcher.mayMatchAfter(`${below}/`, step),
    mayEnter: options.mayEnter,
    onSkip: (count) => skipped += count,
  });
  for await (const { path, below, type } of entries) {
    if (isFull()) break;
    if (typeFilter !== "all" && type !== typeFilter) continue;
    if (!await matcher.matchesTextInTime(below, step)) continue;
    const found = describe(path, type);
    if (found === undefined) continue;
    matches.push(found);
    characters += PER_MATCH + found.path.length;
  }
  return { matches, total_matches: matches.length, truncated: isFull(), timed_out: time.isUp, skipped };
}

function compile({ glob, regex }: FindOptions): Matcher {
  if (glob !== undefined && regex === undefined) return compileGlob(glob);
  if (regex !== undefined && glob === undefined) return compilePattern(regex);
  throw new PaddockError("INVALID_INPUT", "exactly one of pattern or regex must be provided");
}

/** What is at a path; undefined when it has gone, may not be looked at, or is something else by now. */
function describe(path: ConfinedPath, type: EntryType): FoundEntry | undefined {
  let info: Deno.FileInfo | undefined;
  try {
    info = lstat(path);
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
  const is = { file: info?.isFile, directory: info?.isDirectory, symlink: info?.isSymlink, other: true };
  if (info === undefined || !is[type]) return undefined;
  return {
    path: path.relative,
    type,
    size: info.size,
    modified_at: (info.mtime ?? new Date(0)).toISOString(),
  };
}
