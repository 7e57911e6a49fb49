/**
 * Opens a file that is about to be changed, so that it can be told later whether somebody has saved it meanwhile.
 */
import type { Identity } from "../base/identity.ts";
import { ConfinedFile, type Replaced } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { whileInUse } from "./transient.ts";
import { delay } from "./yield.ts";

/** Up to this size, a file is compared by its content; above it, by its time stamp and size. */
const HELD_BYTES = 1024 * 1024;

/**
 * The clock that stamps files ticks every 1 to 10 ms, and the runtime returns stamps in whole ms: two changes
 * closer together than this can have the same stamp.
 */
const TICK_MS = 20;
/** How often to wait for a file that is written to all the time, such as a log. */
const LOOKS = 5;

/** A large file that was changed just now is read a moment later, when the next change shows in its time stamp. */
export async function openSettled(
  path: ConfinedPath,
  signal: AbortSignal | undefined,
): Promise<ConfinedFile> {
  const file = await whileInUse(() => ConfinedFile.open(path, { holdUpTo: HELD_BYTES }), signal);
  try {
    for (let look = 0; look < LOOKS && !file.isHeld && wasJustChanged(file); look++) {
      await delay(TICK_MS, signal);
      file.lookAgain();
    }
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

/** Whether somebody has saved a file since it was opened; never, if its content was not read. */
export function isSaved(file: ConfinedFile): boolean {
  return file.wasRead && !(file.isUnchanged() && file.isInPlace());
}

/** Replaces this file only if nobody has saved it since; in any case, if its content was not read. */
export function insteadOf(file: ConfinedFile): Replaced {
  return {
    isStill: () => !isSaved(file),
    letGo: () => file.letGo(),
    ...(file.wasRead && { isIt: (found: Identity) => file.is(found) }),
  };
}

/** The same, after a save that may be in progress: many programs empty a file before they write it. */
export async function isBeingSaved(file: ConfinedFile, signal: AbortSignal | undefined): Promise<boolean> {
  if (file.wasRead && wasJustChanged(file)) await delay(TICK_MS, signal);
  return isSaved(file);
}

/** Makes something of a file. If that fails and the file was saved meanwhile, tries again. */
export async function fromSettled<T>(
  path: ConfinedPath,
  make: (file: ConfinedFile) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1;; attempt++) {
    using file = await openSettled(path, signal);
    try {
      return await make(file);
    } catch (error) {
      if (attempt === ATTEMPTS || !await isBeingSaved(file, signal)) throw error;
    }
  }
}

const ATTEMPTS = 20;

function wasJustChanged({ mtimeMs }: ConfinedFile): boolean {
  return Math.abs(Date.now() - mtimeMs) < TICK_MS;
}
