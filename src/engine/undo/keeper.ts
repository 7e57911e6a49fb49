/**
 * A root's store, opened when it is first needed. One that was taken away is begun anew, one that is damaged is put
 * aside first; both are told once, with the next answer. What else keeps it from being opened is tried again a while
 * later.
 */
import { type ConfinedRoot } from "../../confine/resolve_path.ts";
import { type Waiting } from "./database.ts";
import { prune } from "./prune.ts";
import { hasDatabase, putAside, type StoreSettings, UndoStore } from "./store.ts";
import { StoreTrouble, troubleOf } from "./trouble.ts";

/** How long a store that could not be opened is left alone. */
const REST_MS = 5_000;
/** When old changes are forgotten: a while after the store was opened, and then now and again. */
const SOON_MS = 3_000;
const AGAIN_MS = 10 * 60 * 1000;

export class StoreKeeper {
  readonly root: ConfinedRoot;
  readonly settings: StoreSettings;
  #store: Promise<UndoStore> | undefined;
  #failed: { trouble: StoreTrouble; at: number } | undefined;
  #note: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pruning: Promise<void> = Promise.resolve();

  constructor(root: ConfinedRoot, settings: StoreSettings) {
    this.root = root;
    this.settings = settings;
  }

  /** Throws StoreTrouble. */
  async open(waiting: Waiting): Promise<UndoStore> {
    if (this.#failed !== undefined && Date.now() - this.#failed.at < REST_MS) throw this.#failed.trouble;
    const opening = this.#store ??= this.#open(waiting);
    try {
      return await opening;
    } catch (error) {
      if (this.#store === opening) this.#store = undefined;
      const trouble = troubleOf(error);
      if (trouble.kind !== "busy") this.#failed = { trouble, at: Date.now() };
      throw trouble;
    }
  }

  /** Whether there is a store, without making one. */
  isThere(): boolean {
    return this.#store !== undefined || hasDatabase(this.settings);
  }

  /** What the trouble with an open store leads to: the next who opens it gets another, or hears of it. */
  async failed(trouble: StoreTrouble): Promise<void> {
    if (trouble.kind !== "gone" && trouble.kind !== "damaged") return;
    await this.close();
    if (trouble.kind === "gone") {
      this.#note =
        "the undo store was taken away; it has been begun anew, and what was changed before cannot be undone";
      return;
    }
    try {
      this.#putAside();
    } catch (error) {
      this.#failed = { trouble: troubleOf(error), at: Date.now() };
    }
  }

  /** What has to be told, once. */
  takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  /** Why changes are not recorded at the moment, as far as is known. */
  get trouble(): string | undefined {
    return this.#failed?.trouble.message;
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#pruning;
    try {
      (await store)?.close();
    } catch (error) {
      troubleOf(error); // it was never open, or is gone
    }
  }

  async #open(waiting: Waiting): Promise<UndoStore> {
    const store = await this.#openOrAnew(waiting);
    this.#failed = undefined;
    this.#pruneLater(store, SOON_MS);
    return store;
  }

  async #openOrAnew(waiting: Waiting): Promise<UndoStore> {
    try {
      return await UndoStore.open(this, waiting);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.kind !== "damaged") throw trouble;
      this.#putAside();
      return await UndoStore.open(this, waiting);
    }
  }

  /** When there is time for it; what stands in its way is tried again the next time. */
  #pruneLater(store: UndoStore, delayMs: number): void {
    const timer = setTimeout(async () => {
      this.#pruning = prune(store).catch(() => {}); // no call is to fail for it, nor the server
      await this.#pruning;
      if (this.#timer === timer) this.#pruneLater(store, AGAIN_MS);
    }, delayMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  #putAside(): void {
    putAside(this.settings);
    this.#note =
      "the undo store was damaged and put aside; it has been begun anew, and what was changed before " +
      "cannot be undone";
  }
}
