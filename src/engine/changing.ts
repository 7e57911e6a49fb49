/** What every changing operation is given: the state that outlives a call, and the call's own limits. */
import { throwIfAborted } from "../base/errors.ts";
import { type Locks } from "./locks.ts";
import { type Recording } from "./recording.ts";
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
  /** Told before the first change of a call: what has begun is ended by a cancellation, but by no time limit. */
  readonly begin?: (() => void) | undefined;
  /** Told of what is about to be changed, so that it can be undone; left out where nothing is recorded. */
  readonly recording?: Recording | undefined;
  /** What is added to the end of a file, where that is all that is done to it. */
  readonly appends?: Uint8Array | undefined;
  /** Told how many entries are done so far, where somebody wants to know. */
  readonly onEntry?: ((done: number) => void) | undefined;
}

export function lockOptions(changing: Changing): { signal: AbortSignal | undefined; waitMs?: number } {
  return changing.lockWaitMs === undefined
    ? { signal: changing.signal }
    : { signal: changing.signal, waitMs: changing.lockWaitMs };
}

/** The last moment at which a call ends without a trace; from here on it happens. May be passed again and again. */
export function beginChange({ signal, begin }: Pick<Changing, "signal" | "begin">): void {
  throwIfAborted(signal);
  begin?.();
}
