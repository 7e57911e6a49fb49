/**
 * Late saves: a program that had a file open when it was replaced writes into the old file, which no longer has a
 * name. The files that a change has replaced stay open to its end, and are checked then; what was saved into one of
 * them replaces what the change wrote, as if it had been saved right after. The commit holds what the change wrote,
 * and git shows the file as modified.
 */
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { delay } from "../../yield.ts";
import { holdsStill, type SeenContent } from "./seen.ts";

export interface ReplacedFile {
  readonly path: ConfinedPath;
  /** Open. */
  readonly file: Deno.FsFile;
  /** What it held when it was recorded. */
  readonly content: SeenContent;
  /** What replaced it. */
  readonly written: Deno.FileInfo;
}

export interface LateSave extends Pick<ReplacedFile, "path" | "written"> {
  readonly bytes: Uint8Array;
}

/** How many are kept open. */
const MOST = 32;
/** A save is over when nothing arrives for this long; how often to wait for that. */
const QUIET_MS = 5;
const LOOKS = 40;
/** A larger file is not read into memory. */
const LARGEST = 64 * 1024 * 1024;

export class LateSaves {
  #files: ReplacedFile[] = [];

  /** False if there are too many already; then this one is not watched. */
  add(replaced: ReplacedFile): boolean {
    if (this.#files.length >= MOST) return false;
    this.#files.push(replaced);
    return true;
  }

  /** What was saved late, each when its save has ended. */
  async *found(): AsyncGenerator<LateSave> {
    for (const { path, file, content, written } of this.#files) {
      if (holdsStill(file, content)) continue;
      const bytes = await saved(file);
      if (bytes !== undefined) yield { path, written, bytes };
    }
  }

  /** Closes them. False if there were none. */
  letGo(): boolean {
    const files = this.#files;
    this.#files = [];
    for (const { file } of files) file.close();
    return files.length > 0;
  }
}

async function saved(file: Deno.FsFile): Promise<Uint8Array | undefined> {
  let stamp = "";
  for (let look = 0; look < LOOKS; look++) {
    const { size, mtime } = file.statSync();
    const now = `${size} ${mtime?.getTime()}`;
    if (now === stamp) break;
    stamp = now;
    await delay(QUIET_MS);
  }
  const { size } = file.statSync();
  if (size > LARGEST) return undefined;
  const bytes = new Uint8Array(size);
  file.seekSync(0, Deno.SeekMode.Start);
  for (let length = 0; length < size;) {
    const read = file.readSync(bytes.subarray(length));
    if (read === null) return bytes.subarray(0, length);
    length += read;
  }
  return bytes;
}
