/** A workspace with its git history. */
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedRoot, resolvePath } from "../../engine/fence.ts";
import type { CommitSummary, History } from "../../engine/history/mod.ts";
import type { Change, Source } from "../api_types.ts";
import { CommitChanges } from "./commit_changes.ts";
import { commitFacts, commitNamed, commitsOf } from "./commits.ts";
import { rawFile, sideOfVersion } from "./commit_files.ts";
import { ABSENT_SIDE, bareSide, type RawFile, type RawSide } from "./raw_file.ts";
import { withLaterCommit } from "./revert_conflict.ts";
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
  /** Opened again for every question: people create and delete workspaces too. */
  readonly open: () => Promise<OpenedWorkspace>;
}

export interface OpenedWorkspace {
  readonly root: ConfinedRoot;
  readonly history: History;
}

const MOST_NEWS = 100;
const MOST_TALLIED = 2_000;
const MOST_RESTORED = 10_000;

export class WorkspaceSource implements ChangeSource {
  readonly kind = "workspace";
  readonly id: string;
  readonly name: string;
  readonly #options: WorkspaceSourceOptions;
  readonly #commits: CommitChanges;
  #head: string | undefined | null = null;

  constructor(options: WorkspaceSourceOptions) {
    this.#options = options;
    this.name = options.name;
    this.id = `workspace:${options.name}`;
    this.#commits = new CommitChanges(this.id);
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
      can_undo: !readOnly,
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
      return {
        ...facts,
        state: "unavailable",
        note: error.message,
        can_undo: false,
        can_restore: false,
        can_compare: false,
      };
    }
  }

  async changes(query: SourceQuery): Promise<readonly FoundChange[]> {
    const { root, history } = await this.#options.open();
    await this.#commits.learn(history, query.signal);
    const path = query.path === undefined ? "" : relativeTo(root, query.path);
    const found: FoundChange[] = [];
    let isAfter = query.after === undefined;
    for await (const { entry, time } of commitsOf(history, { path, signal: query.signal })) {
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
      if (query.undone !== undefined && query.undone !== (this.#commits.isUndone(entry))) {
        continue;
      }
      found.push({ time, key: entry.commit, change: await this.#commits.told(entry, history) });
      if (found.length >= query.limit) break;
    }
    return found;
  }

  async change(id: string, signal?: AbortSignal): Promise<ChangeFiles> {
    const { history } = await this.#options.open();
    const entry = await commitNamed(history, id, signal);
    await this.#commits.learn(history, signal);
    if (entry === undefined) throw new PaddockError("NOT_FOUND", `no commit ${JSON.stringify(id)}`);
    const versions = await history.versions({ to: entry.commit, signal });
    return {
      change: await this.#commits.told(entry, history),
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
    await this.#commits.learn(history, signal);
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
        change: await this.#commits.told(entry, history),
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

  async previewUndo(ids: readonly string[], signal?: AbortSignal): Promise<RawPreview> {
    this.#refuseReadOnly();
    const [id = "", ...others] = ids;
    if (others.length > 0) {
      throw new PaddockError("INVALID_INPUT", "commits of a workspace can only be undone one by one");
    }
    const { history } = await this.#options.open();
    const { plan, versions, merged, contents } = await history.planRevert(id, signal).catch(
      async (error) => {
        throw await withLaterCommit(error, { history, commit: id });
      },
    );
    const files = versions.map((file) => rawFile(file, history, contents));
    return { plan, files, merged, skipped: [], unknown: 0, also: [] };
  }

  async previewRestore(
    { path: given, at }: { path: string; at: string },
    signal?: AbortSignal,
  ): Promise<RawPreview> {
    this.#refuseReadOnly();
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
    for await (const { entry, time } of commitsOf((await this.#options.open()).history)) {
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
      await this.#commits.learn(history);
      const changes: Change[] = [];
      for (const entry of fresh) changes.push(...await this.#commits.withReverted(entry, history));
      return { changes, reload: false, stateChanged: before === undefined };
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      this.#head = null;
      return { ...NO_NEWS, stateChanged: before !== null };
    }
  }

  close(): void {
    this.#commits.forget();
  }

  #refuseReadOnly(): void {
    if (!this.#options.readOnly) return;
    throw new PaddockError("NOT_ALLOWED", "the console is read-only: nothing can be undone from here");
  }

  async #now(path: string, history: History): Promise<RawSide> {
    if (path === "") return bareSide({ kind: "folder" });
    try {
      const seen = await history.seen(path);
      return seen === undefined ? ABSENT_SIDE : sideOfVersion(seen, { path, history });
    } catch (error) {
      if (error instanceof PaddockError) return ABSENT_SIDE;
      throw error;
    }
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
