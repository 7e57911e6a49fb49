/** What a tool of the roots surface gets besides its arguments. */
import type { HostFacts } from "../../base/config.ts";
import type { ConfinedPath, ResolveOptions } from "../../engine/fence.ts";
import type { SearchPool } from "../../engine/search/crew/pool.ts";
import type { UndoOperations } from "../../engine/undo/asking.ts";
import type { ToolCall } from "../../tools/tool.ts";
import type { RecordingContext } from "../recorded_call.ts";
import type { UndoStores } from "../undo_stores.ts";

export interface RootListing {
  name: string;
  allowed_tools: string[];
  /** Whether changes in it can be undone, and if not, why. */
  undo?: boolean;
  undo_note?: string;
}

export interface RootsContext extends RecordingContext {
  readonly call: ToolCall;
  readonly maxFullReadSize: number;
  readonly maxSize: number;
  readonly host: HostFacts;
  /** Takes over searches that take long. */
  readonly pool: SearchPool | undefined;
  readonly stores: UndoStores;
  /** What can be asked of a root's undo store. Throws if there is none. */
  undo(root: string): Promise<{ operations: UndoOperations; relativeOf(path: string): string }>;
  roots(): RootListing[];
  /** In words, what keeps the server inside its roots. */
  readonly fences: readonly string[];
  /** Resolves a client's path and checks it against the fence and the allowlists. */
  resolve(root: string, path: string, options?: ResolveOptions): ConfinedPath;
  /** The same for an absolute path, which must be in a root that allows the tool. */
  resolveAbsolute(path: string): ConfinedPath;
  /** Refuses work on a whole folder if another root inside it does not allow the tool. */
  gateBelow(folder: ConfinedPath): void;
  /** Whether a search may enter a folder: a nested root's folder needs that root's permission. */
  mayEnter(folder: ConfinedPath): boolean;
  /** The names of the roots that `mayEnter` kept a search out of. */
  leftOut(): string[];
}
