/** What the methods about resources need of a surface: the roots whose files can be read, and the way to a file. */
import { type ConfinedPath } from "../engine/fence.ts";
import { type SearchPool } from "../engine/search/crew/pool.ts";
import { type ToolCall } from "../tools/tool.ts";

/** For one call. */
export interface ResourcePlaces {
  readonly call: ToolCall;
  /** Largest file, in bytes, that is read. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Who remembers folders that were listed before. */
  readonly pool?: SearchPool | undefined;
  /** Names of the roots whose files can be read, in the order in which they are listed. */
  names(): string[] | Promise<string[]>;
  /** The file a client means, checked against the fence and the allowlists; one that is not there is not refused. */
  resolve(root: string, path: string, options?: { follow?: boolean }): ConfinedPath | Promise<ConfinedPath>;
}
