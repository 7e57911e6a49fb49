/** Searches units (see unit.ts) of one search, one after the other, on whatever thread it runs. */
import { PaddockError } from "../../../base/errors.ts";
import { osCode } from "../../../confine/os_errors.ts";
import { UnprovenFile, UnprovenFolder } from "../../../confine/unproven.ts";
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";
import { Findings } from "../findings.ts";
import { compilePattern } from "../pattern/matcher.ts";
import { Scanner } from "../scan/scan.ts";
import type { CacheQuery, SearchCache } from "../cache/search_cache.ts";
import type { SearchTime } from "../search_time.ts";
import { type FileListings, WantedFiles } from "../walk/wanted_files.ts";
import { folderBelow } from "../walk/prefix.ts";
import { isPassing } from "../walk/passing.ts";
import {
  type FileRange,
  type Found,
  nothingFound,
  type Part,
  type Sought,
  type Unit,
  type UnitResult,
} from "./unit.ts";

export interface UnitScannerOptions {
  sought: Sought;
  time: SearchTime;
  cache?: SearchCache | undefined;
  /** Where listings of folders are remembered. */
  listings?: FileListings | undefined;
  /** Larger files are left to be divided. */
  splitAbove?: number | undefined;
}

/** How many files one unit searches; the names of the others are returned, to be shared among workers. */
const MOST_FILES = 512;
/**
 * A unit that takes longer, because its files are hard to search, is returned as well, in units of a few files: other
 * workers may be idle, and the client waits to hear how far the search is.
 */
const LONG_MS = 100;
const FEW_FILES = 16;
const SHARES = 64;
/** How often, in files of a few microseconds each, the clock is checked. */
const FILES_PER_LOOK = 8;
const SLASH = 0x2f;

export class UnitScanner {
  readonly #folder: ConfinedPath;
  readonly #time: SearchTime;
  readonly #findings: Findings;
  readonly #scanner: Scanner;
  readonly #wanted: WantedFiles;
  readonly #cache: SearchCache | undefined;
  readonly #query: CacheQuery | undefined;
  readonly #splitAbove: number | undefined;
  #result: UnitResult = { parts: [], cacheLookups: 0, cacheHits: 0 };
  /** The last part, while files are being added to it. */
  #found: Found | undefined;
  /** When the unit was begun, by performance.now(). */
  #begun = 0;
  /** How many files were examined, in all units. */
  looked = 0;

  /** Throws when the pattern, or the glob, cannot be read. */
  constructor(folder: ConfinedPath, options: UnitScannerOptions) {
    const { sought, time, cache, listings, splitAbove } = options;
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
    this.#wanted = new WantedFiles(folder, { ...sought, time, listings });
    this.#cache = cache;
    this.#query = cache?.query(sought);
    this.#splitAbove = splitAbove;
  }

  async run(unit: Unit): Promise<UnitResult> {
    const result = this.#begin();
    using folder = new UnprovenFolder(folderBelow(this.#folder, unit.prefix));
    switch (unit.kind) {
      case "folder":
        await this.#takeFolder(folder, unit);
        break;
      case "files":
        await this.#takeItems(folder, unit.names);
        break;
      case "range":
        await this.#takeRange(folder, unit.name, unit.range);
    }
    return result;
  }

  /** Searches a file that was asked for by itself: what is wrong with it is thrown. */
  async runOn(path: ConfinedPath, name: string): Promise<UnitResult> {
    const result = this.#begin();
    const isText = await this.#scanner.scanPath(path, this.#splitAbove);
    if (typeof isText === "object") result.parts.push({ large: isText, name });
    else {
      if (isText) this.#files.searched++;
      this.#gather(0, [name]);
    }
    return result;
  }

  #begin(): UnitResult {
    this.#findings.keep(0);
    this.#found = undefined;
    this.#begun = performance.now();
    return this.#result = { parts: [], cacheLookups: 0, cacheHits: 0 };
  }

  /** Where files that are searched now are counted. */
  get #files(): Found {
    if (this.#found === undefined) this.#result.parts.push({ found: this.#found = nothingFound() });
    return this.#found;
  }

  #add(part: Part): void {
    this.#result.parts.push(part);
    this.#found = undefined;
  }

  async #takeFolder(folder: UnprovenFolder, unit: Unit & { kind: "folder" }): Promise<void> {
    let items: readonly string[];
    try {
      const listed = await this.#wanted.in(folder, unit);
      items = listed.items;
      if (listed.unnamed > 0) this.#files.skipped += listed.unnamed;
      if (listed.hasGitignore) this.#result.hasGitignore = true;
    } catch (error) {
      if (unit.prefix === "" || !isPassing(error)) throw error;
      this.#files.skipped++;
      return;
    }
    await this.#takeItems(folder, items);
  }

  /** Searches files, and passes on subfolders, whose names end in a slash, in their order. */
  async #takeItems(folder: UnprovenFolder, items: readonly string[]): Promise<void> {
    let files = 0;
    if (!await this.#mayGoOn()) return this.#cutAt(items);
    for (let i = 0; i < items.length; i++) {
      const name = items[i] ?? "";
      if (this.#findings.isFull) return; // what comes later cannot be among the results
      if (isFolderItem(name)) {
        this.#add({ subfolder: name });
        continue;
      }
      if (files++ >= MOST_FILES) return this.#leave(items.slice(i));
      if (++this.looked % FILES_PER_LOOK === 0 && this.#time.isDue && !await this.#mayGoOn()) {
        return this.#cutAt(items.slice(i));
      }
      const glanced = this.#glance(folder, name);
      if (glanced === "done") continue;
      const known = this.#findings.matches.length;
      await this.#take(folder, name, glanced);
      if (!this.#gather(known, items.slice(i))) return;
      if (performance.now() - this.#begun > LONG_MS) return this.#leaveShared(items.slice(i + 1));
    }
  }

  async #mayGoOn(): Promise<boolean> {
    return !this.#time.isDue || await this.#time.step();
  }

  /** The time is up before these. */
  #cutAt(items: readonly string[]): void {
    this.#add({ cut: nothingFound() });
    this.#leave(items);
  }

  /** What is left of a unit that takes long: in small units, but not in many more than there are workers. */
  #leaveShared(items: readonly string[]): void {
    this.#leave(items, Math.min(MOST_FILES, Math.max(FEW_FILES, Math.ceil(items.length / SHARES))));
  }

  /** What is left of a unit, for others or for later. */
  #leave(items: readonly string[], most = MOST_FILES): void {
    let names: string[] = [];
    for (const item of items) {
      const isFolder = isFolderItem(item);
      if (names.length > 0 && (isFolder || names.length === most)) {
        this.#add({ names });
        names = [];
      }
      if (isFolder) this.#add({ subfolder: item });
      else names.push(item);
    }
    if (names.length > 0) this.#add({ names });
  }

  /**
   * Adds what was found in a file since there were `known` matches. False when the time was up before the file's
   * end: then it is the first of those that are left.
   */
  #gather(known: number, items: readonly string[]): boolean {
    const matches = this.#findings.matches.slice(known);
    if (this.#time.isUp) {
      const counts = { searched: 1, skipped: 0 };
      this.#add({ cut: { ...counts, files: matches.length > 0 ? [{ ...counts, matches }] : [] } });
      this.#leave(items);
      return false;
    }
    if (matches.length > 0) {
      const { searched, skipped, files } = this.#files;
      files.push({ searched, skipped, matches });
    }
    return true;
  }

  /**
   * Examines one file. Whatever is wrong with it, the search continues. When there is more to do than a glance, the
   * open file is returned, or undefined if it could not be opened this way.
   */
  #glance(folder: UnprovenFolder, name: string): "done" | UnprovenFile | undefined {
    if (this.#knows(folder, name)) return "done";
    let file: UnprovenFile | undefined;
    let isText: boolean | undefined;
    try {
      file = folder.openNow(name);
      isText = file && this.#scanner.glance(file);
    } catch (error) {
      file?.[Symbol.dispose]();
      this.#skip(error);
      return "done";
    }
    if (isText === undefined) return file;
    file?.[Symbol.dispose]();
    this.#count(folder, name, isText);
    return "done";
  }

  /** Whether a file need not be opened, because the cache knows that it holds no match. */
  #knows(folder: UnprovenFolder, name: string): boolean {
    if (this.#query === undefined) return false;
    this.#result.cacheLookups++;
    const known = this.#query.ask(folder, name);
    if (known === undefined) return false;
    this.#result.cacheHits++;
    if (known.isText) this.#files.searched++;
    return true;
  }

  #count(folder: UnprovenFolder, name: string, isText: boolean): void {
    if (this.#time.isUp) return; // it was not searched to its end
    if (isText) this.#files.searched++;
    this.#cache?.note(folder.path, name);
  }

  #skip(error: unknown): void {
    if (!isAboutFile(error)) throw error;
    this.#files.skipped++;
  }

  /** Searches one file after a glance, which may have opened it. */
  async #take(folder: UnprovenFolder, name: string, glanced: UnprovenFile | undefined): Promise<void> {
    try {
      using file = glanced ?? await UnprovenFile.open(childOf(folder.path, name));
      const isText = (glanced ? undefined : this.#scanner.glance(file)) ??
        await this.#scanner.goOn(file, this.#splitAbove);
      if (typeof isText === "object") this.#add({ large: isText, name });
      else this.#count(folder, name, isText);
    } catch (error) {
      this.#skip(error);
    }
  }

  /** The file is counted with its first range; one that is gone or replaced counts as skipped. */
  async #takeRange(folder: UnprovenFolder, name: string, { file, from, to }: FileRange): Promise<void> {
    let lines: number | undefined;
    const counts = { searched: 0, skipped: 0 };
    try {
      using open = folder.openNow(name) ?? await UnprovenFile.open(childOf(folder.path, name));
      const { dev, ino } = open.state;
      if (dev === file.dev && ino === file.ino && open.isProven()) {
        if (from === 0) counts.searched++;
        lines = await this.#scanner.scanRange(open, open.path.relative, { from, to });
      } else counts.skipped++;
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      counts.skipped++;
    }
    const { matches } = this.#findings;
    const files = matches.length > 0 ? [{ ...counts, matches: matches.slice() }] : [];
    const found = { ...counts, files, part: { from, lines } };
    this.#add(this.#time.isUp ? { cut: found } : { found });
  }
}

/** Whether an error is no reason to give up the search: a single file can fail in any way. */
function isAboutFile(error: unknown): boolean {
  return error instanceof PaddockError ? isPassing(error) : osCode(error) !== undefined;
}

/** Whether an item stands for a subfolder. Called for every file, so it checks only one character. */
function isFolderItem(item: string): boolean {
  return item.charCodeAt(item.length - 1) === SLASH;
}
