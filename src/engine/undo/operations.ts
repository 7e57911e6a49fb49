/** What can be asked of a root's store: its history, undo and restore; each first sees to what others broke off. */
import { PaddockError } from "../../base/errors.ts";
import { ConfinedFile } from "../../confine/confined_fs.ts";
import { type Changing } from "../changing.ts";
import { type Applied, appliedFiles, applyChanges } from "./apply_changes.ts";
import { bytesOf } from "./before.ts";
import { planAndCarryOut } from "./carry_out.ts";
import { type Wanted } from "./changes.ts";
import { hashOf, LARGEST_CONTENT } from "./contents.ts";
import {
  history,
  type HistoryPage,
  type HistoryQuery,
  showChange,
  type ShownChange,
  timeOf,
} from "./history.ts";
import { looksLikeId } from "./ids.ts";
import { type StoreKeeper } from "./keeper.ts";
import { Plan } from "./plan.ts";
import { planRestore } from "./plan_restore.ts";
import { planUndo } from "./plan_undo.ts";
import { type ChangeRow } from "./records.ts";
import { recover } from "./recover.ts";
import { changeNamed, newestChanges, newestOf, refuseUndo } from "./select.ts";
import { type State, type Step } from "./state.ts";
import { type UndoStore } from "./store.ts";
import { StoreTrouble } from "./trouble.ts";
import { type SeenFile, viewOf } from "./view.ts";

export interface Asking {
  readonly changing: Changing;
  readonly client: string | null;
  readonly session: string | null;
  /** How long a busy store may be waited for. */
  readonly waitMs: number;
}

export interface UndoRequest {
  /** Beginnings of ids; without any the newest changes of the session. */
  readonly ids: readonly string[];
  readonly count: number;
  readonly dryRun: boolean;
  /** What a dry run gave: only that is to happen. */
  readonly plan?: string | undefined;
}

export interface Undone {
  undone: string[];
  /** Left out where nothing had to be changed, or only was to be looked at. */
  change?: string;
  files: SeenFile[];
  merged: string[];
  diff: string;
  truncated: boolean;
  plan: string;
  /** Other halves of what was undone, in other roots. */
  also?: { root: string; id: string }[];
}

export interface RestoreRequest {
  readonly path: string;
  readonly at: string;
  readonly dryRun: boolean;
  readonly plan?: string | undefined;
}

export interface Restored extends Omit<Undone, "undone" | "merged" | "also"> {
  /** How many paths were left alone because what they were is not known. */
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
      const make = async () => {
        const plan = this.#newPlan(store);
        for (const change of changes) await planUndo(plan, change);
        if (plan.steps.length === 0) throw nothingLeft(changes);
        return checkedPlan(plan, request.plan);
      };
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
      const seq = momentOf(store, request.at);
      let unknown = 0;
      const make = async () => {
        const plan = this.#newPlan(store);
        unknown = await planRestore(plan, request.path, seq);
        return checkedPlan(plan, request.plan);
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
        newPlan: () => this.#newPlan(store),
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
        `id is required, as this client has no session; ${newestOf(records)}`,
      );
    }
    const chosen = ids.length === 0
      ? newestChanges(records, { session: session ?? "", count })
      : ids.map((id) => changeNamed(records, id));
    chosen.forEach(refuseUndo);
    return [...new Map(chosen.map((change) => [change.seq, change])).values()].sort((a, b) => b.seq - a.seq);
  }

  #newPlan(store: UndoStore): Plan {
    const { changing: { umask, signal } } = this.#asking;
    return new Plan(store, { umask, signal });
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

function checkedPlan(plan: Plan, expected: string | undefined): Plan {
  if (expected === undefined || expected === plan.hash) return plan;
  throw new PaddockError(
    "CONFLICT",
    "conflict: what would be done now is not what the plan said, because something has changed since; nothing was " +
      "changed: ask for a new plan with dry_run",
  );
}

function nothingLeft(changes: readonly ChangeRow[]): PaddockError {
  const ids = changes.map(({ id }) => id).join(", ");
  return new PaddockError(
    "CONFLICT",
    `conflict: nothing is left to take back of ${ids}: what it made is gone already, or holds what others have put ` +
      "there; nothing was changed",
  );
}

/** The number of the last change that counts: one that is named, or the last by a time. */
function momentOf(store: UndoStore, at: string): number {
  if (looksLikeId(at.trim().toLowerCase())) return changeNamed(store.records, at).seq;
  const time = timeOf(at, "at must be the id of a change, or it");
  return Number(store.db.get("select max(seq) as seq from change where time <= ?", time)?.seq ?? 0);
}

async function view(plan: Plan, { changing: { signal } }: Asking, steps: readonly Step[] = plan.steps) {
  const bytes = async (state: State, path: string) => {
    if (state.kind !== "file") return undefined;
    return plan.bytes(state.hash) ?? await onDisk(plan.store, { path, hash: state.hash });
  };
  return await viewOf(steps, { bytes, signal });
}

async function onDisk(
  store: UndoStore,
  { path, hash }: { path: string; hash: string | undefined },
): Promise<Uint8Array | undefined> {
  try {
    using file = await ConfinedFile.open(store.at(path));
    const bytes = file.size <= LARGEST_CONTENT ? bytesOf(file) : undefined;
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}
