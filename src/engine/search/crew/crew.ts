/**
 * Who searches the units of a search. At first this thread does, which is fastest for a small search; what is
 * not done after a few milliseconds, even a single file, goes to the search workers, if there are any. So no
 * search, however hard its pattern, keeps this thread busy with more than handing out folders.
 */
import { throwIfAborted } from "../../../base/errors.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import type { InOrder, Slot } from "./in_order.ts";
import type { SearchPool } from "./pool.ts";
import type { PoolSearch } from "./pool_search.ts";
import { specOf } from "./search_messages.ts";
import { every, PROGRESS_MS, SearchTime } from "../search_time.ts";
import type { Sought, Unit, UnitResult } from "./unit.ts";
import { UnitScanner } from "./unit_scanner.ts";

export interface CrewOptions {
  sought: Sought;
  /** Where the results go. */
  order: InOrder;
  time: SearchTime;
  signal: AbortSignal | undefined;
  pool: SearchPool | undefined;
  onProgress: () => void;
}

/** How many characters of results may wait for something in front of them that takes longer. */
const MAX_EARLY_CHARACTERS = 1024 * 1024;
/** How many units are sent to a worker in one message, and among how many waiting ones they are chosen. */
const UNITS_PER_MESSAGE = 16;
const CHOICE = 64;
/** How many units of others a worker is sent that has nothing to do. */
const OTHERS_PER_MESSAGE = 4;
/** How long workers may take, once the time is up, to report what they have found so far. */
const GRACE_MS = 60;

export class Crew implements Disposable {
  readonly #folder: ConfinedPath;
  readonly #options: CrewOptions;
  readonly #tell: () => void;
  /** Works here at first: for a moment only when there is a pool, and for all the time otherwise. */
  readonly #scanner: UnitScanner;
  readonly #scannerTime: SearchTime;
  /** Works here instead of workers. */
  #substitute: UnitScanner | undefined;
  #helpers: PoolSearch | undefined;
  #wasCalled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay = 0;
  /** Settles when something has arrived, or nothing more will. */
  #news = Promise.withResolvers<void>();
  #failure: { error: unknown } | undefined;
  #hasStopped = false;
  readonly #stop = () => {
    this.#hasStopped = true;
    this.#helpers?.end();
    this.#wake();
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
    this.#scannerTime = pool ? new SearchTime({ timeoutMs: time.left, signal, isOver }) : time;
    this.#scanner = new UnitScanner(folder, {
      sought,
      time: this.#scannerTime,
      splitAbove: pool?.splitAbove,
    });
  }

  /** Searches a unit and all units that result from it. */
  async search(unit: Unit): Promise<void> {
    this.#options.order.begin(unit);
    await this.#searchAll();
  }

  /** Searches one file of the folder; what is wrong with it is thrown. */
  async searchFile(path: ConfinedPath, name: string): Promise<void> {
    const { order } = this.#options;
    const slot = order.begin({ kind: "files", prefix: "", names: [name] });
    this.#put(slot, await this.#scanner.runOn(path, name), { goesOn: this.#goesOn });
    await this.#searchAll();
  }

  [Symbol.dispose](): void {
    this.#stop();
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#stop);
  }

  async #searchAll(): Promise<void> {
    await this.#searchAlone();
    await this.#searchTogether();
    this.#stop();
    if (this.#failure !== undefined) throw this.#failure.error;
    throwIfAborted(this.#options.signal);
  }

  /** Whether more results would change nothing. */
  get #isOver(): boolean {
    const { isFull, timedOut, first } = this.#options.order;
    return this.#hasStopped || this.#failure !== undefined || isFull || timedOut || first === undefined;
  }

  /** Whether others continue what this thread could not finish. */
  get #goesOn(): boolean {
    return this.#options.pool !== undefined && this.#options.time.left > 0;
  }

  /** Until it is the workers' turn; a large file goes to them at once. */
  async #searchAlone(): Promise<void> {
    const { order, pool } = this.#options;
    while (!this.#isOver && !this.#scannerTime.isUp) {
      if (pool?.isReady && order.first?.unit?.kind === "range") return;
      const slot = this.#nextWaiting();
      if (slot?.unit === undefined) return;
      this.#put(slot, await this.#scanner.run(slot.unit), { goesOn: this.#goesOn });
    }
  }

  #nextWaiting(): Slot | undefined {
    const { order } = this.#options;
    for (const slot of order.waiting(1)) {
      order.take(slot);
      return slot;
    }
    return undefined;
  }

  /**
   * Whether workers continue from here, which is a moment after the search has begun. Where they have to be started
   * first, after a while in which most searches end, this thread continues meanwhile.
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

  #callForHelp(): void {
    if (this.#wasCalled) return;
    this.#wasCalled = true;
    const { pool, sought, time, signal } = this.#options;
    if (Number.isFinite(time.left)) this.#timer = setTimeout(this.#runOut, time.left + GRACE_MS);
    signal?.addEventListener("abort", this.#stop, { once: true });
    this.#helpers = pool?.begin(specOf(this.#folder, sought), () => time.left);
  }

  /** With the workers or, if none are left, here for as long as it takes. */
  async #searchTogether(): Promise<void> {
    if (this.#isOver || !this.#goesOn) return;
    this.#callForHelp();
    await this.#helpers?.ready();
    while (!this.#isOver) {
      this.#news = Promise.withResolvers();
      this.#handOut();
      if (this.#underWay > 0) await this.#news.promise;
      else await this.#searchHere();
    }
  }

  /** Gives every worker that has room some of the units it is likely to remember, or any if it has nothing to do. */
  #handOut(): void {
    for (let wasBusy = true; wasBusy;) {
      wasBusy = false;
      for (const seat of this.#helpers?.seats() ?? []) {
        const slots = this.#choose(seat);
        if (slots.length === 0) continue;
        void this.#send(seat.index, slots);
        wasBusy = true;
      }
    }
  }

  #choose({ index, isIdle }: { index: number; isIdle: boolean }): Slot[] {
    const { order } = this.#options;
    const count = this.#helpers?.count ?? 1;
    const isAhead = order.earlyCharacters > MAX_EARLY_CHARACTERS;
    const waiting = Array.from(order.waiting(CHOICE)).filter((slot) => !isAhead || slot === order.first);
    const own = waiting.filter(({ unit }) => unit && isFor(index, unit, count));
    const others = isIdle && own.length === 0 ? waiting.slice(0, OTHERS_PER_MESSAGE) : [];
    const chosen = [...own.slice(0, UNITS_PER_MESSAGE), ...others];
    for (const slot of chosen) order.take(slot);
    return chosen;
  }

  async #send(index: number, slots: readonly Slot[]): Promise<void> {
    this.#underWay++;
    try {
      const units = slots.flatMap(({ unit }) => unit ?? []);
      const results = await this.#helpers?.run(index, units) ?? [];
      slots.forEach((slot, i) => {
        const result = results[i];
        if (result === undefined) this.#options.order.giveBack(slot);
        else this.#put(slot, result, { goesOn: false });
      });
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#underWay--;
      this.#wake();
    }
  }

  /** Searches one unit where there is no worker. */
  async #searchHere(): Promise<void> {
    const { sought, time } = this.#options;
    const slot = this.#nextWaiting();
    if (slot?.unit === undefined) return;
    this.#substitute ??= new UnitScanner(this.#folder, { sought, time });
    this.#put(slot, await this.#substitute.run(slot.unit), { goesOn: false });
  }

  #wake(): void {
    this.#news.resolve();
  }

  #put(slot: Slot, result: UnitResult, options: { goesOn: boolean }): void {
    this.#options.order.put(slot, result, options);
    this.#tell();
  }
}

/**
 * Whether a unit is for the worker with this index. The same files go to the same worker each time, as it may
 * remember them; large files are not remembered.
 */
function isFor(index: number, unit: Unit, workers: number): boolean {
  if (unit.kind === "range") return true;
  let hash = 0;
  for (const text of [unit.prefix, unit.kind === "files" ? unit.names[0] ?? "" : ""]) {
    for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  }
  return (hash >>> 1) % workers === index;
}
