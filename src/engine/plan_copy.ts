/**
 * Plans a copy, for callers that write the copies in another way: each file with its content, and empty folders.
 */
import { PaddockError } from "../base/errors.ts";
import { ConfinedFile, lstat } from "../confine/confined_fs.ts";
import { isGitFolder } from "../confine/git_folders.ts";
import { contains, quote } from "../confine/path_rules.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { sizeAndLimit } from "../text/human_size.ts";
import { walkCopy } from "./copy_tree.ts";
import { readAll } from "./read.ts";
import { Pace } from "./yield.ts";

export interface CopiedFile {
  readonly path: ConfinedPath;
  readonly bytes: Uint8Array;
  readonly permissions: number;
}

export interface PlannedCopy {
  readonly files: readonly CopiedFile[];
  /** Those that nothing is copied into. */
  readonly folders: readonly ConfinedPath[];
  /** How many entries are left out: links that lead outside, devices, git's own folders. */
  readonly skipped: number;
}

/** All contents are in memory at once. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_FILES = 50_000;

/** `to` must be free. */
export async function planCopy(
  from: ConfinedPath,
  to: ConfinedPath,
  signal: AbortSignal | undefined,
): Promise<PlannedCopy> {
  const info = lstat(from);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `source not found: ${quote(from.given)}`);
  if (lstat(to) !== undefined) {
    throw new PaddockError("ALREADY_EXISTS", `destination exists: ${quote(to.given)}; choose another name`);
  }
  const copying = new Copying(signal);
  if (!info.isDirectory) return await copying.of({ from, to });
  if (contains(from.absolute, to.absolute)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot copy ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
  if (isGitFolder(from.absolute)) {
    throw new PaddockError("NOT_ALLOWED", `${quote(from.given)} is a git repository's own folder`);
  }
  return await copying.below(from, to);
}

interface Way {
  readonly from: ConfinedPath;
  readonly to: ConfinedPath;
}

class Copying {
  readonly #signal: AbortSignal | undefined;
  readonly #files: CopiedFile[] = [];
  #bytes = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  async of(way: Way): Promise<PlannedCopy> {
    await this.#file(way);
    return { files: this.#files, folders: [], skipped: 0 };
  }

  async below(from: ConfinedPath, to: ConfinedPath): Promise<PlannedCopy> {
    const folders: ConfinedPath[] = [];
    let [entries, skipped] = [0, 0];
    await walkCopy(from, to, {
      pace: new Pace(this.#signal),
      hand: {
        folder: (pair) => {
          const before = entries++;
          return Promise.resolve(() => {
            if (entries === before + 1) folders.push(pair.to);
            return Promise.resolve();
          });
        },
        file: async (pair) => {
          entries++;
          await this.#file(pair);
        },
        leftOut: (_path, count) => {
          skipped += count;
        },
      },
    });
    return { files: this.#files, folders, skipped };
  }

  async #file({ from, to }: Way): Promise<void> {
    using file = await ConfinedFile.open(from);
    this.#bytes += file.size;
    if (this.#bytes > MOST_BYTES || this.#files.length >= MOST_FILES) {
      throw new PaddockError(
        "TOO_LARGE",
        `too much to copy as one commit (${
          sizeAndLimit(this.#bytes, MOST_BYTES)
        }, at most ${MOST_FILES} files); ` +
          "copy parts of it",
      );
    }
    const permissions = (lstat(from)?.mode ?? 0o644) & 0o777;
    this.#files.push({ path: to, bytes: await readAll(file, this.#signal), permissions });
  }
}
