/** The reading half of the console: roots and workspaces, and every question about them that changes nothing. */
import type { ConsoleSources } from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import { mediaType } from "../../engine/media.ts";
import { timeOf } from "../../engine/undo/asking.ts";
import { Workspaces } from "../../surfaces/workspaces/workspaces.ts";
import type {
  ChangeDetails,
  ChangePage,
  Comparison,
  Facets,
  FileDiff,
  FileHistory,
  Overview,
  Preview,
  RestoreRequest,
  Sources,
  UndoRequest,
} from "../api_types.ts";
import { confinedRoots } from "../confined_sources.ts";
import type { Asked } from "../messages.ts";
import { fromCursor, toCursor, VERSION_PLACE } from "./cursors.ts";
import { fileDiffs, MOST_IMAGE, SHOWN_IMAGES, sideOf, WIDE_LIMITS } from "./file_diffs.ts";
import { RootSource } from "./root_source.ts";
import type { ChangeSource, RawPreview } from "./source.ts";
import { facetsOf, recentOf, tallied } from "./tallies.ts";
import { timelineOf } from "./timeline.ts";
import { WorkspaceSource } from "./workspace_source.ts";

/** More workspaces than this are not listed. */
const MOST_WORKSPACES = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How many of the paths that a restore leaves alone are listed. */
const MOST_SKIPPED = 200;

export interface ViewerOptions {
  readonly hold: (store: string) => Promise<void>;
}

export class Viewer {
  readonly #roots: readonly RootSource[];
  readonly #workspaces: Workspaces | undefined;
  readonly #config: ConsoleSources;
  #known = new Map<string, WorkspaceSource>();
  #truncated = false;

  constructor(config: ConsoleSources, { hold }: ViewerOptions) {
    this.#config = config;
    const confined = confinedRoots(config);
    const sourceOf = (root: string) => confined.has(root) ? `root:${root}` : null;
    this.#roots = config.roots.flatMap((root) => {
      const own = confined.get(root.name);
      const { readOnly, umask } = config;
      return own === undefined
        ? []
        : [new RootSource({ root, confined: own, readOnly, umask, sourceOf, hold })];
    });
    this.#workspaces = config.workspaces === undefined ? undefined : new Workspaces(config.workspaces);
  }

  /** All current sources, with the workspaces looked up again. */
  async all(): Promise<readonly ChangeSource[]> {
    return [...this.#roots, ...await this.#listWorkspaces()];
  }

  async sources(): Promise<Sources> {
    const sources = [];
    for (const source of await this.all()) sources.push(await source.describe());
    return { sources, truncated: this.#truncated };
  }

  async changes(asked: Asked<"changes">, signal?: AbortSignal): Promise<ChangePage> {
    const { source, since, until, undone, limit, cursor, ...filter } = asked;
    const chosen = source === undefined ? await this.all() : await this.#named(source);
    return await timelineOf(chosen, {
      ...filter,
      since: since === undefined ? undefined : timeOf(since, "since"),
      until: until === undefined ? undefined : timeOf(until, "until"),
      undone: undone === undefined ? undefined : undone === "yes",
      limit,
      cursor,
      signal,
    });
  }

  async change({ source, id }: Asked<"change">, signal?: AbortSignal): Promise<ChangeDetails> {
    const { change, files } = await (await this.#source(source)).change(id, signal);
    return { change, file_count: files.length, ...await fileDiffs(files, { source, signal }) };
  }

  async diff({ source, id, n }: Asked<"diff">, signal?: AbortSignal): Promise<FileDiff> {
    const { files } = await (await this.#source(source)).change(id, signal);
    const own = files.slice(n, n + 1);
    const [file] = (await fileDiffs(own, { source, signal, limits: WIDE_LIMITS, first: n })).files;
    if (file !== undefined) return file;
    throw new PaddockError("NOT_FOUND", `change ${id} has no file number ${n}; it has ${files.length}`);
  }

  async file({ source, path, limit, cursor }: Asked<"file">, signal?: AbortSignal): Promise<FileHistory> {
    const place = cursor === undefined ? undefined : fromCursor(cursor, VERSION_PLACE);
    const page = await (await this.#source(source)).file({ path, limit, cursor: place, signal });
    return {
      source,
      path: page.path,
      now: sideOf(page.now),
      versions: page.versions.map(({ before, after, restoreAt, ...version }) => ({
        ...version,
        before: sideOf(before),
        after: sideOf(after),
        restore_at: restoreAt,
      })),
      next: page.next === null ? null : toCursor(page.next),
    };
  }

  async compare({ source, from, to, path }: Asked<"compare">, signal?: AbortSignal): Promise<Comparison> {
    const files = await (await this.#source(source)).compare({ from, to, path, signal });
    const diffs = await fileDiffs(files, { source, signal });
    return { source, from, to: to ?? null, file_count: files.length, ...diffs };
  }

  /** Only what is an image by its bytes, whatever its name; the browser is told that type and no other. */
  async content({ source, hash, path }: Asked<"content">): Promise<{ type: string; bytes: Uint8Array }> {
    const bytes = await (await this.#source(source)).content(hash, { path, most: MOST_IMAGE });
    if (bytes === undefined || bytes.length > MOST_IMAGE) {
      throw new PaddockError(
        "NOT_FOUND",
        `no content ${hash} is kept, or it has more than ${MOST_IMAGE} bytes`,
      );
    }
    const type = mediaType(bytes);
    if (SHOWN_IMAGES.has(type)) return { type, bytes };
    throw new PaddockError("UNSUPPORTED", "that content is not an image that can be shown here");
  }

  async facets(): Promise<Facets> {
    return facetsOf(await tallied(await this.all(), 0));
  }

  /** Who has changed something within a day. */
  async recent(): Promise<Overview["recent"]> {
    return recentOf(await tallied(await this.all(), Date.now() - DAY_MS));
  }

  async previewUndo({ source, ids }: UndoRequest, signal?: AbortSignal): Promise<Preview> {
    const preview = await (await this.#source(source)).previewUndo(ids, signal);
    return await this.#told(preview, { source, kind: "undo", signal });
  }

  async previewRestore({ source, path, at }: RestoreRequest, signal?: AbortSignal): Promise<Preview> {
    const preview = await (await this.#source(source)).previewRestore({ path, at }, signal);
    return await this.#told(preview, { source, kind: "restore", signal });
  }

  close(): void {
    for (const source of [...this.#roots, ...this.#known.values()]) source.close();
  }

  async #told(
    { plan, files, merged, skipped, unknown, also }: RawPreview,
    { source, kind, signal }: { source: string; kind: Preview["kind"]; signal: AbortSignal | undefined },
  ): Promise<Preview> {
    return {
      source,
      kind,
      plan,
      file_count: files.length,
      ...await fileDiffs(files, { source, signal }),
      merged: [...merged],
      skipped: skipped.slice(0, MOST_SKIPPED).map(({ path, reason }) => ({ path, reason })),
      unknown,
      also: also.map((half) => ({ source: this.#rootNamed(half.root)?.id ?? null, ...half })),
      nothing: files.length === 0,
    };
  }

  #rootNamed(name: string): RootSource | undefined {
    return this.#roots.find((root) => root.name === name);
  }

  async #source(id: string): Promise<ChangeSource> {
    const [found] = await this.#named([id]);
    if (found !== undefined) return found;
    throw new PaddockError(
      "NOT_FOUND",
      `no source ${JSON.stringify(id.slice(0, 100))}; GET sources lists them`,
    );
  }

  async #named(ids: readonly string[]): Promise<readonly ChangeSource[]> {
    const found: ChangeSource[] = [];
    for (const id of new Set(ids)) {
      const own = this.#roots.find((root) => root.id === id) ?? await this.#workspace(id);
      if (own === undefined) {
        throw new PaddockError(
          "NOT_FOUND",
          `no source ${JSON.stringify(id.slice(0, 100))}; GET sources lists them`,
        );
      }
      found.push(own);
    }
    return found.sort((a, b) => a.id < b.id ? -1 : 1);
  }

  async #workspace(id: string): Promise<WorkspaceSource | undefined> {
    if (!id.startsWith("workspace:")) return undefined;
    await this.#listWorkspaces();
    return this.#known.get(id.slice("workspace:".length));
  }

  async #listWorkspaces(): Promise<readonly WorkspaceSource[]> {
    const workspaces = this.#workspaces;
    if (workspaces === undefined) return [];
    const names = await workspaces.list();
    this.#truncated = names.length > MOST_WORKSPACES;
    const known = new Map<string, WorkspaceSource>();
    for (const name of names.slice(0, MOST_WORKSPACES)) {
      const source = this.#known.get(name) ?? new WorkspaceSource({
        name,
        directory: `${this.#config.workspaces}/${name}`,
        readOnly: this.#config.readOnly,
        open: () => workspaces.find(name),
      });
      known.set(name, source);
    }
    this.#known = known;
    return [...known.values()];
  }
}
