/**
 * A folder whose files are read whole, one after the other: it is proven once, by the kernel's own word, and its files
 * are opened from there. Only where the thread has kept calls of the kernel's.
 */
import { type KernelFile, type KernelFolder } from "../base/kernel.ts";
import { openProven } from "./open_folder.ts";
import { type ConfinedPath } from "./resolve_path.ts";

/** Larger files are not worth the hurry. */
const MAX_BYTES = 256 * 1024;

export class ProvenFolder implements Disposable {
  readonly #open: KernelFolder;
  readonly #buffer = new Uint8Array(MAX_BYTES + 1);

  private constructor(open: KernelFolder) {
    this.#open = open;
  }

  /** Undefined where it cannot be had, whyever. */
  static open(path: ConfinedPath): ProvenFolder | undefined {
    const open = openProven(path);
    return open && new ProvenFolder(open);
  }

  /**
   * What is in a regular file, until the next one is read. Undefined when that cannot be told at once, whyever: the
   * file is large, a link, or cannot be read. Then it takes ConfinedFile.
   */
  read(name: string): Uint8Array<ArrayBuffer> | undefined {
    using file = name.includes("/") ? undefined : this.#open.open(name);
    const state = file?.state();
    return file && state?.kind === "file" ? this.#contentOf(file, state.size) : undefined;
  }

  /** Whoever writes meanwhile, no less is read than the file has held, unless it has become shorter. */
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
