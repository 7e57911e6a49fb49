/**
 * The workspaces surface: folders in which every change is a git commit. A call names a workspace and paths
 * relative to it. Errors are JSON: a code, a message, and details if there are any.
 */
import type { Config, SurfaceConfig, WorkspacesSurfaceConfig } from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import type { LogFields } from "../../base/log.ts";
import { shown } from "../../base/shown.ts";
import { resolvePath } from "../../engine/fence.ts";
import type { ChangeRequest } from "../../engine/history/store.ts";
import { LOCK_WAIT_MS, Locks } from "../../engine/locks.ts";
import { meantPath } from "../../engine/meant_path.ts";
import type { SearchPool } from "../../engine/search/crew/pool.ts";
import { TempSweeper } from "../../engine/temp_sweeper.ts";
import type { Tool, ToolCall, ToolResult } from "../../tools/tool.ts";
import type { ResourcePlaces } from "../resource_places.ts";
import { isOffered } from "../offered.ts";
import type { Surface } from "../surface.ts";
import { slashName } from "../slash_name.ts";
import type { OpenWorkspace, WorkspacesContext } from "./context.ts";
import * as definitions from "./tools/mod.ts";
import { readTextFile } from "./tools/read_text_file.ts";
import { type Workspace, Workspaces } from "./workspaces.ts";

export const WORKSPACES_TOOLS: readonly Tool<WorkspacesContext>[] = Object.values(definitions)
  .toSorted((a, b) => a.name < b.name ? -1 : 1);

/** The arguments of any tool that say what a call is about. */
const LOGGED_ARGUMENTS = [
  "workspaceId",
  "name",
  "path",
  "source",
  "destination",
  "commit",
  "from",
  "to",
] as const;

/** What the surface shares with others. */
export interface WorkspacesParts {
  locks?: Locks | undefined;
  /** For searches that take long. */
  pool?: SearchPool | undefined;
}

/** Waiting for a lock ends a little before the call's time limit, so that the error says what it waited for. */
const LOCK_MARGIN_MS = 100;

export class WorkspacesSurface implements Surface<WorkspacesContext> {
  readonly tools = WORKSPACES_TOOLS;
  readonly #config: Config;
  readonly #surface: WorkspacesSurfaceConfig;
  readonly #workspaces: Workspaces;
  readonly #locks: Locks;
  readonly #pool: SearchPool | undefined;
  readonly #sweeper = new TempSweeper();

  constructor(config: Config, surface: WorkspacesSurfaceConfig, { locks, pool }: WorkspacesParts = {}) {
    this.#config = config;
    this.#surface = surface;
    this.#workspaces = new Workspaces(surface.dir);
    this.#locks = locks ?? new Locks();
    this.#pool = pool;
  }

  reload(_config: SurfaceConfig): void {
    throw new TypeError("the workspaces surface has no config file");
  }

  offers(tool: Tool<WorkspacesContext>): boolean {
    return isOffered(tool, this.#config);
  }

  listedName(tool: Tool<WorkspacesContext>): string {
    return this.#surface.toolNames === "slash" ? slashName(tool.name) : tool.name;
  }

  aliases(tool: Tool<WorkspacesContext>): readonly string[] {
    return [slashName(tool.name)];
  }

  gate(tool: Tool<WorkspacesContext>): void {
    if (this.offers(tool)) return;
    throw new PaddockError("NOT_ALLOWED", `${tool.name} is not allowed: the server is read-only`);
  }

  contextFor(tool: Tool<WorkspacesContext>, call: ToolCall): WorkspacesContext {
    const { maxSize, timeoutMs, host, readOnly } = this.#config;
    const waitMs = Math.min(timeoutMs - LOCK_MARGIN_MS, LOCK_WAIT_MS);
    const { signal } = call;
    const request: ChangeRequest = {
      tool: tool.name.replace(/^fs_/, ""),
      client: call.client,
      signal,
      waitMs,
      umask: host.umask,
      begin: call.begin,
      onEntry: call.progress &&
        ((done) => call.progress?.({ progress: done, message: `${done} entries done` })),
    };
    return {
      call,
      maxSize,
      timeoutMs,
      workspaces: this.#workspaces,
      pool: this.#pool,
      changing: {
        locks: this.#locks,
        sweeper: this.#sweeper,
        umask: host.umask,
        signal,
        begin: call.begin,
        lockWaitMs: waitMs,
      },
      request,
      open: async (id) => {
        const workspace = await this.#workspaces.find(id);
        if (!readOnly) await healIfPossible(workspace); // healing writes, which a read-only server cannot
        return openWorkspace(workspace, { change: false, call });
      },
      change: async (id, plan) => {
        const workspace = await this.#workspaces.find(id);
        const open = openWorkspace(workspace, { change: true, call });
        return await workspace.history.change(request, () => plan(open));
      },
      preview: async (id, plan, limits) => {
        const workspace = await this.#workspaces.find(id);
        const open = openWorkspace(workspace, { change: true, call });
        return await workspace.history.preview(request, () => plan(open), limits);
      },
    };
  }

  /** What a call may read as resources: the files of every workspace. */
  places(call: ToolCall): ResourcePlaces {
    const { maxSize, timeoutMs, workspaces, open } = this.contextFor(readTextFile, call);
    return {
      call,
      maxBytes: maxSize,
      timeoutMs,
      names: () => workspaces.list(call.signal),
      resolve: async (id, path, options) => (await open(id)).resolve(path, options),
    };
  }

  renderError({ code, message, data }: PaddockError): ToolResult {
    if (this.#config.text === "compact") {
      return { content: [{ type: "text", text: `${code}: ${message}` }], isError: true };
    }
    const text = shown(JSON.stringify({ code, message, ...(data === undefined ? {} : { details: data }) }));
    return { content: [{ type: "text", text }], isError: true };
  }

  logFields(given: unknown): LogFields {
    if (typeof given !== "object" || given === null) return {};
    const fields: LogFields = {};
    for (const key of LOGGED_ARGUMENTS) {
      const value = (given as Record<string, unknown>)[key];
      if (typeof value === "string") fields[key] = value.length > 1_000 ? `${value.slice(0, 1_000)}…` : value;
    }
    return fields;
  }
}

/** On a full disk nothing can be healed, but files can be read; the next change reports the problem. */
async function healIfPossible({ history }: Workspace): Promise<void> {
  try {
    await history.heal();
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
  }
}

function openWorkspace(
  { root, history }: Workspace,
  { change, call }: { change: boolean; call: ToolCall },
): OpenWorkspace {
  const resolve: OpenWorkspace["resolve"] = (path, options) => {
    const resolved = resolvePath(root, meantPath(root, path), { change, ...options });
    call.explain?.({ root: root.name, attempted_path: path, resolved_path: resolved.absolute });
    return resolved;
  };
  return { history, resolve };
}
