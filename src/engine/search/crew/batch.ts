/**
 * The unit of work of a search: some files that follow one another in the order of paths, looked through one
 * after the other, wherever that happens. What comes of a batch depends on nothing but its files, so that the
 * result of a search is the same whoever looks through which of them, and when.
 */
import { PaddockError } from "../../../base/errors.ts";
import { osCode } from "../../../confine/os_errors.ts";
import { UnprovenFile, UnprovenFolder } from "../../../confine/confined_fs.ts";
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";
import { type FileRange, type LargeFile } from "./file_ranges.ts";
import { Findings, type GrepMatch } from "../findings.ts";
import { compilePattern } from "../pattern/matcher.ts";
import { Scanner } from "../scan/scan.ts";
import { type CacheQuery, type SearchCache } from "../cache/search_cache.ts";
import { type SearchTime } from "../search_time.ts";
import { isPassing } from "../walk/walk.ts";

/** What is looked for; plain data. */
export interface Sought {
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  readonly contextLines: number;
  readonly maxResults: number;
}

/** Files by their names; `prefix` is where they lie below the folder that is searched: empty, or ending in `/`. */
export interface Batch {
  readonly folders: readonly { readonly prefix: string; readonly names: readonly string[] }[];
  /** How many entries the walk has left out right before these files. */
  readonly skipped: number;
  /** What of the batch's one file is to be looked through; all of every file unless given. */
  readonly range?: FileRange | undefined;
}

/** Counts from the beginning of the batch. */
interface Counts {
  /** Text files that were looked into. */
  searched: number;
  /** Files that could not be read, and what the walk has left out before them. */
  skipped: number;
}

/** A file in a batch, by the numbers of its folder and of its name. */
export interface StoppedAt {
  readonly file: LargeFile;
  readonly folder: number;
  readonly name: number;
}

export interface BatchResult extends Counts {
  /** Those with matches, each with the counts up to it and itself included. */
  readonly files: (Counts & { matches: GrepMatch[] })[];
  /** Whether the time was up before the end. */
  timedOut: boolean;
  /** How many files the cache was asked about, and how many it spared. */
  cacheLookups: number;
  cacheHits: number;
  /** Where it has stopped: at a file that is better divided. That file and those behind it are still to be done. */
  large?: StoppedAt | undefined;
  /** How many lines begin in the range; undefined when the file is not the one that was to be looked through. */
  lines?: number | undefined;
}

export interface BatchScannerOptions {
  sought: Sought;
  time: SearchTime;
  cache?: SearchCache | undefined;
  /** Larger files are left to be divided. */
  splitAbove?: number | undefined;
}

/** After so many files at most, each of which takes some microseconds, it is asked whether others want a turn. */
const FILES_PER_LOOK = 8;

/** Looks through batches of one search, one after the other. */
export class BatchScanner {
  readonly #folder: ConfinedPath;
  readonly #time: SearchTime;
  readonly #findings: Findings;
  readonly #scanner: Scanner;
  readonly #cache: SearchCache | undefined;
  readonly #query: CacheQuery | undefined;
  readonly #splitAbove: number | undefined;

  /** A pattern that cannot be read is refused here. */
  constructor(folder: ConfinedPath, { sought, time, cache, splitAbove }: BatchScannerOptions) {
    const { pattern, caseInsensitive, contextLines, maxResults } = sought;
    this.#folder = folder;
    this.#time = time;
    this.#findings = new Findings(maxResults);
    this.#scanner = new Scanner({
      matcher: compilePattern(pattern, { caseInsensitive }),
      findings: this.#findings,
      time,
      contextLines,
    });
    this.#cache = cache;
    this.#query = cache?.query(sought);
    this.#splitAbove = splitAbove;
  }

  async run(batch: Batch): Promise<BatchResult> {
    const result = this.#begin(batch.skipped);
    let seen = 0;
    for (const [folderNumber, { prefix, names }] of batch.folders.entries()) {
      using folder = new UnprovenFolder(descend(this.#folder, prefix));
      for (let number = 0; number < names.length; number++) {
        const name = names[number] ?? "";
        if (this.#findings.isFull) return result;
        if (seen++ % FILES_PER_LOOK === 0 && this.#time.isDue && !await this.#time.step()) {
          return { ...result, timedOut: true };
        }
        const known = this.#findings.matches.length;
        const glanced = batch.range === undefined ? this.#glance(folder, name, result) : undefined;
        if (glanced === "done") continue;
        const file = batch.range
          ? await this.#takeRange(folder, name, { range: batch.range, result })
          : await this.#take(folder, name, { glanced, result });
        if (file !== undefined) return { ...result, large: { file, folder: folderNumber, name: number } };
        this.#gather(result, known);
        if (this.#time.isUp) return { ...result, timedOut: true };
      }
    }
    return result;
  }

  /** Looks through a file that was asked for by itself: its troubles are those of the search. */
  async runOn(path: ConfinedPath): Promise<BatchResult> {
    const result = this.#begin();
    if (await this.#scanner.scanPath(path)) result.searched++;
    this.#gather(result, 0);
    return { ...result, timedOut: this.#time.isUp };
  }

  #begin(skipped = 0): BatchResult {
    this.#findings.keep(0);
    return { files: [], searched: 0, skipped, timedOut: false, cacheLookups: 0, cacheHits: 0 };
  }

  /** Adds what was found since there were so many matches. */
  #gather(result: BatchResult, known: number): void {
    if (this.#findings.matches.length === known) return;
    const { searched, skipped } = result;
    result.files.push({ searched, skipped, matches: this.#findings.matches.slice(known) });
  }

  /** Looks at one file, whose troubles are its own. When that is not all of it, it is returned if it is open. */
  #glance(folder: UnprovenFolder, name: string, result: BatchResult): "done" | UnprovenFile | undefined {
    if (this.#knows(folder, name, result)) return "done";
    let file: UnprovenFile | undefined;
    let isText: boolean | undefined;
    try {
      file = folder.openNow(name);
      isText = file && this.#scanner.glance(file);
    } catch (error) {
      file?.[Symbol.dispose]();
      this.#skip(error, result);
      return "done";
    }
    if (isText === undefined) return file;
    file?.[Symbol.dispose]();
    this.#count(folder, name, { isText, result });
    return "done";
  }

  /** Whether a file need not be opened, as it is known to hold no match. */
  #knows(folder: UnprovenFolder, name: string, result: BatchResult): boolean {
    if (this.#query === undefined) return false;
    result.cacheLookups++;
    const known = this.#query.ask(folder, name);
    if (known === undefined) return false;
    result.cacheHits++;
    if (known.isText) result.searched++;
    return true;
  }

  #count(
    folder: UnprovenFolder,
    name: string,
    { isText, result }: { isText: boolean; result: BatchResult },
  ): void {
    if (isText) result.searched++;
    if (!this.#time.isUp) this.#cache?.note(folder.path, name);
  }

  #skip(error: unknown, result: BatchResult): void {
    if (!isAboutFile(error)) throw error;
    result.skipped++;
  }

  /** Looks through one file after a glance, which may have opened it. Returns it when it is better divided. */
  async #take(
    folder: UnprovenFolder,
    name: string,
    { glanced, result }: { glanced: UnprovenFile | undefined; result: BatchResult },
  ): Promise<LargeFile | undefined> {
    try {
      using file = glanced ?? await UnprovenFile.open(childOf(folder.path, name));
      const isText = (glanced ? undefined : this.#scanner.glance(file)) ??
        await this.#scanner.goOn(file, this.#splitAbove);
      if (typeof isText === "object") return isText;
      this.#count(folder, name, { isText, result });
    } catch (error) {
      this.#skip(error, result);
    }
    return undefined;
  }

  /** The file counts with its first range, and as skipped when it has gone, or is another, before its last. */
  async #takeRange(
    folder: UnprovenFolder,
    name: string,
    { range: { file, from, to }, result }: { range: FileRange; result: BatchResult },
  ): Promise<undefined> {
    try {
      using open = folder.openNow(name) ?? await UnprovenFile.open(childOf(folder.path, name));
      const { dev, ino } = open.state;
      if (dev === file.dev && ino === file.ino && open.isProven()) {
        if (from === 0) result.searched++;
        result.lines = await this.#scanner.scanRange(open, open.path.relative, { from, to });
      } else result.skipped++;
    } catch (error) {
      this.#skip(error, result);
    }
  }
}

/** Whether an error is no reason to give up the search: what the system says of one file may be anything. */
function isAboutFile(error: unknown): boolean {
  return error instanceof PaddockError ? isPassing(error) : osCode(error) !== undefined;
}

/** The folder at a path below another: each name on the way is checked to be one. */
function descend(folder: ConfinedPath, prefix: string): ConfinedPath {
  return prefix.split("/").slice(0, -1).reduce(childOf, folder);
}
