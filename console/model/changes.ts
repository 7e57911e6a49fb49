/** The changes that the timeline shows: pages of them, and those that arrive meanwhile. */
import type { Change, ChangePage } from "../../src/console/api_types.ts";
import { sinceTime } from "../text/times.ts";
import { type ApiError, failureOf, get, type Query } from "./api.ts";
import { type Filters, keyOf, NO_FILTERS, sameKey } from "./route.ts";
import { Store } from "./store.ts";

export interface ChangeList {
  readonly filters: Filters;
  /** Newest first. */
  readonly changes: readonly Change[];
  readonly next: string | null;
  readonly loading: "first" | "more" | null;
  readonly error: ApiError | null;
  readonly unavailable: ChangePage["unavailable"];
  /** Keys of changes that arrived while the list was open. */
  readonly fresh: ReadonlySet<string>;
}

const PAGE = 200;
const SETTLE_MS = 300;

export class Changes {
  readonly list = new Store<ChangeList>({
    filters: NO_FILTERS,
    changes: [],
    next: null,
    loading: "first",
    error: null,
    unavailable: [],
    fresh: new Set(),
  });
  #asking = new AbortController();
  /** For each first page that is being asked for: the changes that came meanwhile, which it may not have yet. */
  readonly #outrun = new Set<Change[]>();
  #settling: number | undefined;

  /** Shows the changes that match these filters; the current ones stay until the answer comes. */
  async load(filters: Filters): Promise<void> {
    this.#asking.abort();
    const { signal } = this.#asking = new AbortController();
    this.list.update({ filters, loading: "first", error: null, fresh: new Set() });
    await this.#first(signal, ({ changes, next, unavailable }) => {
      this.list.update({ changes, next, unavailable, loading: null });
    });
  }

  /** The next page, if there is one and it is not being loaded yet. */
  async more(): Promise<void> {
    const { next, loading } = this.list.value;
    if (next === null || loading !== null) return;
    this.list.update({ loading: "more", error: null });
    await this.#page({ signal: this.#asking.signal, cursor: next }, (page) => {
      const known = new Set(this.list.value.changes.map(keyOf));
      const added = page.changes.filter((change) => !known.has(keyOf(change)));
      this.list.update({ changes: [...this.list.value.changes, ...added], next: page.next, loading: null });
    });
  }

  /** The first page again, merged into the front of the list. */
  async refresh(): Promise<void> {
    if (this.list.value.loading === "first") return this.refreshSoon(); // asking again each time, it might never come
    const { signal } = this.#asking;
    await this.#first(signal, (page) => {
      const { changes, fresh } = this.list.value;
      const fetched = new Map(page.changes.map((change) => [keyOf(change), change]));
      const meets = changes.some((change) => fetched.has(keyOf(change)));
      if (!meets || page.next === null) {
        this.list.update({
          changes: page.changes,
          next: page.next,
          unavailable: page.unavailable,
          error: null,
        });
        return;
      }
      const known = new Set(changes.map(keyOf));
      const arrived = [...fetched.keys()].filter((key) => !known.has(key));
      const older = changes.filter((change) => !fetched.has(keyOf(change)));
      this.list.update({
        changes: sorted([...page.changes, ...older]),
        unavailable: page.unavailable,
        fresh: new Set([...fresh, ...arrived]),
        error: null,
      });
    });
  }

  /** A change that is new or has changed. True if it is new here. */
  take(change: Change): boolean {
    const { changes, filters, fresh } = this.list.value;
    for (const outrun of this.#outrun) outrun.push(change);
    if (changes.some((known) => sameKey(known, change))) {
      this.list.update({ changes: taken(changes, change) });
      return false;
    }
    if (filters.path !== "") {
      this.refreshSoon(); // only the server knows whether a path matches
      return false;
    }
    if (!fits(change, filters)) return false;
    this.list.update({ changes: taken(changes, change), fresh: new Set([...fresh, keyOf(change)]) });
    return true;
  }

  refreshSoon(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.refresh(), SETTLE_MS);
  }

  /** The first page, with what came since it was asked for. */
  async #first(signal: AbortSignal, use: (page: ChangePage) => void): Promise<void> {
    const outrun: Change[] = [];
    this.#outrun.add(outrun);
    await this.#page({ signal, cursor: null }, (page) => {
      const { filters } = this.list.value;
      const shown = outrun.filter((change) =>
        page.changes.some((known) => sameKey(known, change)) ||
        filters.path === "" && fits(change, filters)
      );
      use({ ...page, changes: shown.reduce(taken, page.changes) });
      if (shown.length > 0) this.refreshSoon(); // which of the two is newer, nobody knows
    });
    this.#outrun.delete(outrun);
  }

  async #page(
    { signal, cursor }: { signal: AbortSignal; cursor: string | null },
    use: (page: ChangePage) => void,
  ): Promise<void> {
    try {
      const page = await get("changes", { query: queryOf(this.list.value.filters, cursor), signal });
      if (!signal.aborted) use(page);
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== undefined && !signal.aborted) this.list.update({ error: failure, loading: null });
    }
  }
}

function queryOf({ sources, client, tool, path, since }: Filters, cursor: string | null): Query {
  const from = since === "" ? null : sinceTime(since);
  // Part of a path is enough for a person; the API's `path` has to be a whole one.
  return { source: sources, client, tool, text: path, since: from, limit: PAGE, cursor };
}

function fits(change: Change, { sources, client, tool, since }: Filters): boolean {
  const from = since === "" ? null : sinceTime(since);
  return (sources.length === 0 || sources.includes(change.source)) &&
    (client === "" || change.client === client) &&
    (tool === "" || change.tool === tool) &&
    (from === null || Date.parse(change.time) >= Date.parse(from));
}

/** Newest first; changes of the same time keep their order. */
function sorted(changes: readonly Change[]): Change[] {
  const timed = changes.map((change) => ({ change, time: Date.parse(change.time) }));
  return timed.sort((a, b) => b.time - a.time).map(({ change }) => change);
}

/** In the place of its older state, or in front of all that are not newer. */
function taken(changes: readonly Change[], change: Change): Change[] {
  const known = changes.findIndex((other) => sameKey(other, change));
  if (known >= 0) return changes.with(known, change);
  const time = Date.parse(change.time);
  const place = changes.findIndex((other) => Date.parse(other.time) <= time);
  return changes.toSpliced(place < 0 ? changes.length : place, 0, change);
}
