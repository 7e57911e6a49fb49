/**
 * What can be asked of a root's store: history, undo and restore; each first recovers what others left unfinished.
 */
import { PaddockError } from "../../base/errors.ts";
import type { Changing } from "../changing.ts";
import { type Applied, appliedFiles, applyChanges } from "./apply_changes.ts";
import { planAndCarryOut } from "./carry_out.ts";
import type { Wanted } from "./changes.ts";
import { LARGEST_CONTENT } from "./contents.ts";
import { history, type HistoryPage, type HistoryQuery, showChange, type ShownChange } from "./history.ts";
import type { StoreKeeper } from "./keeper.ts";
import { Plan, type PlanOptions } from "./plan.ts";
import { changesToUndo, checkedPlan, restorePlan, undoable, undoPlan } from "./planned.ts";
import type { ChangeRow } from "./records.ts";
import { recover } from "./recover.ts";
import { newestChanges, newestOf } from "./select.ts";
import type { State, Step } from "./state.ts";
import type { UndoStore } from "./store.ts";
import { bytesInRoot } from "./stored_bytes.ts";
import { StoreTrouble } from "./trouble.ts";
import { type SeenFile, viewOf } from "./view.ts";

export interface Asking {
  readonly changing: Changing;
  readonly client: string | null;
  readonly session: string | null;
  /** How long to wait for a busy store. */
  readonly waitMs: number;
}

export interface UndoRequest {
  /** Beginnings of ids; if empty, the newest changes of the session. */
  readonly ids: readonly string[];
  readonly count: number;
  readonly dryRun: boolean;
  /** From a dry run: fails unless exactly that is to be done. */
  readonly plan?: string | undefined;
}

export interface Undone {
  undone: string[];
  /** Missing if nothing had to be changed, or in a dry run. */
  change?: string;
  files: SeenFile[];
  merged: string[];
  diff: string;
  truncated: boolean;
  plan: string;
  /** Counterparts in other roots of what was undone. */
  also?: { root: string; id: string }[];
}

export interface RestoreRequest {
  readonly path: string;
  readonly at: string;
  readonly dryRun: boolean;
  readonly plan?: string | undefined;
}

export interface Restored extends Omit<Undone, "undone" | "merged" | "also"> {
  /** How many paths were left alone because their earlier state is unknown. */
  unknown: number;
}

export class UndoOperations {
  readonly #keeper: StoreKeeper;
  readonly #asking: Asking;

  constructor(keeper: StoreKeeper, asking: Asking) {
    this.#keeper = keeper;
    this.#asking = asking;
  }

  async history(query: HistoryQuery): Promise<HistoryPage> {
    return await this.#with((store) => Promise.resolve(history(store, query)));
  }

  async show(id: string): Promise<ShownChange> {
    return await this.#with((store) => showChange(store, id, this.#asking.changing.signal));
  }

  async undo(request: UndoRequest): Promise<Undone> {
    return await this.#with(async (store) => {
      const changes = this.#chosen(store, request);
      const make = async () => checkedPlan(await undoPlan(store, changes, this.#planOptions), request.plan);
      const undone = changes.map(({ id }) => id);
      const summary = `undo ${changes.map((change) => change.summary).join(", ")}`.slice(0, 500);
      const redoes = changes.flatMap((change) => change.undoes);
      const { plan, id } = await this.#made(store, {
        make,
        dryRun: request.dryRun,
        tool: "undo",
        summary,
        undone,
        redoes,
      });
      const also = changes.flatMap((change) => change.also ?? []);
      return {
        undone,
        ...(id !== undefined && { change: id }),
        merged: plan.merged,
        ...await view(plan, this.#asking),
        plan: plan.hash,
        ...(also.length > 0 && { also }),
      };
    });
  }

  async restore(request: RestoreRequest): Promise<Restored> {
    return await this.#with(async (store) => {
      let unknown = 0;
      const make = async () => {
        const made = await restorePlan(store, request, this.#planOptions);
        unknown = made.unknown;
        return checkedPlan(made.plan, request.plan);
      };
      const summary = `restore ${request.path === "" ? "." : request.path} at ${request.at}`;
      const { plan, id } = await this.#made(store, {
        make,
        dryRun: request.dryRun,
        tool: "restore",
        summary,
      });
      return {
        ...(id !== undefined && { change: id }),
        unknown,
        ...await view(plan, this.#asking),
        plan: plan.hash,
      };
    });
  }

  /** Several new changes as one, all or nothing. */
  async apply(wanted: Wanted, { dryRun, summary }: { dryRun: boolean; summary: string }): Promise<Applied> {
    return await this.#with(async (store) => {
      const { client, session, changing, waitMs } = this.#asking;
      const facts = { tool: "apply_changes", summary, client, session };
      const carrying = { store, facts, changing, waitMs, undoes: [], redoes: [], isNew: true };
      const { plan, edited, id } = await applyChanges(wanted, {
        carrying,
        dryRun,
        newPlan: () => new Plan(store, this.#planOptions),
      });
      const isShown = (step: Step) => dryRun || (step.op === "put" && edited.has(step.path));
      const { diff, truncated } = await view(plan, this.#asking, plan.steps.filter(isShown));
      return { ...(id !== undefined && { change: id }), files: appliedFiles(plan), diff, truncated };
    });
  }

  #chosen({ records }: UndoStore, { ids, count }: UndoRequest): ChangeRow[] {
    const { session } = this.#asking;
    if (ids.length === 0 && session === null) {
      throw new PaddockError(
        "INVALID_INPUT",
        `id is required, because this client has no session; ${newestOf(records)}`,
      );
    }
    return ids.length === 0
      ? undoable(newestChanges(records, { session: session ?? "", count }))
      : changesToUndo(records, ids);
  }

  get #planOptions(): PlanOptions {
    const { changing: { umask, signal } } = this.#asking;
    return { umask, signal };
  }

  async #made(
    store: UndoStore,
    { make, dryRun, tool, summary, undone = [], redoes = [] }: {
      make: () => Promise<Plan>;
      dryRun: boolean;
      tool: string;
      summary: string;
      undone?: readonly string[];
      redoes?: readonly string[];
    },
  ): Promise<{ plan: Plan; id?: string }> {
    if (dryRun) return { plan: await make() };
    const { client, session, changing, waitMs } = this.#asking;
    const facts = { tool, summary, client, session };
    return await planAndCarryOut(make, { store, facts, changing, waitMs, undoes: undone, redoes });
  }

  async #with<T>(action: (store: UndoStore) => Promise<T>): Promise<T> {
    try {
      const store = await this.#keeper.open({ deadline: Date.now() + this.#asking.waitMs });
      await recover(store, this.#asking.changing);
      return await action(store);
    } catch (error) {
      if (!(error instanceof StoreTrouble)) throw error;
      await this.#keeper.failed(error);
      throw unusable(error, this.#keeper.takeNote());
    }
  }
}

function unusable(trouble: StoreTrouble, note: string | undefined): PaddockError {
  const code = trouble.kind === "busy" ? "TIMEOUT" : "UNSUPPORTED";
  return new PaddockError(code, `${note ?? trouble.message}; nothing was changed`, { cause: trouble });
}

async function view(plan: Plan, { changing: { signal } }: Asking, steps: readonly Step[] = plan.steps) {
  const bytes = async (state: State, path: string) => {
    if (state.kind !== "file") return undefined;
    return plan.bytes(state.hash) ??
      await bytesInRoot(plan.store, { path, hash: state.hash, most: LARGEST_CONTENT });
  };
  return await viewOf(steps, { bytes, signal });
}
