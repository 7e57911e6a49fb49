/**
 * Searches the lines of files for a pattern, in the order of full paths. Links are never followed. The first results
 * in that order are returned: a limit, or the end of the time, only cuts off later ones.
 */
import { PaddockError } from "../../base/errors.ts";
import { lstat } from "../../confine/confined_fs.ts";
import { childOf, type ConfinedPath, nameOf, parentOf } from "../../confine/resolve_path.ts";
import { Crew } from "./crew/crew.ts";
import type { GrepMatch } from "./findings.ts";
import { InOrder } from "./crew/in_order.ts";
import type { SearchPool } from "./crew/pool.ts";
import { SearchTime, type TimeOptions } from "./search_time.ts";
import { folderBelow } from "./walk/prefix.ts";

export const MAX_CONTEXT_LINES = 1000;

export interface GrepOptions extends TimeOptions {
  /** In Go's syntax. */
  pattern: string;
  caseInsensitive?: boolean | undefined;
  /** Which files to search: by name at any depth, or by path when it has a slash. */
  globFilter?: string | undefined;
  /** Lines to show before and after each match; at most MAX_CONTEXT_LINES. */
  contextLines?: number | undefined;
  maxResults?: number | undefined;
  /** 1 means the files in the folder itself. */
  maxDepth?: number | undefined;
  /** Whether a folder may be searched: folders of another root have other rules. */
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
  /** Whether files that git ignores are left out. */
  respectGitignore?: boolean | undefined;
  /** Called now and then. */
  onProgress?: ((progress: GrepProgress) => void) | undefined;
  /** The workers that take over a long search. */
  pool?: SearchPool | undefined;
}

export interface GrepProgress {
  files_searched: number;
  matches: number;
}

export interface GrepResult {
  matches: GrepMatch[];
  total_matches: number;
  /** Whether a limit ended the search: there may be more. */
  truncated: boolean;
  timed_out: boolean;
  /** Text files that were searched. */
  files_searched: number;
  /** Files and folders that could not be read, or whose names are not valid UTF-8. */
  skipped: number;
}

/** Searches a folder with all below it, or one file, whatever its name. */
export async function grep(path: ConfinedPath, options: GrepOptions): Promise<GrepResult> {
  return await new Grep(path, options).run();
}

class Grep {
  readonly #path: ConfinedPath;
  readonly #options: GrepOptions;
  readonly #time: SearchTime;
  readonly #order: InOrder;

  constructor(path: ConfinedPath, options: GrepOptions) {
    const { maxResults = 100, mayEnter, pool } = options;
    this.#path = path;
    this.#options = options;
    this.#time = new SearchTime(options);
    this.#order = new InOrder(maxResults, {
      endOfRange: (range) => pool?.endOfRange(range) ?? Infinity,
      mayEnter: mayEnter ? entering(path, mayEnter) : () => true,
    });
  }

  async run(): Promise<GrepResult> {
    const path = this.#path;
    const info = lstat(path);
    using crew = this.#crewFor(info?.isDirectory ?? true ? path : parentOf(path));
    if (info === undefined) throw new PaddockError("NOT_FOUND", `path not found: ${path.given}`);
    const { maxDepth = Infinity } = this.#options;
    if (!await this.#time.step() || this.#order.isFull) return this.#result();
    if (!info.isDirectory) await crew.searchFile(path, nameOf(path));
    else if (maxDepth >= 1) await crew.search({ kind: "folder", prefix: "", ignoredBy: [] });
    return this.#result();
  }

  #crewFor(folder: ConfinedPath): Crew {
    const { pattern, caseInsensitive = false, contextLines = 0, maxResults = 100 } = this.#options;
    const { globFilter, maxDepth, respectGitignore, pool, signal, onProgress } = this.#options;
    const order = this.#order;
    return new Crew(folder, {
      sought: {
        pattern,
        caseInsensitive,
        contextLines: Math.min(contextLines, MAX_CONTEXT_LINES),
        maxResults,
        globFilter,
        maxDepth,
        respectGitignore,
      },
      order,
      time: this.#time,
      signal,
      pool,
      onProgress: () => onProgress?.({ files_searched: order.searched, matches: order.matches.length }),
    });
  }

  #result(): GrepResult {
    const { matches, isFull, timedOut, searched, skipped } = this.#order;
    return {
      matches,
      total_matches: matches.length,
      truncated: isFull,
      timed_out: this.#time.isUp || timedOut,
      files_searched: searched,
      skipped,
    };
  }
}

/** Asks about folders by their prefixes, many of which lie in the same folder one after the other. */
function entering(
  path: ConfinedPath,
  mayEnter: (folder: ConfinedPath) => boolean,
): (prefix: string) => boolean {
  let parent = { prefix: "", folder: path };
  return (prefix) => {
    const cut = prefix.lastIndexOf("/", prefix.length - 2) + 1;
    const above = prefix.slice(0, cut);
    if (above !== parent.prefix) parent = { prefix: above, folder: folderBelow(path, above) };
    return mayEnter(childOf(parent.folder, prefix.slice(cut, -1)));
  };
}
