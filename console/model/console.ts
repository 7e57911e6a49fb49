/** The page's state and actions: one object, from which all views are drawn. */
import type { Change, Done, Facets, Overview, Source, Sources } from "../../src/console/api_types.ts";
import { visibleText } from "../text/visible.ts";
import { Acts, type Wish } from "./act.ts";
import { type ApiError, failureOf, get } from "./api.ts";
import { Changes } from "./changes.ts";
import { Live } from "./live.ts";
import { type ChangeKey, hrefOf, parseRoute, type Route } from "./route.ts";
import { Store } from "./store.ts";

export interface Notice {
  readonly text: string;
  readonly open: ChangeKey | null;
}

const NOTICE_MS = 8_000;
const FACETS_MS = 1_000;

export class Console {
  readonly route = new Store<Route>(parseRoute(location.search));
  readonly live = new Live();
  readonly changes = new Changes();
  readonly acts = new Acts((wish, done) => this.#done(wish, done));
  readonly sources = new Store<Sources>({ sources: [], truncated: false });
  readonly facets = new Store<Facets>({ clients: [], tools: [] });
  readonly version = new Store("");
  /** Only what is sent to everyone; the overview fetches the rest. */
  readonly overview = new Store<Pick<Overview, "connections" | "figures"> | null>(null);
  readonly notice = new Store<Notice | null>(null);
  /** What a screen reader announces. */
  readonly said = new Store("");
  readonly help = new Store(false);
  #noticeTimer: number | undefined;
  #facetsTimer: number | undefined;

  start(): void {
    addEventListener("popstate", () => this.route.set(parseRoute(location.search)));
    this.live.on("change", (change) => this.#took(change));
    this.live.on("reload", () => this.changes.refreshSoon());
    this.live.on("sources", (sources) => this.sources.set(sources));
    this.live.on("overview", (overview) => this.overview.set(overview));
    this.live.on("hello", () => {
      this.changes.refreshSoon(); // what happened before the stream was open
      this.#learn();
    });
    this.live.open();
  }

  /** Shows another view; `replace` if going back should not return to the one before. */
  go(route: Route, { replace = false } = {}): void {
    const href = hrefOf(route);
    if (replace || href === location.pathname + location.search) history.replaceState(null, "", href);
    else history.pushState(null, "", href);
    this.route.set(route);
  }

  /** The name of a root or workspace. */
  nameOf(id: string): string {
    return this.source(id)?.name ?? id.slice(id.indexOf(":") + 1);
  }

  source(id: string): Source | undefined {
    return this.sources.value.sources.find((source) => source.id === id);
  }

  /** Whether it can be undone from here: not twice, and not where the server may only read. */
  mayUndo(change: Change): boolean {
    return change.undoable && change.undone_by === null && this.source(change.source)?.can_undo !== false;
  }

  say(text: string): void {
    this.said.set(text);
  }

  tell(text: string, open: ChangeKey | null = null): void {
    clearTimeout(this.#noticeTimer);
    this.notice.set({ text, open });
    this.#noticeTimer = setTimeout(() => this.notice.set(null), NOTICE_MS);
  }

  /** Handles failures that any request can meet, and returns them. */
  failed(error: unknown): ApiError | undefined {
    const failure = failureOf(error);
    if (failure?.code === "UNAUTHENTICATED") this.live.end();
    return failure;
  }

  #took(change: Change): void {
    const known = this.facets.value;
    if (this.changes.take(change)) this.say(`New change: ${visibleText(change.summary)}`);
    const isNew = (names: readonly { name: string }[], name: string | null) =>
      name !== null && !names.some((one) => one.name === name);
    if (isNew(known.clients, change.client) || isNew(known.tools, change.tool)) this.#learnSoon();
  }

  #learnSoon(): void {
    clearTimeout(this.#facetsTimer);
    this.#facetsTimer = setTimeout(() => this.#learn(), FACETS_MS);
  }

  /** The choices in the filters. */
  async #learn(): Promise<void> {
    try {
      const [session, sources, facets] = await Promise.all([get("session"), get("sources"), get("facets")]);
      this.version.set(session.version);
      this.sources.set(sources);
      this.facets.set(facets);
    } catch (error) {
      this.failed(error); // the filters keep their old choices
    }
  }

  #done(wish: Wish, { change, source, file_count }: Done): void {
    const files = `${file_count} ${file_count === 1 ? "file" : "files"}`;
    const open = change === null ? null : { source, id: change };
    if (change === null) this.tell("Nothing to do: the files already look like this.");
    else if (wish.kind === "undo") this.tell(`Undone: ${files} put back.`, open);
    else this.tell(`Restored: ${files} put back.`, open);
    this.changes.refreshSoon();
  }
}
