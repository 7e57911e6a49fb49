/** What every changing operation gets: the state that outlives a call, and the call's own limits. */
import { throwIfAborted } from "../base/errors.ts";
import type { Locks } from "./locks.ts";
import type { Recording } from "./recording.ts";
import type { TempSweeper } from "./temp_sweeper.ts";

export interface Changing {
  readonly locks: Locks;
  readonly sweeper: TempSweeper;
  /** Applied to new files and folders. */
  readonly umask: number;
  /** The mode of a new file, if not given by the umask. */
  readonly newFileMode?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether this call already holds the root's lock. */
  readonly structureLocked?: boolean;
  /** How long to wait for a lock; default: 30 s. */
  readonly lockWaitMs?: number;
  /**
   * Called before the first change of a call: after it a cancellation can still end the call, but no time limit
   * can.
   */
  readonly begin?: (() => void) | undefined;
  /** Gets what is about to be changed, so that it can be undone; undefined if nothing is recorded. */
  readonly recording?: Recording | undefined;
  /** What is appended to a file, if that is all that is done to it. */
  readonly appends?: Uint8Array | undefined;
  /** Called with the number of entries done so far. */
  readonly onEntry?: ((done: number) => void) | undefined;
}

export function lockOptions(changing: Changing): { signal: AbortSignal | undefined; waitMs?: number } {
  return changing.lockWaitMs === undefined
    ? { signal: changing.signal }
    : { signal: changing.signal, waitMs: changing.lockWaitMs };
}

/** The last moment at which a call can end without a trace; from here on it happens. May be called repeatedly. */
export function beginChange({ signal, begin }: Pick<Changing, "signal" | "begin">): void {
  throwIfAborted(signal);
  begin?.();
}
