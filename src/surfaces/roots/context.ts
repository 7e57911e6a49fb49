/** What a tool of the roots surface is given beside its arguments. */
import { type HostFacts } from "../../base/config.ts";
import { type ConfinedPath, type ResolveOptions } from "../../engine/fence.ts";
import { type SearchPool } from "../../engine/search/crew/pool.ts";
import { type UndoOperations } from "../../engine/undo/mod.ts";
import { type ToolCall } from "../../tools/tool.ts";
import { type RecordingContext } from "../recorded_call.ts";
import { type UndoStores } from "../undo_stores.ts";

export interface RootListing {
  name: string;
  allowed_tools: string[];
  /** Whether changes in it can be undone, and why not. */
  undo?: boolean;
  undo_note?: string;
}

export interface RootsContext extends RecordingContext {
  readonly call: ToolCall;
  readonly maxFullReadSize: number;
  readonly maxSize: number;
  readonly host: HostFacts;
  /** Who takes over searches that take long. */
  readonly pool: SearchPool | undefined;
  /** The undo stores of the roots. */
  readonly stores: UndoStores;
  /** What can be asked of a root's undo store. Throws where there is none. */
  undo(root: string): Promise<{ operations: UndoOperations; relativeOf(path: string): string }>;
  roots(): RootListing[];
  /** What keeps the server inside its roots, in words. */
  readonly fences: readonly string[];
  /** The path a client means, checked against the fence and the allowlists. */
  resolve(root: string, path: string, options?: ResolveOptions): ConfinedPath;
  /** The same for an absolute path, which must lie in a root that allows the tool. */
  resolveAbsolute(path: string): ConfinedPath;
  /** Refuses work on a whole folder when another root inside it does not allow the tool. */
  gateBelow(folder: ConfinedPath): void;
  /** Whether a search may look into a folder: one of another root inside needs that root's leave. */
  mayEnter(folder: ConfinedPath): boolean;
  /** The names of the roots that `mayEnter` has kept a search from. */
  leftOut(): string[];
}
