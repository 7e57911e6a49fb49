/**
 * One call's change in one store: what is about to happen is recorded before it does, and the outcome after it.
 * Trouble with the store ends the recording, not the change, unless changes are required to be undoable.
 */
import { PaddockError } from "../../base/errors.ts";
import type { Packed } from "./contents.ts";
import { newChangeId } from "./ids.ts";
import type { StoreKeeper } from "./keeper.ts";
import { notePerson } from "./person.ts";
import type { ChangeFacts } from "./records.ts";
import { settleSteps } from "./settle_steps.ts";
import { keptIn, type Step } from "./state.ts";
import type { UndoStore } from "./store.ts";
import { StoreTrouble, troubleOf } from "./trouble.ts";

/** Who makes a change, and which; for the record. */
export type CallFacts = Pick<ChangeFacts, "tool" | "client" | "session" | "summary">;

export interface Intent {
  readonly steps: readonly Step[];
  readonly contents?: readonly Packed[];
  /** How many entries and bytes went to the trash with it, if known. */
  readonly trashed?: { entries: number; bytes: number } | undefined;
  /** Replaces the step with this number. */
  readonly instead?: number | undefined;
}

export interface Outcome {
  /** Missing if nothing was recorded. */
  readonly id?: string;
  /** Why it cannot be undone, or not all of it. */
  readonly whyNot?: string;
  /** What else the client should know. */
  readonly note?: string;
}

export interface StoreChangeOptions {
  readonly facts: CallFacts;
  readonly waitMs: number;
}

export class StoreChange {
  readonly keeper: StoreKeeper;
  readonly #options: StoreChangeOptions;
  #store: UndoStore | undefined;
  #id: string | undefined;
  #seq: number | undefined;
  #next = 0;
  #queued: Step[] = [];
  readonly #made = new Set<number>();
  readonly #open = new Set<number>();
  #whyNot: string | undefined;
  #isBroken = false;
  /** Whether everything recorded so far is synced. */
  #isSynced = true;
  /** What to report with the answer. */
  note: string | undefined;
  /** How many bytes may still be copied for this call. */
  allowed: number;
  /** How many bytes of new contents may still be stored for this call, for merging. */
  spare = 16 * 1024 * 1024;

  constructor(keeper: StoreKeeper, options: StoreChangeOptions) {
    this.keeper = keeper;
    this.#options = options;
    this.allowed = keeper.settings.maxChangeBytes;
  }

  /** The open store; undefined if there is or was trouble with it. */
  async store(): Promise<UndoStore | undefined> {
    if (this.#isBroken) return undefined;
    return this.#store ??= await this.attempt(() => this.keeper.open(this.#waiting()));
  }

  /** Does something with the store; undefined if that fails. */
  async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof PaddockError && this.keeper.settings.required) throw error;
      await this.#breakOff(anyTrouble(error));
      return undefined;
    }
  }

  /** Notes that this part of the change cannot be undone. */
  async cannotUndo(why: string): Promise<void> {
    if (this.keeper.settings.required) throw required(why);
    this.#whyNot ??= why;
    await Promise.resolve();
  }

  /** Records what has already happened, and what may go unrecorded without harm. */
  queue(step: Step): void {
    this.#queued.push(step);
  }

  /**
   * Records what is about to happen; returns the number of its first step, or undefined if it could not be
   * recorded.
   */
  async intend(intent: Intent): Promise<number | undefined> {
    const store = await this.store();
    if (store === undefined) return undefined;
    const { steps, contents = [], instead } = intent;
    const queued = this.#queued;
    const first = instead ?? this.#next + queued.length;
    const durable = steps.some((step) => step.op !== "put" || step.before.kind !== "absent");
    const seq = await this.attempt(() =>
      store.db.write(() => {
        // What people did came before this change, and so does its record.
        if (this.#seq === undefined) steps.forEach((step) => notePerson(store, step));
        const seq = this.#seq ?? store.records.addChange(this.#facts(store), "open");
        for (const content of contents) store.contents.put(content);
        for (const [i, step] of queued.entries()) {
          store.records.addStep(seq, this.#next + i, { ...step, made: true });
        }
        for (const [i, step] of steps.entries()) {
          store.records.addStep(seq, first + i, step);
          this.#noteTrash(store, { step, seq, intent });
        }
        return seq;
      }, { ...this.#waiting(), durable })
    );
    if (seq === undefined) return undefined;
    this.#seq = seq;
    this.#isSynced = durable;
    this.#queued = [];
    for (let i = 0; i < queued.length; i++) this.#made.add(this.#next + i);
    for (let i = 0; i < steps.length; i++) this.#open.add(first + i);
    this.#next = Math.max(this.#next + queued.length, first + steps.length);
    return first;
  }

  made(n: number | undefined, count = 1): void {
    for (let i = 0; n !== undefined && i < count; i++) this.#made.add(n + i);
  }

  /** At the end of the call, however it ended. */
  async finish(also?: { root: string; id: string }): Promise<Outcome> {
    if (this.#queued.length > 0) await this.intend({ steps: [] });
    const note = this.keeper.takeNote() ?? this.note;
    const [store, seq] = [this.#store, this.#seq];
    if (store === undefined || seq === undefined || this.#isBroken) {
      return outcomeOf({ whyNot: this.#whyNot, note });
    }
    const unknown = [...this.#open].filter((n) => !this.#made.has(n));
    const isMade = await this.attempt(async () => {
      const found = await settleSteps(store, seq, new Set(unknown));
      return await store.db.write(() => {
        for (const n of this.#made) store.records.setMade(seq, n, true);
        for (const [n, made] of found) store.records.setMade(seq, n, made);
        const isMade = this.#made.size > 0 || [...found.values()].includes(true);
        if (!isMade) store.records.dropChange(seq);
        else {
          store.records.setState(seq, "made");
          if (this.#whyNot !== undefined) store.records.setWhyNot(seq, this.#whyNot);
          if (also !== undefined) store.records.setAlso(seq, also);
        }
        return isMade;
      }, { ...this.#waiting(), durable: !this.#isSynced }); // otherwise it is synced with the next change
    });
    const id = isMade === true ? this.#id : undefined;
    return outcomeOf({ id, whyNot: isMade === false ? undefined : this.#whyNot, note });
  }

  /** The id it has, or will have. */
  get id(): string {
    return this.#id ??= newChangeId();
  }

  #facts(store: UndoStore): ChangeFacts {
    return { ...this.#options.facts, id: this.id, time: Date.now(), writer: store.live.name };
  }

  #noteTrash(store: UndoStore, { step, seq, intent }: { step: Step; seq: number; intent: Intent }): void {
    const kept = step.op === "put" ? keptIn(step.before) : undefined;
    if (kept === undefined) return;
    const { entries, bytes } = intent.trashed ?? {};
    store.db.run(
      "insert or replace into trash (name, change, entries, bytes) values (?, ?, ?, ?)",
      kept,
      seq,
      entries ?? null,
      bytes ?? null,
    );
  }

  #waiting() {
    return { deadline: Date.now() + this.#options.waitMs };
  }

  async #breakOff(trouble: StoreTrouble): Promise<void> {
    if (this.keeper.settings.required) throw required(trouble.message);
    this.#isBroken = true;
    this.#whyNot = trouble.message;
    await this.keeper.failed(trouble);
  }
}

/** A failure to record a change must not fail the change. */
function anyTrouble(error: unknown): StoreTrouble {
  try {
    return troubleOf(error);
  } catch (unexpected) {
    return new StoreTrouble("unusable", "the undo store failed unexpectedly", unexpected);
  }
}

function outcomeOf({ id, whyNot, note }: { [key in keyof Outcome]: string | undefined }): Outcome {
  return {
    ...(id !== undefined && { id }),
    ...(whyNot !== undefined && { whyNot }),
    ...(note !== undefined && { note }),
  };
}

function required(why: string): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `nothing was changed: changes must be undoable here (--require-undo), and ${why}`,
  );
}
