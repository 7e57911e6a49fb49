/**
 * One more try after an error of the file system that goes away by itself: a busy file, a moment without file
 * descriptors, a stale handle of a network file system. Only for what changes nothing: after a write may have
 * happened, nothing is tried again.
 */
import { osCode } from "../confine/os_errors.ts";
import { delay } from "./yield.ts";

const TRANSIENT = new Set(["EAGAIN", "EWOULDBLOCK", "EBUSY", "EMFILE", "ENFILE", "ESTALE", "EINTR"]);
const PAUSE_MS = 20;

export async function retryTransient<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isTransient(error)) throw error;
    await delay(PAUSE_MS);
    return await action();
  }
}

/** Whether an error, or what caused it, is one of those. */
export function isTransient(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = osCode(at);
    if (code !== undefined && TRANSIENT.has(code)) return true;
  }
  return false;
}
