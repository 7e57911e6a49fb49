/** What a tool of the classic surface is given beside its arguments. */
import { type ConfinedPath, type ResolveOptions } from "../../engine/fence.ts";
import { type ToolCall } from "../../tools/tool.ts";
import { type RecordingContext } from "../recorded_call.ts";

export interface ClassicContext extends RecordingContext {
  readonly call: ToolCall;
  /** Largest file that is worked on whole, and largest answer. */
  readonly maxSize: number;
  /** The directories that a client may use, as it is told of them. */
  readonly allowed: readonly string[];
  /** The path a client means, checked against the fence and the directories that are allowed. */
  resolve(path: string, options?: Pick<ResolveOptions, "follow">): ConfinedPath;
  /** The names of the directories that paths lie in, as far as they lie in any. */
  rootsOf(paths: readonly string[]): readonly string[];
}
