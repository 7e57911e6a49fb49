/** New contents of files, written where nobody sees them yet: with the owner and mode that the file will have. */
import { PaddockError } from "../../../base/errors.ts";
import { createFile, discardTemp, isCurrent, setOwnership } from "../../../confine/confined_fs.ts";
import { fromOsError } from "../../../confine/os_errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import { BRIEF } from "../../../confine/proof.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import type { Write } from "./work.ts";

/** New content, ready to be renamed into place. */
export interface Temp {
  readonly path: ConfinedPath;
  readonly file: Deno.FsFile;
  readonly info: Deno.FileInfo;
  /** The size of the file it replaces, if there is one. */
  readonly replacedSize: number | undefined;
  /** The folders that were created for it, from the top down. */
  readonly made: readonly ConfinedPath[];
}

interface Filling {
  readonly content: Uint8Array;
  /** The file whose owner it gets. */
  readonly replaced: Deno.FileInfo | undefined;
}

export class NewContents {
  /** The owner of files created by this process, once it has created one. */
  #own: Pick<Deno.FileInfo, "uid" | "gid"> | undefined;

  /**
   * Nobody may read it who may not read the file in the end: it is private until it has its owner, unless the owner
   * is the one who creates it. It is locked, so that no other process sweeps it away, and proven to be in its
   * folder before anything is written to it.
   */
  async fill(
    path: ConfinedPath,
    { permissions, path: given }: Pick<Write, "permissions" | "path">,
    { content, replaced }: Filling,
  ): Promise<Omit<Temp, "made">> {
    const { uid, gid } = replaced?.isFile ? replaced : this.#own ?? { uid: null, gid: null };
    const isOwn = this.#own !== undefined && uid === this.#own.uid && gid === this.#own.gid;
    const file = createLocked(path, isOwn ? { mode: permissions & 0o777 } : {});
    try {
      for (let at = 0; at < content.length;) at += file.writeSync(content.subarray(at));
      const info = file.statSync();
      this.#own ??= { uid: info.uid, gid: info.gid };
      const isRight = info.mode !== null && (info.mode & 0o7777) === permissions && info.uid === uid &&
        info.gid === gid;
      const replacedSize = replaced?.size;
      if (isRight) return { path, file, info, replacedSize };
      if (!await setOwnership(path, { file, mode: permissions, uid, gid })) throw swapped(path);
      return { path, file, info: file.statSync(), replacedSize };
    } catch (error) {
      discard({ path, file });
      throw fromOsError(error, { given });
    }
  }
}

/** Another process may sweep it away before it is locked: then it is created again. */
function createLocked(path: ConfinedPath, options: { mode?: number }): Deno.FsFile {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const file = createFile(path, options);
    let isOurs = false;
    try {
      isOurs = file.tryLockSync(true) && isCurrent(file, path, { rounds: BRIEF });
      if (isOurs) return file;
    } finally {
      if (!isOurs) discard({ path, file });
    }
  }
  throw swapped(path);
}

const ATTEMPTS = 20;

export function discard({ path, file }: Pick<Temp, "path" | "file">): void {
  discardTemp(path, file);
  file.close();
}

export function swapped(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "CONFLICT",
    `the folder of ${quote(path.given)} changed during the write; try again`,
  );
}
