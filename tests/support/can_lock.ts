import { patient } from "./patience.ts";

/**
 * Whether nobody holds the lock of a file any more: at the first try or, with more patience, at one soon after. A
 * program that another test starts from the same process holds all its locks too, between fork and exec, which takes
 * long where both are emulated.
 */
export async function canLock(file: Deno.FsFile): Promise<boolean> {
  for (let tries = patient(1);; tries--) {
    if (file.tryLockSync(true)) return true;
    if (tries <= 1) return false;
    await new Promise((end) => setTimeout(end, 100));
  }
}
