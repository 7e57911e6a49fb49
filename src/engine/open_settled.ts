/** Opening a file that is about to be changed, so that it can be told later whether somebody has saved it meanwhile. */
import { ConfinedFile } from "../confine/confined_fs.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { delay } from "./yield.ts";

/** Up to this, a file is known again by its content; above it, by its time stamp and size. */
const HELD_BYTES = 1024 * 1024;

/**
 * The clock that stamps files ticks every 1 to 10 ms, and the stamps that the runtime gives are in whole ms: two
 * changes closer together than this can have the same stamp.
 */
const TICK_MS = 20;

/** A large file that was changed just now is read a moment later, when the next change shows in its time stamp. */
export async function openSettled(
  path: ConfinedPath,
  signal: AbortSignal | undefined,
): Promise<ConfinedFile> {
  const file = await ConfinedFile.open(path, { holdUpTo: HELD_BYTES });
  try {
    while (!file.isHeld && wasJustChanged(file)) {
      await delay(TICK_MS, signal);
      file.lookAgain();
    }
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

/** Waits for the end of a save that may be under way: many programs empty a file before they write it. */
export async function settled(file: ConfinedFile, signal: AbortSignal | undefined): Promise<void> {
  if (wasJustChanged(file)) await delay(TICK_MS, signal);
}

function wasJustChanged({ mtimeMs }: ConfinedFile): boolean {
  return Math.abs(Date.now() - mtimeMs) < TICK_MS;
}
