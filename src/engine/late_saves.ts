/**
 * Late saves. A program that had the file open when it was replaced, or opened it just before, writes into the old
 * file, which no longer has a name. So the old file is checked again after the rename: if it was written to, the
 * change is made again, from what was saved, and replaces the first.
 */
import type { ConfinedFile } from "../confine/confined_fs.ts";
import { atomicWrite, type Content, type WriteOptions, type Written } from "./atomic_write.ts";
import { contentOf } from "./content_of.ts";
import type { Change, Updated } from "./update_file.ts";
import { delay } from "./yield.ts";

/** A save takes a moment: it is over when nothing arrives for this long; how often to wait for that. */
const QUIET_MS = 5;
const LOOKS = 40;
/** A program that keeps the file open and goes on writing, as to a log, is not followed for ever. */
const ROUNDS = 3;

/** Whether a file was written to after it was read and replaced. */
export function hasLateSave(replaced: ConfinedFile): boolean {
  return replaced.wasRead && !replaced.isUnchanged();
}

export interface LateSave {
  readonly change: Change;
  /** What replaced the file, and how. */
  readonly written: Written;
  readonly options: WriteOptions;
}

/**
 * Undefined if somebody has put another file in its place since. If the change does not apply to what was saved,
 * that is restored as it is, and the error reported.
 */
export async function takeLateSave(replaced: ConfinedFile, late: LateSave): Promise<Updated | undefined> {
  let { written } = late;
  const made: Written[] = [];
  try {
    for (let round = 0;; round++) {
      await saved(replaced);
      const { content, failure } = await changed(replaced, late.change);
      const last = written;
      const again = await atomicWrite(replaced.path, content, {
        ...late.options,
        insteadOf: { isStill: () => last.isInPlace(), isIt: (found) => last.is(found) },
      });
      made.push(again);
      if (!again.done) return undefined;
      if (hasLateSave(replaced) && round < ROUNDS) written = again;
      else if (failure === undefined) return { size: again.size, created: false };
      else throw failure.error;
    }
  } finally {
    for (const each of made) each[Symbol.dispose]();
  }
}

/** Waits until nothing more is written to the file, and takes its state then. */
async function saved(replaced: ConfinedFile): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    replaced.lookAgain();
    await delay(QUIET_MS);
    if (replaced.isUnchanged()) return;
  }
}

async function changed(
  replaced: ConfinedFile,
  change: Change,
): Promise<{ content: Content; failure?: { error: unknown } }> {
  try {
    return { content: await change(replaced) };
  } catch (error) {
    return { content: contentOf(replaced, undefined), failure: { error } };
  }
}
