/**
 * The one way a file's content changes: lock, look, decide, write. Overwriting, appending, creating and every
 * kind of edit are a `change` given to it; the lock is held from the look to the rename, so no update is lost,
 * whichever process it comes from.
 */
import { PaddockError, throwIfAborted } from "../base/errors.ts";
import { ConfinedFile, lstat } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import { type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { atomicWrite, type Content } from "./atomic_write.ts";
import { type Changing, lockOptions } from "./changing.ts";
import { ensureFolder } from "./folders.ts";

/** Decides the new content from the file as it is; undefined means that there is none yet. May be asked twice. */
export type Change = (current: ConfinedFile | undefined) => Promise<Content> | Content;

export interface Updated {
  size: number;
  created: boolean;
}

const ATTEMPTS = 20;

export async function updateFile(path: ConfinedPath, change: Change, changing: Changing): Promise<Updated> {
  const options = lockOptions(changing);
  if (path.relative === "") {
    throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
  }
  if (lstat(parentOf(path)) === undefined) await change(undefined); // what is refused leaves no folders behind
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await ensureFolder(parentOf(path), changing);
    const result = await changing.locks.withFile(path, async ({ file }) => {
      if (file === undefined && lstat(path) !== undefined) return undefined; // appeared meanwhile: lock it
      using current = file === undefined ? undefined : await ConfinedFile.open(path);
      const content = await change(current);
      throwIfAborted(changing.signal); // the last moment; from here on it happens
      const replaced = current === undefined ? undefined : lstat(path);
      const written = await atomicWrite(path, content, {
        createOnly: current === undefined,
        sweeper: changing.sweeper,
        ownership: {
          mode: current?.mode ?? changing.newFileMode ?? (0o666 & ~changing.umask),
          uid: replaced?.uid ?? null,
          gid: replaced?.gid ?? null,
        },
      });
      return written.done ? { size: written.size, created: current === undefined } : undefined;
    }, options);
    if (result !== undefined) return result;
  }
  throw new PaddockError("CONFLICT", `${quote(path.given)} kept appearing and disappearing; try again`);
}
