/** What every changing operation is given: the state that outlives a call, and the call's own limits. */
import { type Locks } from "./locks.ts";
import { type TempSweeper } from "./temp_sweeper.ts";

export interface Changing {
  readonly locks: Locks;
  readonly sweeper: TempSweeper;
  /** What new files and folders obey. */
  readonly umask: number;
  /** The mode of a file that is new, when it is not the umask's to say. */
  readonly newFileMode?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether this call holds the lock of the root already. */
  readonly structureLocked?: boolean;
  /** How long a lock may be waited for; 30 s unless told. */
  readonly lockWaitMs?: number;
  /** Told how many entries are done so far, where somebody wants to know. */
  readonly onEntry?: ((done: number) => void) | undefined;
}

export function lockOptions(changing: Changing): { signal: AbortSignal | undefined; waitMs?: number } {
  return changing.lockWaitMs === undefined
    ? { signal: changing.signal }
    : { signal: changing.signal, waitMs: changing.lockWaitMs };
}
