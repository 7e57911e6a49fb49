/**
 * The kernel's fence, in words that all layers share: what it is to allow, what came of it, and the few calls of the
 * system that are kept from before the door was shut. Only Linux has one (Landlock).
 */

/** What a thread may do to files and ports from now on, and nothing else. Plain data. */
export interface KernelRules {
  /** Directories and files that may be read and changed. Absolute and real: one that is a link by now stays closed. */
  readonly write: readonly string[];
  /** Those that may be read. */
  readonly read: readonly string[];
  /** What the runtime itself reads while the program runs. May lie behind links. */
  readonly program?: readonly string[] | undefined;
  /** The TCP port that may be listened on. None may be connected to. */
  readonly port?: number | undefined;
}

/** A fence to be put up, or why there is none to be. */
export type KernelPlan = { readonly rules: KernelRules } | { readonly missing: string };

/** A fence that stands, by the version of its interface, or why none does. */
export type KernelFence = { readonly abi: number } | { readonly missing: string };

/** For the log, and for who asks. */
export function kernelFenceWords(fence: KernelFence): string {
  return "abi" in fence ? `kernel (Landlock ABI ${fence.abi})` : `no kernel fence: ${fence.missing}`;
}

/** From this version on the kernel's fence is enough by itself: signals and nameless sockets are in it. */
export const ABI_ENOUGH_ALONE = 6;

/**
 * Calls of the system that the runtime does not offer. They know no permissions: what they are given must have been
 * resolved, and only the kernel's fence stands behind them.
 */
export interface KernelCalls {
  /** Where an open file lies now, by the kernel's own books; undefined when it has no name, or they cannot be read. */
  pathOf(descriptor: number): string | undefined;
  /** Lets two names change places, both at once; watchers are told first that `one` has become the other. False when that cannot be, whyever; nothing has changed then. */
  exchange(one: string, other: string): boolean;
  /** Opens a folder, but no link to one. Undefined when that cannot be, whyever. */
  openFolder(path: string): KernelFolder | undefined;
  /** How many bytes a pipe takes at once without making its writer wait; undefined for what is no pipe. */
  pipeRoom(descriptor: number): number | undefined;
}

/** An open folder: what is asked of it is asked of this one, wherever its path leads by now. */
export interface KernelFolder extends Disposable {
  readonly descriptor: number;
  /** What is in it, unsorted. Undefined when it cannot be read. A name that is not UTF-8 has U+FFFD in it. */
  entries(): Deno.DirEntry[] | undefined;
  /** What lies under a name, not followed. Undefined when it cannot be told, or nothing does. */
  look(name: string): Deno.FileInfo | undefined;
  /** The same, with less told of it, in less time. */
  state(name: string): KernelState | undefined;
  /** Opens a file of it for reading, but no link to one; waits for nobody. Undefined when that cannot be, whyever. */
  open(name: string): KernelFile | undefined;
}

/** A file that was opened in a folder; maybe no regular one. */
export interface KernelFile extends Disposable {
  readonly descriptor: number;
  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. Undefined when it cannot be read. */
  readAt(buffer: Uint8Array<ArrayBuffer>, position: number): number | undefined;
  /** Undefined when it cannot be told. */
  state(): KernelState | undefined;
}

/** What tells one state of a file from another. */
export interface KernelState {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  /** Both as exact as the file system keeps them. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Where numbers of inodes are not exact. */
  readonly birthtime?: Date | undefined;
}
