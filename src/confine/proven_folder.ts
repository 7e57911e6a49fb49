/**
 * A folder whose files are read as a whole, one after another: the kernel confirms it once, and its files are
 * opened from there. Only where the thread has kept system calls.
 */
import type { KernelFile, KernelFolder } from "../base/kernel.ts";
import { openProven } from "./open_folder.ts";
import type { ConfinedPath } from "./resolve_path.ts";

/** For larger files the shortcut is not worth it. */
const MAX_BYTES = 256 * 1024;

export class ProvenFolder implements Disposable {
  readonly #open: KernelFolder;
  readonly #buffer = new Uint8Array(MAX_BYTES + 1);

  private constructor(open: KernelFolder) {
    this.#open = open;
  }

  /** Undefined when that fails for any reason. */
  static open(path: ConfinedPath): ProvenFolder | undefined {
    const open = openProven(path);
    return open && new ProvenFolder(open);
  }

  /**
   * The content of a regular file, valid until the next one is read. Undefined when it cannot be read this
   * way for any reason: the file is large, a link, or unreadable. Then use ConfinedFile.
   */
  read(name: string): Uint8Array<ArrayBuffer> | undefined {
    using file = name.includes("/") ? undefined : this.#open.open(name);
    const state = file?.state();
    return file && state?.kind === "file" ? this.#contentOf(file, state.size) : undefined;
  }

  /**
   * Even if somebody writes in the meantime, at least what the file held is read, unless it became shorter.
   */
  #contentOf(file: KernelFile, size: number): Uint8Array<ArrayBuffer> | undefined {
    if (size > MAX_BYTES) return undefined;
    const buffer = this.#buffer;
    for (let length = 0; length < buffer.length;) {
      const read = file.readAt(length === 0 ? buffer : buffer.subarray(length), length);
      if (read === undefined) return undefined;
      length += read;
      if (read === 0 || (length === size && size > 0)) return buffer.subarray(0, length);
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#open[Symbol.dispose]();
  }
}
