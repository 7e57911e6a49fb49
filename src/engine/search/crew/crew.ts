/**
 * Who looks through the batches of a search. At first it is this thread, which is the fastest for a small search;
 * what is not through after a few milliseconds, be it one file, is for the search workers, if there are any. So
 * no search, however hard its pattern, keeps this thread busy with more than walking.
 */
import { throwIfAborted } from "../../../base/errors.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";
import { type Batch, type BatchResult, BatchScanner, type Sought, type StoppedAt } from "./batch.ts";
import { DIVISION, lookInRanges } from "./file_ranges.ts";
import { type InOrder } from "./in_order.ts";
import { type SearchPool } from "./pool.ts";
import { type PoolSearch } from "./pool_search.ts";
import { specOf } from "./search_messages.ts";
import { every, PROGRESS_MS, SearchTime } from "../search_time.ts";

export interface CrewOptions {
  sought: Sought;
  /** Where the results go. */
  order: InOrder;
  time: SearchTime;
  signal: AbortSignal | undefined;
  pool: SearchPool | undefined;
  onProgress: () => void;
}

/** More than workers take at once: so many batches wait only where there are none. */
const MAX_UNDER_WAY = 80;
/** How many characters of results may wait for a batch in front of theirs that takes longer. */
const MAX_EARLY_CHARACTERS = 1024 * 1024;
/** Of a large file: one that is looked through, and some that lie ready. */
const RANGES_PER_WORKER = 3;
/** How long workers may take, once the time is up, to say what they have found until then. */
const GRACE_MS = 60;

export class Crew implements Disposable {
  readonly #folder: ConfinedPath;
  readonly #options: CrewOptions;
  readonly #underWay = new Set<Promise<void>>();
  readonly #tell: () => void;
  /** Works here at first: for a moment only when there is a pool, and for all the time otherwise. */
  readonly #scanner: BatchScanner;
  /** Works here in the place of workers. */
  #substitute: BatchScanner | undefined;
  #nextNumber = 0;
  #helpers: PoolSearch | undefined;
  #wasCalled = false;
  #areHelping = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What this thread is looking through in the place of workers. */
  #here: Promise<unknown> = Promise.resolve();
  #failure: { error: unknown } | undefined;
  #hasStopped = false;
  readonly #stop = () => {
    this.#hasStopped = true;
    this.#helpers?.end();
  };

  readonly #runOut = () => {
    this.#options.order.close();
    this.#stop();
  };

  /** For files below a folder. A pattern that cannot be read is refused here. */
  constructor(folder: ConfinedPath, options: CrewOptions) {
    const { pool, time, signal, sought } = options;
    this.#folder = folder;
    this.#options = options;
    this.#tell = every(PROGRESS_MS, options.onProgress);
    const isOver = this.#isForOthers(performance.now());
    const trial = pool && new SearchTime({ timeoutMs: time.left, signal, isOver });
    this.#scanner = new BatchScanner(folder, { sought, time: trial ?? time });
  }

  /** Whether more batches would change nothing. */
  get isOver(): boolean {
    const { isFull, timedOut } = this.#options.order;
    return this.#hasStopped || this.#failure !== undefined || isFull || timedOut;
  }

  /** The next batch in the order of paths. Settles when it is time for another one. */
  async take(batch: Batch): Promise<void> {
    const number = this.#nextNumber++;
    if (!this.#areHelping) {
      const result = await this.#scanner.run(batch);
      if (this.#isThrough(result)) return this.#put(number, result);
      await this.#waitForHelp();
    }
    await this.#leave(number, batch);
  }

  /** The one file that is searched, which lies in the folder; what is wrong with it is thrown. */
  async takeFile(path: ConfinedPath, name: string): Promise<void> {
    const result = await this.#scanner.runOn(path);
    if (this.#isThrough(result)) return this.#put(0, result);
    await this.#waitForHelp();
    await this.#leave(0, { folders: [{ prefix: "", names: [name] }], skipped: 0 });
  }

  /** Settles when all is done that changes the result. */
  async finish(): Promise<void> {
    while (!this.isOver && this.#underWay.size > 0) await Promise.race(this.#underWay);
    this.#stop();
    if (this.#failure !== undefined) throw this.#failure.error;
    throwIfAborted(this.#options.signal);
  }

  [Symbol.dispose](): void {
    this.#stop();
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#stop);
  }

  /** Whether a batch that was looked through here is not better left to others. */
  #isThrough({ timedOut }: BatchResult): boolean {
    return !timedOut || this.#options.pool === undefined || this.#options.time.left <= 0;
  }

  /**
   * Whether workers go on from here, which begins a moment after the search. Where they have to be started first this
   * thread goes on meanwhile, after a while in which most searches are through.
   */
  #isForOthers(begun: number): () => boolean {
    const { pool } = this.#options;
    return () => {
      if (pool === undefined || performance.now() - begun < pool.aloneMs) return false;
      if (!pool.isReady && pool.worksMeanwhile) {
        this.#callForHelp();
        return false;
      }
      return true;
    };
  }

  /** From now on workers do what is to be done, or, without any, this thread for as long as it takes. */
  async #waitForHelp(): Promise<void> {
    this.#areHelping = true;
    this.#callForHelp();
    await this.#helpers?.ready();
  }

  #callForHelp(): void {
    if (this.#wasCalled) return;
    this.#wasCalled = true;
    const { pool, sought, time, signal } = this.#options;
    if (Number.isFinite(time.left)) this.#timer = setTimeout(this.#runOut, time.left + GRACE_MS);
    signal?.addEventListener("abort", this.#stop, { once: true });
    this.#helpers = pool?.begin(specOf(this.#folder, sought), () => time.left);
  }

  /** Leaves a batch to a worker, and waits until there is one for the next. */
  async #leave(number: number, batch: Batch): Promise<void> {
    const work: Promise<void> = this.#help(number, batch).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    if (await this.#helpers?.room(this.#nextNumber)) this.#options.time.restart();
    while (!this.isOver && this.#isAhead) await Promise.race(this.#underWay);
  }

  /** Whether the walk has to wait for what was found by it. */
  get #isAhead(): boolean {
    return this.#underWay.size > MAX_UNDER_WAY ||
      (this.#underWay.size > 0 && this.#options.order.earlyCharacters > MAX_EARLY_CHARACTERS);
  }

  async #help(number: number, batch: Batch): Promise<void> {
    try {
      for (let rest = batch;;) {
        const result = await this.#look(number, rest);
        if (result === undefined) return;
        const { large } = result;
        if (large === undefined) return this.#put(number, result);
        this.#options.order.putPart(number, result);
        rest = await this.#divide(number, rest, large);
      }
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  /** Whoever can. Undefined when there is no use in it any more. */
  async #look(turn: number, batch: Batch): Promise<BatchResult | undefined> {
    return await this.#helpers?.run(turn, batch) ?? (this.isOver ? undefined : await this.#lookHere(batch));
  }

  /** Has a file looked through in ranges, at which a batch has stopped; returns what is left of the batch. */
  async #divide(number: number, batch: Batch, large: StoppedAt): Promise<Batch> {
    const { order, pool } = this.#options;
    const folder = batch.folders[large.folder] ?? { prefix: "", names: [] };
    const one = { prefix: folder.prefix, names: folder.names.slice(large.name, large.name + 1) };
    let turn = number;
    await lookInRanges(large.file, {
      look: (range) => this.#look(turn++, { folders: [one], skipped: 0, range }),
      put: (result) => order.putPart(number, result),
      mayGoOn: () => this.#mayGoOn(number),
      atOnce: RANGES_PER_WORKER * Math.max(pool?.size ?? 1, 1),
      rangeBytes: (pool?.division ?? DIVISION).rangeBytes,
    });
    const others = { prefix: folder.prefix, names: folder.names.slice(large.name + 1) };
    return { folders: [others, ...batch.folders.slice(large.folder + 1)], skipped: 0 };
  }

  /** Settles when there is room for results of this batch; false when there is no use in them. */
  async #mayGoOn(number: number): Promise<boolean> {
    const { order } = this.#options;
    while (!this.isOver && !order.isNext(number) && order.earlyCharacters > MAX_EARLY_CHARACTERS) {
      await Promise.race(this.#underWay);
    }
    return !this.isOver;
  }

  /** One batch after the other, where there is no worker. */
  async #lookHere(batch: Batch): Promise<BatchResult> {
    const { sought, time } = this.#options;
    const scanner = this.#substitute ??= new BatchScanner(this.#folder, { sought, time });
    const result = this.#here.then(() => scanner.run(batch));
    this.#here = result.catch(() => {});
    return await result;
  }

  #put(number: number, result: BatchResult): void {
    this.#options.order.put(number, result);
    this.#tell();
  }
}
