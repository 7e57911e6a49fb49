/** What a tool of the roots surface is given beside its arguments. */
import { type HostFacts } from "../../base/config.ts";
import { type Changing } from "../../engine/changing.ts";
import { type ConfinedPath, type ResolveOptions } from "../../engine/fence.ts";
import { type ToolCall } from "../../tools/tool.ts";

export interface RootListing {
  name: string;
  allowed_tools: string[];
}

export interface RootsContext {
  readonly call: ToolCall;
  readonly maxFullReadSize: number;
  readonly maxSize: number;
  readonly host: HostFacts;
  readonly changing: Changing;
  roots(): RootListing[];
  /** The path a client means, checked against the fence and the allowlists. */
  resolve(root: string, path: string, options?: ResolveOptions): ConfinedPath;
  /** Refuses work on a whole folder when another root inside it does not allow the tool. */
  gateBelow(folder: ConfinedPath): void;
  /** Whether a search may look into a folder: one of another root inside needs that root's leave. */
  mayEnter(folder: ConfinedPath): boolean;
}
