/** Undo and restore: a preview first, then exactly what was previewed, or nothing. */
import type { Change, Done, Preview } from "../../src/console/api_types.ts";
import { type ApiError, failureOf, post } from "./api.ts";
import { Store } from "./store.ts";

/** What a person asks for. */
export type Wish =
  | { readonly kind: "undo"; readonly change: Change }
  | {
    readonly kind: "restore";
    readonly source: string;
    readonly path: string;
    readonly at: string;
    readonly when: string;
  };

export type Act =
  | { readonly state: "previewing" | "failed"; readonly wish: Wish; readonly error: ApiError | null }
  | {
    readonly state: "asking" | "doing";
    readonly wish: Wish;
    readonly preview: Preview;
    /** Whether the files have changed since the first preview, which this one replaces. */
    readonly renewed: boolean;
  };

export class Acts {
  readonly current = new Store<Act | null>(null);
  readonly #done: (wish: Wish, done: Done) => void;

  constructor(done: (wish: Wish, done: Done) => void) {
    this.#done = done;
  }

  async begin(wish: Wish, { renewed = false } = {}): Promise<void> {
    this.current.set({ state: "previewing", wish, error: null });
    try {
      const preview = await previewOf(wish);
      if (this.current.value?.wish === wish) this.current.set({ state: "asking", wish, preview, renewed });
    } catch (error) {
      this.#failed(wish, error);
    }
  }

  async confirm(): Promise<void> {
    const act = this.current.value;
    if (act?.state !== "asking") return;
    const { wish, preview } = act;
    this.current.set({ ...act, state: "doing" });
    try {
      const done = await carryOut(wish, preview.plan);
      this.current.set(null);
      this.#done(wish, done);
    } catch (error) {
      if (failureOf(error)?.code === "PLAN_STALE") await this.begin(wish, { renewed: true });
      else this.#failed(wish, error);
    }
  }

  /** Not possible once it has begun. */
  cancel(): void {
    if (this.current.value?.state !== "doing") this.current.set(null);
  }

  #failed(wish: Wish, error: unknown): void {
    if (this.current.value?.wish !== wish) return;
    this.current.set({ state: "failed", wish, error: failureOf(error) ?? null });
  }
}

function previewOf(wish: Wish): Promise<Preview> {
  if (wish.kind === "undo") return post("undo/preview", undoOf(wish.change));
  return post("restore/preview", restoreOf(wish));
}

function carryOut(wish: Wish, plan: string): Promise<Done> {
  if (wish.kind === "undo") return post("undo", { ...undoOf(wish.change), plan });
  return post("restore", { ...restoreOf(wish), plan });
}

function undoOf({ source, id }: Change): { source: string; ids: string[] } {
  return { source, ids: [id] };
}

function restoreOf({ source, path, at }: Extract<Wish, { kind: "restore" }>) {
  return { source, path, at };
}
