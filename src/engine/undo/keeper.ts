/**
 * A root's store, opened when first needed. If it was removed, a new one is started; a damaged one is moved aside
 * first. Either is reported once, with the next answer. If something else keeps it from being opened, that is tried
 * again later.
 */
import { later } from "../../base/later.ts";
import type { ConfinedRoot } from "../../confine/resolve_path.ts";
import type { Waiting } from "./database.ts";
import { prune } from "./prune.ts";
import { hasDatabase, putAside, type StoreSettings, UndoStore } from "./store.ts";
import { type StoreTrouble, troubleOf } from "./trouble.ts";

/** How long to wait before trying again to open a store. */
const REST_MS = 5_000;
/** When old changes are pruned: a while after the store was opened, and then from time to time. */
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

  /** Whether there is a store, without creating one. */
  isThere(): boolean {
    return this.#store !== undefined || hasDatabase(this.settings);
  }

  /** Handles trouble with an open store: the next to open it gets a new one, or the error. */
  async failed(trouble: StoreTrouble): Promise<void> {
    if (trouble.kind !== "gone" && trouble.kind !== "damaged") return;
    await this.close();
    if (trouble.kind === "gone") {
      this.#note = "the undo store was removed; a new one was started, and earlier changes cannot be undone";
      return;
    }
    try {
      this.#putAside();
    } catch (error) {
      this.#failed = { trouble: troubleOf(error), at: Date.now() };
    }
  }

  /** What has to be reported, once. */
  takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  /** Why changes are not recorded at the moment, as far as known. */
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

  /** Prunes when there is time; if that fails, it is tried again the next time. */
  #pruneLater(store: UndoStore, delayMs: number): void {
    const timer = later(async () => {
      this.#pruning = prune(store).catch(() => {}); // neither a call nor the server is to fail because of it
      await this.#pruning;
      if (this.#timer === timer) this.#pruneLater(store, AGAIN_MS);
    }, delayMs);
    this.#timer = timer;
  }

  #putAside(): void {
    putAside(this.settings);
    this.#note = "the undo store was damaged and moved aside; a new one was started, and earlier changes " +
      "cannot be undone";
  }
}
