/**
 * The kernel fence in terms all layers share: what it allows, what came of it, and the few system calls kept
 * from before it closed. Only Linux has one (Landlock).
 */

/** Everything a thread may do to files and ports from then on. Plain data. */
export interface KernelRules {
  /**
   * Directories and files that may be read and changed. Absolute and real: one that has since become a link
   * stays closed.
   */
  readonly write: readonly string[];
  /** Those that may only be read. */
  readonly read: readonly string[];
  /** What the runtime itself reads while the program runs. May lie behind links. */
  readonly program?: readonly string[] | undefined;
  /** The one TCP port that may be listened on. Connecting is never allowed. */
  readonly port?: number | undefined;
}

/** A fence to set up, or why there is none. */
export type KernelPlan = { readonly rules: KernelRules } | { readonly missing: string };

/** A fence in force, by the version of its interface, or why there is none. */
export type KernelFence = { readonly abi: number } | { readonly missing: string };

export function kernelFenceWords(fence: KernelFence): string {
  return "abi" in fence ? `kernel (Landlock ABI ${fence.abi})` : `no kernel fence: ${fence.missing}`;
}

/** From this version on the kernel fence suffices by itself: it covers signals and abstract sockets. */
export const ABI_ENOUGH_ALONE = 6;

/**
 * System calls that the runtime does not offer. They check no permissions: their arguments must be resolved
 * already, and only the kernel fence stands behind them.
 */
export interface KernelCalls {
  /** Where the kernel says an open file is now; undefined when it has no name or that cannot be read. */
  pathOf(descriptor: number): string | undefined;
  /**
   * Swaps two names atomically; watchers see first that `one` has become the other. False when that fails for
   * any reason; nothing has changed then.
   */
  exchange(one: string, other: string): boolean;
  /** Whether something is at a path with no link on the way; also false where that cannot be determined. */
  isReal(path: string): boolean;
  /** What is at a path, without following links. Undefined if that cannot be determined, or nothing is there. */
  stateOf(path: string): KernelState | undefined;
  /** Opens a file for reading, with no link on the way; never blocks. Undefined if that fails for any reason. */
  openFile(path: string): KernelPathFile | undefined;
  /** Opens a folder, but not a link to one. Undefined if that fails for any reason. */
  openFolder(path: string): KernelFolder | undefined;
  /** Returns the C library's free memory, of all threads, to the system. */
  trimHeap(): void;
  /** Makes a pipe larger, as far as the system allows; anything else stays as it is. */
  widenPipe(descriptor: number): void;
  /** How many bytes a pipe accepts at once without blocking its writer; undefined for anything but a pipe. */
  pipeRoom(descriptor: number): number | undefined;
  /**
   * Sends as many bytes to a socket as it takes without making its writer wait; undefined when it takes none, or is no
   * socket.
   */
  sendNow(descriptor: number, bytes: Uint8Array<ArrayBuffer>): number | undefined;
}

/** An open folder: calls apply to this folder, wherever its path leads by now. */
export interface KernelFolder extends Disposable {
  readonly descriptor: number;
  /** Its entries, unsorted. Undefined when they cannot be read. A name that is not UTF-8 contains U+FFFD. */
  entries(): Deno.DirEntry[] | undefined;
  /**
   * What a name stands for, without following links. Undefined when there is nothing, or it cannot be
   * examined.
   */
  look(name: string): Deno.FileInfo | undefined;
  /** The same with fewer facts, in less time. */
  state(name: string): KernelState | undefined;
  /**
   * Opens a file in it for reading, but not a link to one; never blocks. Undefined when that fails for any
   * reason.
   */
  open(name: string): KernelFile | undefined;
}

/** A file opened in a folder; not necessarily a regular one. */
export interface KernelFile extends Disposable {
  readonly descriptor: number;
  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. Undefined when it cannot be read. */
  readAt(buffer: Uint8Array<ArrayBuffer>, position: number): number | undefined;
  /** Undefined when it cannot be examined. */
  state(): KernelState | undefined;
}

/** A file that was opened by its own path. */
export interface KernelPathFile extends KernelFile {
  /** All that is known about it; undefined if it cannot be examined. */
  info(): Deno.FileInfo | undefined;
}

/** What distinguishes one state of a file from another. */
export interface KernelState {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  /** Both times as precise as the file system keeps them. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Where inode numbers are not exact. */
  readonly birthtime?: Date | undefined;
}
