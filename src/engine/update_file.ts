/**
 * The one way a file's content changes: lock, read, decide, write. Overwriting, appending, creating and every kind
 * of edit are a `change` passed to it; the lock is held from the read to the rename, so no update is lost,
 * whichever process it comes from.
 *
 * Editors and compilers do not lock. What they save between the read and the rename must not be lost either: the
 * file is checked once more right before the rename, and if it is not what the change was made from, everything
 * starts over. See also late_saves.ts.
 */
import { PaddockError } from "../base/errors.ts";
import { type ConfinedFile, lstat } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import { type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { atomicWrite, type Content, type WriteOptions } from "./atomic_write.ts";
import { beginChange, type Changing, lockOptions } from "./changing.ts";
import { ensureFolder } from "./folders.ts";
import { refuseFolderPath } from "./guarded.ts";
import { hasLateSave, takeLateSave } from "./late_saves.ts";
import type { FileRecording } from "./recording.ts";
import { insteadOf, isBeingSaved, openSettled } from "./open_settled.ts";

/** Decides the new content from the file as it is; undefined means that there is none yet. May be called twice. */
export type Change = (current: ConfinedFile | undefined) => Promise<Content> | Content;

export interface Updated {
  size: number;
  created: boolean;
}

const ATTEMPTS = 20;

export async function updateFile(path: ConfinedPath, change: Change, changing: Changing): Promise<Updated> {
  const options = lockOptions(changing);
  refuseFolderPath(path);
  if (lstat(parentOf(path)) === undefined) await change(undefined); // a change that is refused leaves no folders behind
  const recording = changing.recording?.file(path, changing.appends);
  let wasThere = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await ensureFolder(parentOf(path), changing);
    const result = await changing.locks.withFile(path, async ({ file }) => {
      wasThere = file !== undefined;
      if (wasThere) return await replaceFile(path, change, { ...changing, recording });
      return lstat(path) === undefined
        ? await createFile(path, change, { ...changing, recording })
        : undefined; // it appeared: lock it
    }, options);
    if (result !== undefined) return result;
  }
  throw new PaddockError(
    "CONFLICT",
    wasThere
      ? `${quote(path.given)} was saved by another program again and again; try again`
      : `${quote(path.given)} kept appearing and disappearing; try again`,
  );
}

interface Writing extends Omit<Changing, "recording"> {
  readonly recording: FileRecording | undefined;
}

/** Undefined if somebody else was first. */
async function createFile(
  path: ConfinedPath,
  change: Change,
  changing: Writing,
): Promise<Updated | undefined> {
  const content = await change(undefined);
  beginChange(changing);
  const mode = changing.newFileMode ?? (0o666 & ~changing.umask);
  const ownership = { mode, uid: null, gid: null };
  const { sweeper, recording } = changing;
  using written = await atomicWrite(path, content, { sweeper, ownership, recording });
  return written.done ? { size: written.size, created: true } : undefined;
}

/** Undefined if somebody has saved the file since it was read. */
async function replaceFile(
  path: ConfinedPath,
  change: Change,
  changing: Writing,
): Promise<Updated | undefined> {
  using current = await openSettled(path, changing.signal);
  let content: Content;
  try {
    content = await change(current);
  } catch (error) {
    if (!await isBeingSaved(current, changing.signal)) throw error;
    return undefined; // the error is about content that is gone
  }
  beginChange(changing);
  const { mode, owner } = current;
  const { sweeper, recording } = changing;
  const options: WriteOptions = {
    sweeper,
    ownership: { mode, ...owner },
    insteadOf: insteadOf(current),
    replaced: current,
    recording,
  };
  using written = await atomicWrite(path, content, options);
  if (!written.done) return undefined;
  if (!hasLateSave(current)) return { size: written.size, created: false };
  return await takeLateSave(current, { change, written, options });
}
