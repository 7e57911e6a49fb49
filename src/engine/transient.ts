/**
 * One more try after a transient error of the file system: a busy file, a moment without file descriptors, a stale
 * handle of a network file system. Only for what changes nothing: nothing is repeated after a write may have
 * happened.
 */
import { PaddockError } from "../base/errors.ts";
import { osCode } from "../confine/os_errors.ts";
import { delay } from "./yield.ts";

const TRANSIENT = new Set(["EAGAIN", "EWOULDBLOCK", "EBUSY", "EMFILE", "ENFILE", "ESTALE", "EINTR"]);
const PAUSE_MS = 20;

/** `mayRepeat` is called after a failure: whether nothing can have been changed yet. */
export async function retryTransient<T>(
  action: () => Promise<T>,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!TRANSIENT.has(systemCode(error) ?? "") || !mayRepeat()) throw error;
    await delay(PAUSE_MS);
    return await action();
  }
}

/**
 * Repeats an action that changes nothing when it fails, for as long as another program has the file open: virus
 * scanners and indexers do for a moment, right after it was written. In some of these cases Windows reports the
 * same error as for a file that may not be changed at all.
 */
export async function whileInUse<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let attempt = 1, pause = 5;; attempt++, pause = Math.min(2 * pause, 100)) {
    try {
      return await action();
    } catch (error) {
      const isOver = attempt >= ATTEMPTS && Date.now() + pause > until;
      if (!IN_USE.has(systemCode(error) ?? "") || isOver) throw error;
    }
    await delay(pause, signal);
  }
}

/** The minimum, however slow the machine is. */
const ATTEMPTS = 6;
const WINDOWS = Deno.build.os === "windows";
const IN_USE = new Set(WINDOWS ? ["EBUSY", "EACCES", "EPERM"] : ["EBUSY"]);
/** On other systems it is mostly a mount point, and stays one. */
const PATIENCE_MS = WINDOWS ? 2_000 : 200;

/** The symbolic code of the operating system's error, be it the error itself or its cause. */
export function systemCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = at instanceof PaddockError ? undefined : osCode(at);
    if (code !== undefined && /^E[A-Z0-9]+$/.test(code)) return code;
  }
  return undefined;
}
