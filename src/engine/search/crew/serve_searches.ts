/**
 * A search worker's side of the port. Searches share the worker: the units of one search run one after the other,
 * and each yields now and then to other searches and to messages from the server. Paths from the server are not
 * trusted: they are resolved here again.
 */
import { PaddockError } from "../../../base/errors.ts";
import { resolvePath } from "../../../confine/resolve_path.ts";
import { createRoots } from "../../../confine/roots.ts";
import { Pace } from "../../yield.ts";
import { SearchCache } from "../cache/search_cache.ts";
import type { Failure, FromSearcher, SearchSpec, ToSearcher } from "./search_messages.ts";
import { SearchTime } from "../search_time.ts";
import { ListingCache } from "../walk/listing_cache.ts";
import { Turns } from "./turns.ts";
import type { Unit, UnitResult } from "./unit.ts";
import { UnitScanner, type UnitScannerOptions } from "./unit_scanner.ts";

/** Only other searches wait for this thread. */
const PACE_MS = 20;
/** A search that arrives while files are being learned waits no longer than this. */
const LEARNING_MS = 5;

/** After so many files, or with so many matches, the results are sent: another worker may be idle. */
const FILES_PER_MESSAGE = 512;
const MATCHES_PER_MESSAGE = 1_000;

/** Serves the server at the other end of the port; settles when that closes it. */
export async function serveSearches(port: MessagePort): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const searches = new Map<number, Search>();
  const files: Files = {};
  const turns = new Turns();
  const giveWay = () => turns.next();
  let hasClosed = false;
  const isIdle = () => searches.size === 0 && !hasClosed;
  const tell = (message: FromSearcher) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<ToSearcher>) => {
    switch (data.type) {
      case "hello":
        if (data.cacheBytes > 0) files.cache = new SearchCache(data.cacheBytes);
        if (data.cacheEntries > 0) files.listings = new ListingCache(data.cacheEntries);
        files.splitAbove = data.splitAbove;
        return tell({ type: "ready" });
      case "begin":
        return void searches.set(data.search, new Search(data, { files, giveWay }));
      case "scan":
        return searches.get(data.search)?.scan(data, tell);
      case "end":
        searches.get(data.search)?.end();
        searches.delete(data.search);
        return void learn(files.cache, { isIdle, giveWay });
      case "close":
        hasClosed = true;
        for (const search of searches.values()) search.end();
        return closed.resolve();
    }
  };
  await closed.promise;
  port.close();
  turns.close();
}

/** Learns what files contain while no search runs. */
async function learn(
  cache: SearchCache | undefined,
  { isIdle, giveWay }: { isIdle: () => boolean; giveWay: () => Promise<void> },
): Promise<void> {
  const pace = new Pace(undefined, LEARNING_MS, giveWay);
  while (cache?.isDue && isIdle()) {
    await cache.learn(() => pace.step());
    await pace.step();
  }
}

/** What all searches of a worker share. */
type Files = Pick<UnitScannerOptions, "cache" | "listings" | "splitAbove">;

class Search {
  readonly #controller = new AbortController();
  readonly #spec: SearchSpec;
  readonly #time: SearchTime;
  readonly #files: Files;
  #scanner: UnitScanner | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    { spec, timeoutMs }: { spec: SearchSpec; timeoutMs: number },
    { files, giveWay }: { files: Files; giveWay: () => Promise<void> },
  ) {
    this.#spec = spec;
    this.#time = new SearchTime({ timeoutMs, signal: this.#controller.signal, paceMs: PACE_MS, giveWay });
    this.#files = files;
  }

  end(): void {
    this.#controller.abort();
  }

  scan({ task, units }: ToSearcher & { type: "scan" }, tell: (message: FromSearcher) => void): void {
    this.#time.restart(); // messages have just had a turn
    this.#last = this.#last.then(async () => {
      if (this.#controller.signal.aborted) return;
      try {
        tell({ type: "done", task, results: await this.#run(units) });
      } catch (error) {
        tell({ type: "failed", task, failure: failureOf(error) });
      }
    });
  }

  /** Searches units until there is enough to send; at least the first one. */
  async #run(units: readonly Unit[]): Promise<UnitResult[]> {
    const scanner = this.#scanner ??= this.#prepare();
    const results: UnitResult[] = [];
    const enough = scanner.looked + FILES_PER_MESSAGE;
    let hasFound = false;
    for (const unit of units) {
      if (results.length > 0 && (scanner.looked >= enough || hasFound || this.#time.isUp)) break;
      const result = await scanner.run(unit);
      hasFound ||= hasMuch(result);
      results.push(result);
    }
    return results;
  }

  #prepare(): UnitScanner {
    const { roots, root, path, ...sought } = this.#spec;
    const confined = createRoots(roots).get(root);
    if (confined === undefined) throw new PaddockError("INTERNAL", `there is no root ${root}`);
    const folder = resolvePath(confined, path);
    if (folder.relative !== path) {
      throw new PaddockError(
        "CONFLICT",
        "the folder was replaced by a link while it was searched; try again",
      );
    }
    return new UnitScanner(folder, { sought, time: this.#time, ...this.#files });
  }
}

function failureOf(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: error instanceof PaddockError ? error.code : "INTERNAL", message, stack };
}

function hasMuch({ parts }: UnitResult): boolean {
  let matches = 0;
  for (const part of parts) {
    if ("found" in part) { for (const file of part.found.files) matches += file.matches.length; }
  }
  return matches > MATCHES_PER_MESSAGE;
}
