/** What a tool of the workspaces surface is given beside its arguments. */
import { type Changing } from "../../engine/changing.ts";
import { type ConfinedPath, type ResolveOptions } from "../../engine/fence.ts";
import {
  type Changed,
  type ChangeRequest,
  type Differences,
  type DiffLimits,
  type History,
  type Plan,
} from "../../engine/history/store.ts";
import { type SearchPool } from "../../engine/search/crew/pool.ts";
import { type ToolCall } from "../../tools/tool.ts";
import { type Workspaces } from "./workspaces.ts";

export interface WorkspacesContext {
  readonly call: ToolCall;
  /** Largest file that is read or written whole, in bytes. */
  readonly maxSize: number;
  readonly timeoutMs: number;
  readonly workspaces: Workspaces;
  readonly changing: Changing;
  /** Who takes over searches that take long. */
  readonly pool: SearchPool | undefined;
  /** A workspace to look at, after what a process that died left half done was completed. */
  open(workspaceId: string): Promise<OpenWorkspace>;
  /** Changes a workspace: `plan` looks and decides while nobody else changes it. */
  change<T>(workspaceId: string, plan: Planner<T>): Promise<Changed<T>>;
  /** What such a change would come to, without making it. */
  preview<T>(workspaceId: string, plan: Planner<T>, limits: DiffLimits): Promise<Differences>;
  /** Who asks for a change, as the history has it. */
  readonly request: ChangeRequest;
}

export type Planner<T> = (workspace: OpenWorkspace) => Promise<Plan<T>> | Plan<T>;

export interface OpenWorkspace {
  readonly history: History;
  /** The path a client means, checked against the fence. */
  resolve(path: string, options?: ResolveOptions): ConfinedPath;
}
