/**
 * The search workers of a server: one for each processor, started when a search first needs them and stopped after
 * a while without searches. Every worker works on all searches at once, on a few units of each at a time, so that a
 * long search does not delay a short one.
 */
import type { SpawnSearcher } from "../../../base/spawn.ts";
import { DIVISION, type Division, endOfRange } from "./file_ranges.ts";
import { ListingCache, MAX_ENTRIES } from "../walk/listing_cache.ts";
import type { SortedFolder } from "../walk/sorted_folder.ts";
import { PoolMember } from "./pool_member.ts";
import { PoolSearch } from "./pool_search.ts";
import type { SearchSpec } from "./search_messages.ts";

export interface SearchPoolOptions {
  spawn: SpawnSearcher;
  /** How many workers. */
  size?: number;
  /** After how long without a search the workers are stopped. */
  restMs?: number;
  /** How long a search works without them; after that it waits until they are ready. */
  aloneMs?: number;
  /** How much memory all of them together may use to remember what files contain; 0 for none. */
  cacheBytes?: number;
  /** How large files are divided among them. */
  division?: Division;
  /** Called with how many files the cache was asked about, and how many it saved from being opened. */
  onCache?: ((lookups: number, hits: number) => void) | undefined;
}

const REST_MS = 120_000;
const MOST_WORKERS = 16;
/** How long a search works alone when workers are running, and before it has them started. */
const ALONE_MS = 4;
const PATIENCE_MS = 20;
/** How long a worker may take to start. */
const START_MS = 10_000;

export class SearchPool {
  readonly #options: SearchPoolOptions;
  readonly #size: number;
  readonly #listings = new ListingCache<SortedFolder>();
  #members: PoolMember[] = [];
  readonly #searches = new Set<PoolSearch>();
  #nextSearch = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** When the last worker was lost, by performance.now(): they are not started over and over. */
  #lostAt = -Infinity;

  constructor(options: SearchPoolOptions) {
    this.#options = options;
    this.#size = options.size ?? Math.min(navigator.hardwareConcurrency, MOST_WORKERS);
  }

  /** Folder listings for searches by name; undefined when nothing is to be remembered. */
  get listings(): ListingCache<SortedFolder> | undefined {
    if (!this.#options.cacheBytes) return undefined;
    this.#rest();
    return this.#listings;
  }

  /** How many workers there are, or will be soon. */
  get size(): number {
    return this.#members.length;
  }

  /** Whether any worker is ready. */
  get isReady(): boolean {
    return this.#members.some((member) => member.isReady);
  }

  /** How long a search works without them: longer when they are not running, as most searches need none. */
  get aloneMs(): number {
    return this.#options.aloneMs ?? (this.isReady ? ALONE_MS : PATIENCE_MS);
  }

  /** Whether a search continues alone while they are being started. */
  get worksMeanwhile(): boolean {
    return this.#options.aloneMs === undefined;
  }

  /** Larger files are divided. */
  get splitAbove(): number {
    return this.#division.above;
  }

  get #division(): Division {
    return this.#options.division ?? DIVISION;
  }

  /** Where a range of a large file ends. */
  endOfRange(range: { from: number; size: number }): number {
    return endOfRange(range, this.#division, this.#size);
  }

  #start(): void {
    if (performance.now() - this.#lostAt < REST_MS) return;
    for (let missing = this.#size - this.#members.length; missing > 0; missing--) this.#add();
  }

  /** Begins a search that workers take part in. `timeLeft` returns how many milliseconds it may still take. */
  begin(spec: SearchSpec, timeLeft: () => number): PoolSearch {
    clearTimeout(this.#resting);
    this.#start();
    const search = new PoolSearch(this.#nextSearch++, {
      spec,
      timeLeft,
      members: () => this.#members,
      onResult: ({ cacheLookups, cacheHits }) => this.#options.onCache?.(cacheLookups, cacheHits),
      onEnd: () => {
        this.#searches.delete(search);
        this.#rest();
      },
    });
    this.#searches.add(search);
    return search;
  }

  close(): void {
    clearTimeout(this.#resting);
    for (const search of this.#searches) search.end();
    for (const member of this.#members.splice(0)) member.close();
    this.#listings.clear();
  }

  #add(): void {
    const { port1, port2 } = new MessageChannel();
    const share = (all: number) => Math.floor(all / this.#size);
    const { cacheBytes = 0 } = this.#options;
    const member = new PoolMember(port1, {
      cacheBytes: share(cacheBytes),
      cacheEntries: cacheBytes > 0 ? share(MAX_ENTRIES) : 0,
      splitAbove: this.splitAbove,
    });
    this.#members.push(member);
    const lose = () => {
      clearTimeout(timer);
      if (!this.#members.includes(member)) return;
      this.#members = this.#members.filter((other) => other !== member);
      this.#lostAt = performance.now();
      member.lose();
    };
    const timer = setTimeout(lose, START_MS);
    member.ready.finally(() => clearTimeout(timer)).catch(() => {});
    this.#options.spawn(port2, lose);
  }

  /** Stops the workers, and drops what is remembered, after a while without searches. */
  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#searches.size > 0) return;
    this.#resting = setTimeout(() => this.close(), this.#options.restMs ?? REST_MS);
  }
}
