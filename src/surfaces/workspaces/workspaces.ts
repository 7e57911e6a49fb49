/**
 * The workspaces of a server: direct child folders of one directory, each with a `.git` of its own. They are looked
 * up for every call, because people create and delete them too; the last used ones stay open as long as folder and
 * `.git` are the same.
 */
import { type ErrorCode, PaddockError } from "../../base/errors.ts";
import type { Changing } from "../../engine/changing.ts";
import {
  childOf,
  type ConfinedPath,
  type ConfinedRoot,
  createRoots,
  locateAbsolute,
  quote,
  resolvePath,
  segmentsOf,
} from "../../engine/fence.ts";
import { ensureFolder } from "../../engine/folders.ts";
import type { ReplacedFiles } from "../../engine/history/mod.ts";
import type { History } from "../../engine/history/store.ts";
import { type EntryInfo, identify, listFolder } from "../../engine/metadata.ts";
import { removeFolder } from "../../engine/remove.ts";
import { Pace } from "../../engine/yield.ts";
import { entryAt } from "./entry_at.ts";
import { slugOf, slugVariant } from "./slug.ts";

export interface Workspace {
  readonly id: string;
  readonly root: ConfinedRoot;
  readonly history: History;
}

interface Opened {
  /** Tells folder and `.git` from others of the same name. */
  readonly identity: string;
  readonly root: ConfinedRoot;
  readonly history: Promise<History>;
}

/** How many workspaces stay open by default. */
const MOST_OPEN = 64;
/** How many workspaces may have the same name except for a number. */
const MOST_VARIANTS = 10_000;
const LONGEST_ID = 255;
/** After this long without a change, deferred work is done in a workspace. */
const IDLE_MS = 250;

export class Workspaces {
  readonly #dir: ConfinedRoot;
  readonly #mostOpen: number;
  #top: ConfinedPath | undefined;
  #replaced: ReplacedFiles | undefined;
  /** In order of last use. */
  readonly #open = new Map<string, Opened>();

  /** `dir` is absolute and real. */
  constructor(dir: string, { mostOpen = MOST_OPEN } = {}) {
    this.#dir = confinedRoot("the workspaces", { path: dir, git: "open" });
    this.#mostOpen = mostOpen;
  }

  async find(id: string): Promise<Workspace> {
    const folder = this.#folder(id);
    const identity = this.#identify(id, folder);
    const kept = this.#open.get(id);
    this.#open.delete(id);
    if (kept !== undefined && kept.identity !== identity) letGo(kept);
    const opened = kept?.identity === identity ? kept : this.#openAt(folder, { id, identity });
    this.#open.set(id, opened);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= this.#mostOpen) break;
      this.#close(oldest);
    }
    return { id, root: opened.root, history: await opened.history };
  }

  /** Which workspace an absolute path of the host is in, and the path relative to it. */
  locate(path: string): { id: string; relative: string } {
    const [id = "", ...rest] = locateAbsolute(path, [this.#dir]).relative.split("/");
    if (rest.length === 0 || !this.#isWorkspace(id)) {
      throw new PaddockError("OUT_OF_BOUNDS", `path is not in a workspace: ${quote(path)}`, {
        audit: { attempted_path: path },
      });
    }
    return { id, relative: rest.join("/") };
  }

  /** The ids, in order. */
  async list(signal?: AbortSignal): Promise<string[]> {
    const pace = new Pace(signal);
    const ids: string[] = [];
    for (const { name, type } of await listFolder(resolvePath(this.#dir, "."), signal)) {
      if (type !== "directory" || !isId(name)) continue;
      if (this.#entry(`${name}/.git`)?.type === "directory") ids.push(name);
      await pace.step();
    }
    return ids;
  }

  /** Creates a folder under a free name, with an empty history. */
  async create(name: string, changing: Changing): Promise<{ id: string; path: string }> {
    const slug = slugOf(name);
    if (slug === "") {
      throw new PaddockError(
        "INVALID_INPUT",
        `name must contain at least one letter from a to z or digit; ${quote(name)} was given`,
      );
    }
    for (let n = 1; n <= MOST_VARIANTS; n++) {
      const id = slugVariant(slug, n);
      const folder = resolvePath(this.#dir, id, { follow: false });
      if (this.#entry(id) !== undefined || !await ensureFolder(folder, changing)) continue; // taken
      await this.#init(id, { folder, changing });
      return { id, path: folder.absolute };
    }
    throw new PaddockError("ALREADY_EXISTS", `there are ${MOST_VARIANTS} workspaces called ${quote(slug)}`);
  }

  /** If no history can be created (a full disk), removes the folder, which would only look like a workspace. */
  async #init(
    id: string,
    { folder, changing }: { folder: ConfinedPath; changing: Changing },
  ): Promise<void> {
    const { initHistory } = await import("../../engine/history/mod.ts");
    try {
      await initHistory(workspaceRoot(id, folder));
    } catch (error) {
      const names = (await listFolder(folder)).map(({ name }) => name);
      if (names.every((name) => name === ".git")) await removeFolder(folder, changing);
      throw error;
    }
  }

  #openAt(folder: ConfinedPath, { id, identity }: { id: string; identity: string }): Opened {
    const root = workspaceRoot(id, folder);
    const history = import("../../engine/history/mod.ts").then(({ openHistory, ReplacedFiles }) =>
      openHistory(root, { idleMs: IDLE_MS, replaced: this.#replaced ??= new ReplacedFiles() })
    );
    history.catch(() => this.#open.delete(id)); // the next call tries again
    return { identity, root, history };
  }

  #close(id: string): void {
    const opened = this.#open.get(id);
    this.#open.delete(id);
    if (opened !== undefined) letGo(opened);
  }

  #folder(id: string): ConfinedPath {
    if (!isId(id)) {
      const isPath = id === ".." || /[/\\\0]/.test(id);
      throw refusal(
        isPath ? "OUT_OF_BOUNDS" : "NOT_FOUND",
        `workspaceId must be the name of a workspace from workspace_list; ${quote(id)} was given`,
      );
    }
    segmentsOf(id); // throws for what is not a name at all
    return childOf(this.#top ??= resolvePath(this.#dir, ""), id);
  }

  /** Throws if there is no workspace. */
  #identify(id: string, folder: ConfinedPath): string {
    const info = identify(folder);
    if (info?.type === "symlink") {
      throw refusal(
        "OUT_OF_BOUNDS",
        `workspace ${quote(id)} is a symbolic link, which is not followed`,
      );
    }
    if (info?.type !== "directory") {
      throw refusal(
        "NOT_FOUND",
        `workspace not found: ${
          quote(id)
        }; workspace_list lists the existing ones, workspace_create creates one`,
      );
    }
    const git = identify(childOf(folder, ".git"));
    if (git === undefined) {
      throw refusal(
        "UNSUPPORTED",
        `folder ${
          quote(id)
        } is not a workspace, because it has no .git; a person can turn it into one with git init`,
      );
    }
    if (git.type !== "directory") {
      throw refusal(
        "UNSUPPORTED",
        `folder ${quote(id)} cannot be used as a workspace: its .git is a ${git.type}, which is not followed`,
      );
    }
    return `${info.identity} ${git.identity}`;
  }

  #isWorkspace(id: string): boolean {
    try {
      return this.#identify(id, this.#folder(id)) !== "";
    } catch (error) {
      if (error instanceof PaddockError) return false;
      throw error;
    }
  }

  #entry(path: string): EntryInfo | undefined {
    return entryAt(resolvePath(this.#dir, path, { follow: false }));
  }
}

/** A call may still be using it: then its files are opened again. */
function letGo({ history }: Opened): void {
  history.then((opened) => opened.close(), () => {}); // one that could not be opened holds nothing
}

function refusal(code: ErrorCode, message: string): PaddockError {
  return new PaddockError(code, message, { data: { argument: "workspaceId" } });
}

/** One name, and not a hidden one: those are not for workspaces. */
function isId(id: string): boolean {
  return id !== "" && id.length <= LONGEST_ID && !id.startsWith(".") && !/[/\\\0]/.test(id);
}

function workspaceRoot(id: string, folder: ConfinedPath): ConfinedRoot {
  return confinedRoot(id, { path: folder.absolute, git: "hidden" });
}

function confinedRoot(name: string, { path, git }: Pick<ConfinedRoot, "path" | "git">): ConfinedRoot {
  const root = createRoots([{ name, path, git }]).get(name);
  if (root === undefined) throw new TypeError("the root was just created");
  return root;
}
