/** The working tree in git's terms: what a file or link would be as an entry of a commit. */
import { existsSync } from "node:fs";
import { PaddockError } from "../../../base/errors.ts";
import { ConfinedFile, lstat, readFolderCounted, readLink } from "../../../confine/confined_fs.ts";
import { loadNodeFs } from "../../../confine/checks.ts";
import { osCode } from "../../../confine/os_errors.ts";
import { quote, SEPARATOR } from "../../../confine/path_rules.ts";
import { childOf, type ConfinedPath, type ConfinedRoot, resolvePath } from "../../../confine/resolve_path.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { Pace } from "../../yield.ts";
import { toBytes } from "../objects/byte_names.ts";
import type { IndexFile } from "../index/index_file.ts";
import { hashObject, MODE_EXECUTABLE, MODE_FILE, MODE_LINK } from "../objects/objects.ts";
import type { TreeEntry } from "../objects/tree.ts";

/** Larger files are not read into memory. */
export const MAX_FILE = 512 * 1024 * 1024;

/** Up to this size a file is compared in one go with what it probably holds. */
const MAX_COMPARED = 1024 * 1024;

export interface OnDisk {
  readonly info: Deno.FileInfo;
  readonly entry: TreeEntry;
  /** What was read to find out; if undefined, the blob is in the store already. */
  readonly bytes: Uint8Array | undefined;
}

export interface LookOptions {
  /** Whether to read the file even if the index says that it is unchanged. */
  readonly readAlways?: boolean;
  readonly info?: Deno.FileInfo | undefined;
}

export class Disk {
  readonly #root: ConfinedRoot;
  readonly #index: IndexFile;
  #top: ConfinedPath | undefined;
  /** Whether a file's mode says if it is executable: git's `core.fileMode`. */
  trustsModes = true;

  constructor(root: ConfinedRoot, index: IndexFile) {
    this.#root = root;
    this.#index = index;
  }

  /** A path of the working tree from a name in a commit or in the journal. */
  at(relative: string): ConfinedPath {
    const top = this.#top ??= resolvePath(this.#root, "");
    return relative === "" ? top : relative.split("/").reduce(childOf, top);
  }

  /** Whether something is there; meant for what rarely is. A dangling link counts as nothing. */
  has(relative: string): boolean {
    return existsSync(this.#root.path + SEPARATOR + relative);
  }

  /** A file's stat, for the index; undefined if there is none, or only through a link. */
  stat(relative: string): Deno.FileInfo | undefined {
    try {
      return lstat(this.at(relative));
    } catch (error) {
      if (error instanceof PaddockError) return undefined;
      throw error;
    }
  }

  /** A file's stat if it has exactly the content and mode of an entry; undefined if not. */
  async prove(relative: string, entry: TreeEntry): Promise<Deno.FileInfo | undefined> {
    const info = this.stat(relative);
    if (info === undefined || !info.isFile || !this.#isMode(info, entry.mode)) return undefined;
    return await holds(this.at(relative), info, entry.oid) ? info : undefined;
  }

  /** What is at the path, as an entry; undefined for nothing or a folder. `info` is from an earlier lstat. */
  async look(
    path: ConfinedPath,
    { readAlways = false, info = lstat(path) }: LookOptions = {},
  ): Promise<OnDisk | undefined> {
    if (info === undefined || info.isDirectory) return undefined;
    const known = readAlways ? undefined : this.#index.unchanged(toBytes(path.relative), info);
    if (known !== undefined && this.#isMode(info, known.mode)) {
      return { info, entry: known, bytes: undefined };
    }
    const likely = info.isFile ? this.#index.entryOf(toBytes(path.relative)) : undefined;
    if (likely !== undefined && this.#isMode(info, likely.mode) && await holds(path, info, likely.oid)) {
      return { info, entry: likely, bytes: undefined };
    }
    if (info.isSymlink) {
      const bytes = encodeUtf8(readLink(path));
      return { info, bytes, entry: { mode: MODE_LINK, oid: hashObject("blob", bytes) } };
    }
    if (!info.isFile) {
      throw new PaddockError(
        "UNSUPPORTED",
        `${quote(path.given)} is a device, pipe or socket, which git cannot record`,
      );
    }
    const bytes = await readWhole(path);
    const mode = likely !== undefined && this.#isMode(info, likely.mode) ? likely.mode : modeOf(info);
    return { info, bytes, entry: { mode, oid: hashObject("blob", bytes) } };
  }

  /** Whether a file or link can have that mode in a commit. Some systems do not say which files are executable. */
  #isMode(info: Deno.FileInfo, mode: number): boolean {
    if (info.isSymlink) return mode === MODE_LINK;
    if (info.mode !== null && this.trustsModes) return mode === modeOf(info);
    return mode === MODE_FILE || mode === MODE_EXECUTABLE;
  }

  /** Every file and link below a folder. A name that is not UTF-8 cannot be recorded, and is an error. */
  async *below(folder: ConfinedPath, signal?: AbortSignal): AsyncGenerator<ConfinedPath> {
    const pace = new Pace(signal);
    const { entries, unnamed } = readFolderCounted(folder);
    if (unnamed > 0) {
      throw new PaddockError(
        "UNSUPPORTED",
        `${unnamed} of the names in ${quote(folder.given)} are not valid UTF-8; rename or remove them first`,
      );
    }
    for (const { name, isDirectory } of entries) {
      await pace.step();
      const path = childOf(folder, name);
      if (isDirectory) yield* this.below(path, signal);
      else yield path;
    }
  }
}

export function modeOf({ mode }: Deno.FileInfo): number {
  return ((mode ?? 0) & 0o100) === 0 ? MODE_FILE : MODE_EXECUTABLE;
}

/**
 * Whether a file has exactly the content of a blob. This needs no proof that what was read is inside the root, or a
 * file: if it was not, an attacker only learns that it does not hold content that is known anyway.
 */
async function holds(path: ConfinedPath, { size }: Deno.FileInfo, oid: string): Promise<boolean> {
  if (size > MAX_COMPARED) return false;
  const fs = await loadNodeFs();
  let fd: number | undefined;
  try {
    fd = fs.openSync(path.absolute, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const bytes = new Uint8Array(size + 1);
    return fs.readSync(fd, bytes, 0, size + 1, 0) === size &&
      hashObject("blob", bytes.subarray(0, size)) === oid;
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return false;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

async function readWhole(path: ConfinedPath): Promise<Uint8Array> {
  using file = await ConfinedFile.open(path);
  if (file.size > MAX_FILE) {
    throw new PaddockError(
      "TOO_LARGE",
      `${quote(path.given)} has ${file.size} bytes; the history keeps files of at most ${MAX_FILE} bytes`,
    );
  }
  let bytes = new Uint8Array(file.size + 1); // one more, to notice growth
  let length = 0;
  for (;;) {
    const read = file.readAt(bytes.subarray(length), length);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length < bytes.length) continue;
    const larger = new Uint8Array(bytes.length * 2);
    larger.set(bytes);
    bytes = larger;
  }
}
