/** A workspace with its git history. */
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedRoot, resolvePath } from "../../engine/fence.ts";
import {
  type CommitSummary,
  type FileVersions,
  type History,
  type Version,
} from "../../engine/history/mod.ts";
import { type Change, type Source } from "../api_types.ts";
import { commitFacts } from "./commits.ts";
import { ABSENT_SIDE, bareSide, type RawFile, type RawSide, statusOf } from "./raw_file.ts";
import {
  type ChangeFiles,
  type ChangeSource,
  type FilePage,
  type FoundChange,
  type News,
  NO_NEWS,
  type RawPreview,
  type SourceQuery,
  type Tallies,
} from "./source.ts";

export interface WorkspaceSourceOptions {
  readonly name: string;
  readonly directory: string;
  readonly readOnly: boolean;
  /** Opened anew for every question: people make and delete workspaces too. */
  readonly open: () => Promise<OpenedWorkspace>;
}

export interface OpenedWorkspace {
  readonly root: ConfinedRoot;
  readonly history: History;
}

/** How many commits are looked through for one page, and how many at a time. */
const MOST_COMMITS = 20_000;
const STRIDE = 200;
const MOST_NEWS = 100;
const MOST_PATHS = 10;
/** How many commits are remembered with what they touched. */
const REMEMBERED = 2_000;
const MOST_TALLIED = 2_000;
const MODE_LINK = 0o120000;
const MODE_REPOSITORY = 0o160000;
const MOST_RESTORED = 10_000;
const NO_REVERT =
  "a commit of a workspace is not taken back by itself: restore the files to the state before it";

export class WorkspaceSource implements ChangeSource {
  readonly kind = "workspace";
  readonly id: string;
  readonly name: string;
  readonly #options: WorkspaceSourceOptions;
  readonly #known = new Map<string, Change>();
  #head: string | undefined | null = null;

  constructor(options: WorkspaceSourceOptions) {
    this.#options = options;
    this.name = options.name;
    this.id = `workspace:${options.name}`;
  }

  async describe(): Promise<Source> {
    const { directory, readOnly } = this.#options;
    const facts = {
      id: this.id,
      kind: "workspace" as const,
      name: this.name,
      directory,
      changes: null,
      newest: null,
      can_undo: false,
      can_restore: !readOnly,
      can_compare: true,
      note: null,
    };
    try {
      const { history } = await this.#options.open();
      const [newest] = (await history.log({ limit: 1 })).entries;
      if (newest === undefined) return { ...facts, state: "empty", changes: 0 };
      return { ...facts, state: "ok", newest: newest.date };
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      return { ...facts, state: "unavailable", note: error.message, can_restore: false, can_compare: false };
    }
  }

  async changes(query: SourceQuery): Promise<readonly FoundChange[]> {
    if (query.undone === true) return [];
    const { root, history } = await this.#options.open();
    const path = query.path === undefined ? "" : relativeTo(root, query.path);
    const found: FoundChange[] = [];
    let isAfter = query.after === undefined;
    for await (const { entry, time } of commits(history, { path, signal: query.signal })) {
      if (query.since !== undefined && time < query.since) break;
      const { after } = query;
      if (!isAfter && after !== undefined) {
        const isHere = after.key === undefined
          ? time < after.time || (after.inclusive && time === after.time)
          : time < after.time;
        if (!isHere) {
          isAfter = after.key === entry.commit; // the next one is
          continue;
        }
        isAfter = true;
      }
      if (!fits(entry, time, query)) continue;
      found.push({ time, key: entry.commit, change: await this.#told(entry, history) });
      if (found.length >= query.limit) break;
    }
    return found;
  }

  async change(id: string, signal?: AbortSignal): Promise<ChangeFiles> {
    const { history } = await this.#options.open();
    const { entries: [entry] } = await history.log({ limit: 1, from: id, signal });
    if (entry === undefined) throw new PaddockError("NOT_FOUND", `no commit ${JSON.stringify(id)}`);
    const versions = await history.versions({ to: entry.commit, signal });
    return {
      change: await this.#told(entry, history),
      files: versions.map((file) => rawFile(file, history)),
    };
  }

  async file(
    { path: given, limit, cursor, signal }: {
      path: string;
      limit: number;
      cursor: unknown;
      signal?: AbortSignal | undefined;
    },
  ): Promise<FilePage> {
    const { root, history } = await this.#options.open();
    const path = relativeTo(root, given);
    const skip = typeof cursor === "number" ? cursor : 0;
    const { entries, more } = await history.log({ limit, skip, signal, ...(path !== "" && { path }) });
    const versions = [];
    let name = path;
    for (const entry of entries) {
      const files = await history.versions({ to: entry.commit, signal });
      const own = files.find((file) => file.path === name) ??
        files.find((file) => file.path.startsWith(`${name}/`));
      const { before, after, status, to } = own === undefined
        ? {
          before: bareSide({ kind: "other" }),
          after: bareSide({ kind: "other" }),
          status: "changed" as const,
          to: null,
        }
        : rawFile(own, history);
      versions.push({
        change: await this.#told(entry, history),
        path: own?.from ?? name,
        to,
        status,
        before,
        after,
        restoreAt: entry.commit,
      });
      if (own?.path === name && own.from !== undefined) name = own.from;
    }
    const now = await this.#now(path, history);
    return { source: this.id, path, now, versions, next: more ? skip + entries.length : null };
  }

  async compare(
    { from, to, path, signal }: {
      from: string;
      to?: string | undefined;
      path?: string | undefined;
      signal?: AbortSignal | undefined;
    },
  ): Promise<readonly RawFile[]> {
    const { root, history } = await this.#options.open();
    const below = path === undefined ? undefined : relativeTo(root, path);
    return (await history.versions({ from, to, path: below, signal })).map((file) => rawFile(file, history));
  }

  async content(
    hash: string,
    { path, most }: { path: string | undefined; most: number },
  ): Promise<Uint8Array | undefined> {
    const { root, history } = await this.#options.open();
    return await history.content(hash, {
      path: path === undefined ? undefined : relativeTo(root, path),
      most,
    });
  }

  previewUndo(): Promise<RawPreview> {
    throw new PaddockError("UNSUPPORTED", NO_REVERT);
  }

  async previewRestore(
    { path: given, at }: { path: string; at: string },
    signal?: AbortSignal,
  ): Promise<RawPreview> {
    if (this.#options.readOnly) {
      throw new PaddockError("NOT_ALLOWED", "the console is read-only: nothing can be taken back from here");
    }
    const { root, history } = await this.#options.open();
    const path = relativeTo(root, given);
    const query = { commit: at, maxFiles: MOST_RESTORED, signal, ...(path !== "" && { path }) };
    const { plan, skipped } = await history.planRestore(query);
    const files = await history.restoredVersions({ ...query, plan });
    return {
      plan,
      files: files.map((file) => rawFile(file, history)),
      merged: [],
      skipped,
      unknown: 0,
      also: [],
    };
  }

  async tallies(since: number): Promise<Tallies> {
    const clients = new Map<string | null, { changes: number; newest: number }>();
    const tools = new Map<string, number>();
    let looked = 0;
    for await (const { entry, time } of commits((await this.#options.open()).history, { path: "" })) {
      if (time < since || ++looked > MOST_TALLIED) break;
      const { client, tool } = commitFacts(entry.message);
      const known = clients.get(client);
      clients.set(client, { changes: (known?.changes ?? 0) + 1, newest: known?.newest ?? time });
      tools.set(tool, (tools.get(tool) ?? 0) + 1);
    }
    return {
      clients: [...clients].map(([name, numbers]) => ({ name, ...numbers })),
      tools: [...tools].map(([name, changes]) => ({ name, changes })),
    };
  }

  async news(): Promise<News> {
    const before = this.#head;
    try {
      const { history } = await this.#options.open();
      const head = this.#head = history.head();
      if (before === null || before === head) return NO_NEWS;
      const { entries } = await history.log({ limit: MOST_NEWS + 1 });
      const known = entries.findIndex(({ commit }) => commit === before);
      const isAll = before === undefined && entries.length <= MOST_NEWS;
      if (known < 0 && !isAll) return { ...NO_NEWS, reload: true };
      const fresh = (known < 0 ? entries : entries.slice(0, known)).toReversed();
      const changes: Change[] = [];
      for (const entry of fresh) changes.push(await this.#told(entry, history));
      return { changes, reload: false, stateChanged: before === undefined };
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      this.#head = null;
      return { ...NO_NEWS, stateChanged: before !== null };
    }
  }

  close(): void {
    this.#known.clear();
  }

  async #told(entry: CommitSummary, history: History): Promise<Change> {
    const { commit, date, author, message } = entry;
    const known = this.#known.get(commit);
    if (known !== undefined) return known;
    const files = await history.versions({ to: commit, renames: false });
    const { tool, client, summary } = commitFacts(message);
    const change: Change = {
      source: this.id,
      id: commit,
      time: date,
      tool,
      client,
      session: null,
      author,
      summary,
      paths: files.slice(0, MOST_PATHS).map(({ path }) => path),
      path_count: files.length,
      undoable: false,
      why_not: NO_REVERT,
      undone_by: null,
      undoes: [],
      also: null,
    };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(commit, change);
    return change;
  }

  async #now(path: string, history: History): Promise<RawSide> {
    if (path === "") return bareSide({ kind: "folder" });
    try {
      const seen = await history.seen(path);
      return seen === undefined ? ABSENT_SIDE : side(seen, { path, history });
    } catch (error) {
      if (error instanceof PaddockError) return ABSENT_SIDE;
      throw error;
    }
  }
}

/** Newest first. Times never go up again, whatever the commits say, so that the order of the log is the order of time. */
async function* commits(
  history: History,
  { path, signal }: { path: string; signal?: AbortSignal | undefined },
): AsyncGenerator<{ entry: CommitSummary; time: number }> {
  let time = Infinity;
  for (let skip = 0; skip < MOST_COMMITS; skip += STRIDE) {
    const { entries, more } = await history.log({
      limit: STRIDE,
      skip,
      signal,
      ...(path !== "" && { path }),
    });
    for (const entry of entries) {
      time = Math.min(time, Date.parse(entry.date));
      yield { entry, time };
    }
    if (!more) return;
  }
}

/** The path that a person means, inside the workspace and outside its .git. */
export function relativeTo(root: ConfinedRoot, path: string): string {
  return resolvePath(root, path === "" ? "." : path, { follow: false }).relative;
}

function fits(entry: CommitSummary, time: number, { client, tool, until, text }: SourceQuery): boolean {
  if (until !== undefined && time > until) return false;
  const facts = commitFacts(entry.message);
  if (client !== undefined && facts.client !== client) return false;
  if (tool !== undefined && facts.tool !== tool) return false;
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  return [facts.summary, facts.client ?? "", facts.tool, entry.author, entry.commit].some((part) =>
    part.toLowerCase().includes(wanted)
  );
}

function rawFile({ path, from, before, after }: FileVersions, history: History): RawFile {
  const was = from ?? path;
  const sides = {
    before: before === undefined ? ABSENT_SIDE : side(before, { path: was, history }),
    after: after === undefined ? ABSENT_SIDE : side(after, { path, history }),
  };
  const isMoved = from !== undefined;
  return { path: was, to: isMoved ? path : null, status: isMoved ? "moved" : statusOf(sides), ...sides };
}

function side({ mode, oid }: Version, { path, history }: { path: string; history: History }): RawSide {
  if (mode === MODE_REPOSITORY) return bareSide({ kind: "other", hash: oid });
  return {
    kind: mode === MODE_LINK ? "link" : "file",
    size: history.size(oid) ?? null,
    mode: mode & 0o777,
    hash: oid,
    target: null,
    bytes: (most) => history.content(oid, { path, most }),
  };
}
