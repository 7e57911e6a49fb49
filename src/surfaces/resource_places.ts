/** What the resource methods need of a surface: the roots whose files can be read, and access to a file. */
import type { ConfinedPath } from "../engine/fence.ts";
import type { SearchPool } from "../engine/search/crew/pool.ts";
import type { ToolCall } from "../tools/tool.ts";

/** For one call. */
export interface ResourcePlaces {
  readonly call: ToolCall;
  /** The largest file, in bytes, that may be read. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Remembers folders that were listed before. */
  readonly pool?: SearchPool | undefined;
  /** Names of the roots whose files can be read, in listing order. */
  names(): string[] | Promise<string[]>;
  /** Resolves a client's path and checks it against the fence and the allowlists; a missing file is not refused. */
  resolve(root: string, path: string, options?: { follow?: boolean }): ConfinedPath | Promise<ConfinedPath>;
}
