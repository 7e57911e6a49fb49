/** What a tool of the workspaces surface gets besides its arguments. */
import type { Changing } from "../../engine/changing.ts";
import type { ConfinedPath, ResolveOptions } from "../../engine/fence.ts";
import type {
  Changed,
  ChangeRequest,
  Differences,
  DiffLimits,
  History,
  Plan,
} from "../../engine/history/store.ts";
import type { SearchPool } from "../../engine/search/crew/pool.ts";
import type { ToolCall } from "../../tools/tool.ts";
import type { Workspaces } from "./workspaces.ts";

export interface WorkspacesContext {
  readonly call: ToolCall;
  /** The largest file, in bytes, that is read or written whole. */
  readonly maxSize: number;
  readonly timeoutMs: number;
  readonly workspaces: Workspaces;
  readonly changing: Changing;
  /** Takes over searches that take long. */
  readonly pool: SearchPool | undefined;
  /** A workspace to read from, after recovering what a dead process left half done. */
  open(workspaceId: string): Promise<OpenWorkspace>;
  /** Changes a workspace: `plan` reads and decides while nobody else changes it. */
  change<T>(workspaceId: string, plan: Planner<T>): Promise<Changed<T>>;
  /** What such a change would do, without making it. */
  preview<T>(workspaceId: string, plan: Planner<T>, limits: DiffLimits): Promise<Differences>;
  /** Who asks for a change, as the history records it. */
  readonly request: ChangeRequest;
}

export type Planner<T> = (workspace: OpenWorkspace) => Promise<Plan<T>> | Plan<T>;

export interface OpenWorkspace {
  readonly history: History;
  /** Resolves a client's path and checks it against the fence. */
  resolve(path: string, options?: ResolveOptions): ConfinedPath;
}
