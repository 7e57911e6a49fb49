/**
 * Files of `.git` that are written again and again (the journal, the reflogs) and stay open between changes. A
 * file proven once to be where its path says needs no further proof: writes go to the open file.
 */
import { type Identity, isSameFile } from "../../../base/identity.ts";

interface Kept {
  readonly file: Deno.FsFile;
  readonly identity: Identity;
}

export class KeptFiles {
  readonly #files = new Map<string, Kept>();

  /** The open file, if it is still the one at that path. */
  at(path: string, now: Deno.FileInfo | undefined): Deno.FsFile | undefined {
    const kept = this.#files.get(path);
    if (kept === undefined) return undefined;
    if (now?.nlink === 1 && isSameFile(now, kept.identity)) return kept.file;
    this.forget(path);
    return undefined;
  }

  keep(path: string, kept: Kept): void {
    this.forget(path);
    this.#files.set(path, kept);
  }

  /** Closes it. */
  forget(path: string): void {
    this.#files.get(path)?.file.close();
    this.#files.delete(path);
  }

  has(file: Deno.FsFile): boolean {
    return this.#files.values().some((kept) => kept.file === file);
  }

  letGo(): void {
    for (const path of [...this.#files.keys()]) this.forget(path);
  }
}
