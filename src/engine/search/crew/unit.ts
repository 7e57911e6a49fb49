/**
 * Units of work, as plain data: whoever searches one, and when, the result depends only on the files. A unit
 * may return before it is finished; the rest is then returned as further units, in the order of paths.
 */
import type { GrepMatch } from "../findings.ts";

/** What a search looks for, and where. */
export interface Sought {
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  readonly contextLines: number;
  readonly maxResults: number;
  /** Which files to search (see `compileGlobFilter`); all unless given. */
  readonly globFilter?: string | undefined;
  /** 1 is the files in the searched folder itself. */
  readonly maxDepth?: number | undefined;
  /** Whether files that git ignores are left out. */
  readonly respectGitignore?: boolean | undefined;
}

/** Identifies a file that is searched in ranges: a file that has replaced it since is a different one. */
export interface LargeFile {
  readonly dev: number;
  readonly ino: number;
  /** Its size when it was opened first; it may have grown since. */
  readonly size: number;
}

/**
 * A folder to list and search (its subfolders become units of their own), some of the files in a folder, or the
 * lines of one file that begin from `from` to before `to`. `prefix` is the folder's path below the searched
 * folder: empty, or ending in `/`.
 */
export type Unit =
  | { readonly kind: "folder"; readonly prefix: string; readonly ignoredBy: readonly string[] }
  | { readonly kind: "files"; readonly prefix: string; readonly names: readonly string[] }
  | { readonly kind: "range"; readonly prefix: string; readonly name: string; readonly range: FileRange };

export interface FileRange {
  readonly file: LargeFile;
  readonly from: number;
  readonly to: number;
}

export interface Counts {
  /** Text files that were searched. */
  searched: number;
  /** Files and folders that could not be read, and entries whose names are not valid UTF-8. */
  skipped: number;
}

/** What was found in some files that follow one another. */
export interface Found extends Counts {
  /** The files with matches; each with the counts from the first file of `Found` up to and including itself. */
  readonly files: (Counts & { matches: GrepMatch[] })[];
  /** For a range: where it begins, and how many lines begin in it; undefined when the file has been replaced. */
  readonly part?: { readonly from: number; readonly lines: number | undefined } | undefined;
}

/** A piece of a unit's result, in the order of paths: what was found, or what is still to be searched. */
export type Part =
  | { readonly found: Found }
  /** The time was up here: what had been found by then in the file that comes next. */
  | { readonly cut: Found }
  | { readonly subfolder: string }
  | { readonly names: readonly string[] }
  | { readonly large: LargeFile; readonly name: string };

export interface UnitResult {
  readonly parts: Part[];
  /** Whether the folder has a `.gitignore`; only set where it matters. */
  hasGitignore?: boolean;
  /** How many files the cache was asked about, and how many it saved from being opened. */
  cacheLookups: number;
  cacheHits: number;
}

export function nothingFound(skipped = 0): Found {
  return { searched: 0, skipped, files: [] };
}
