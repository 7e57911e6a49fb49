/** What a tool of the classic surface gets besides its arguments. */
import type { ConfinedPath, ResolveOptions } from "../../engine/fence.ts";
import type { ToolCall } from "../../tools/tool.ts";
import type { RecordingContext } from "../recorded_call.ts";

export interface ClassicContext extends RecordingContext {
  readonly call: ToolCall;
  /** The largest file that is handled whole, and the largest answer. */
  readonly maxSize: number;
  /** The directories that a client may use, as it sees them. */
  readonly allowed: readonly string[];
  /** Resolves a client's path and checks it against the fence and the allowed directories. */
  resolve(path: string, options?: Pick<ResolveOptions, "follow">): ConfinedPath;
  /** The names of the directories that contain these paths, if any do. */
  rootsOf(paths: readonly string[]): readonly string[];
}
