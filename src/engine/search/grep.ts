/**
 * Searches the lines of files for a pattern, in the order of full paths. Links are never looked into, and what
 * is found first is what is returned: a limit or the end of the time only ever cuts off what comes later.
 */
import { PaddockError } from "../../base/errors.ts";
import { ConfinedFile, lstat } from "../../confine/confined_fs.ts";
import { type ConfinedPath } from "../../confine/resolve_path.ts";
import { Findings, type GrepMatch } from "./findings.ts";
import { compileGlobFilter } from "./glob_filter.ts";
import { compilePattern } from "./matcher.ts";
import { Scanner } from "./scan.ts";
import { SearchTime, type TimeOptions } from "./search_time.ts";
import { isPassing, walk } from "./walk.ts";

export const MAX_CONTEXT_LINES = 1000;

export interface GrepOptions extends TimeOptions {
  /** In Go's syntax. */
  pattern: string;
  caseInsensitive?: boolean | undefined;
  /** Which files to look into: by name at any depth, or by path when it has a slash. */
  globFilter?: string | undefined;
  /** Lines to show before and after each match; at most MAX_CONTEXT_LINES. */
  contextLines?: number | undefined;
  maxResults?: number | undefined;
  /** 1 is the files in the folder itself. */
  maxDepth?: number | undefined;
  /** Whether a folder may be looked into: one of another root obeys other rules. */
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
  /** Called now and then. */
  onProgress?: ((progress: GrepProgress) => void) | undefined;
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
  /** Text files that were looked into. */
  files_searched: number;
  /** Files and folders that could not be read, or whose names are not valid UTF-8. */
  skipped: number;
}

const PROGRESS_MS = 200;

/** Searches a folder with all below it, or one file, whatever its name. */
export async function grep(path: ConfinedPath, options: GrepOptions): Promise<GrepResult> {
  return await new Grep(path, options).run();
}

class Grep {
  readonly #path: ConfinedPath;
  readonly #options: GrepOptions;
  readonly #time: SearchTime;
  readonly #findings: Findings;
  readonly #scanner: Scanner;
  #filesSearched = 0;
  #skipped = 0;
  #lastProgress = performance.now();

  constructor(path: ConfinedPath, options: GrepOptions) {
    this.#path = path;
    this.#options = options;
    this.#time = new SearchTime(options);
    this.#findings = new Findings(options.maxResults ?? 100);
    this.#scanner = new Scanner({
      matcher: compilePattern(options.pattern, { caseInsensitive: options.caseInsensitive }),
      findings: this.#findings,
      time: this.#time,
      contextLines: Math.min(options.contextLines ?? 0, MAX_CONTEXT_LINES),
    });
  }

  async run(): Promise<GrepResult> {
    const filter = compileGlobFilter(this.#options.globFilter);
    const info = lstat(this.#path);
    if (info === undefined) throw new PaddockError("NOT_FOUND", `path not found: ${this.#path.given}`);
    if (!info.isDirectory) {
      if (await this.#time.step() && !this.#findings.isFull) await this.#search(this.#path);
      return this.#result();
    }
    const step = () => this.#time.step();
    const entries = walk(this.#path, {
      time: this.#time,
      maxDepth: this.#options.maxDepth,
      mayMatchBelow: (folder) => filter.mayMatchBelow(folder, step),
      mayEnter: this.#options.mayEnter,
      onSkip: (count) => this.#skipped += count,
    });
    for await (const { path, below, type } of entries) {
      if (this.#findings.isFull) break;
      if (type !== "file" || !await filter.matches(below, step)) continue;
      await this.#searchUnlessRefused(path);
      this.#tell();
    }
    return this.#result();
  }

  async #search(path: ConfinedPath): Promise<void> {
    using file = await ConfinedFile.open(path);
    if (await this.#scanner.scan(file, path.relative)) this.#filesSearched++;
  }

  async #searchUnlessRefused(path: ConfinedPath): Promise<void> {
    try {
      await this.#search(path);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#skipped++;
    }
  }

  #tell(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined || performance.now() - this.#lastProgress < PROGRESS_MS) return;
    this.#lastProgress = performance.now();
    onProgress({ files_searched: this.#filesSearched, matches: this.#findings.matches.length });
  }

  #result(): GrepResult {
    const { matches, isFull } = this.#findings;
    return {
      matches,
      total_matches: matches.length,
      truncated: isFull,
      timed_out: this.#time.isUp,
      files_searched: this.#filesSearched,
      skipped: this.#skipped,
    };
  }
}
