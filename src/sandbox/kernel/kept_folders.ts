/**
 * Open folders and the files in them, through the kept calls. Searches do this for thousands of files, and
 * the kernel's own work takes two microseconds: so buffers are reused and nothing is allocated without need.
 */
import type { KernelCalls, KernelFolder, KernelPathFile, KernelState } from "../../base/kernel.ts";
import { parseEntries } from "./dirents.ts";
import { cString } from "./libc.ts";
import { BASIC_STATS, parseState, parseStatx, STATE_STATS, STATX_BYTES } from "./statx.ts";

export const FOLDER_CALLS = {
  openat: { parameters: ["i32", "buffer", "i32"], result: "i32" },
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "i32" }, // never reads more than a buffer
  close: { parameters: ["i32"], result: "i32" },
  getdents64: { parameters: ["i32", "buffer", "usize"], result: "isize", optional: true },
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32", optional: true },
  syscall: { parameters: ["i64", "i32", "buffer", "buffer", "usize"], result: "i32" }, // only for openat2
} as const;

type Symbols = Deno.DynamicLibrary<typeof FOLDER_CALLS>["symbols"];

const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;

const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;
/** These two differ between processor architectures. */
const [O_DIRECTORY, O_NOFOLLOW] = Deno.build.arch === "aarch64" ? [0o40000, 0o100000] : [0o200000, 0o400000];
const FILE_FLAGS = O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW;
const FOLDER_FLAGS = FILE_FLAGS | O_DIRECTORY;

/** The C library has no function for it; the number is the same on every kind of processor. */
const OPENAT2 = 437n;
const RESOLVE_NO_SYMLINKS = 0x04n;

/** `struct open_how`: opens nothing through a link, anywhere on the way. */
function openHow(flags: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigUint64Array([BigInt(flags), 0n, RESOLVE_NO_SYMLINKS]).buffer);
}

const HOW_BYTES = 24n;
const HOW_TO_READ = openHow(FILE_FLAGS);
/** Opened only to identify its place. */
const HOW_TO_LOOK = openHow(O_PATH | O_CLOEXEC);

/** Instead of a folder: the path is absolute. */
export const NO_FOLDER = -100;
/** On Linux a path has at most 4,095 bytes, a name 255. */
export const PATH_BYTES = 4_096;
const LISTING_BYTES = 64 * 1024;

/** Writes a name of plain ASCII in C's form, faster than the encoder; false for any other name. */
function putAscii(name: string, bytes: Uint8Array): boolean {
  if (name.length >= bytes.length) return false;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 0 || code >= 0x80) return false;
    bytes[i] = code;
  }
  bytes[name.length] = 0;
  return true;
}

/** The kept calls that open or examine something. */
export function keptFolders(
  symbols: Symbols,
): Pick<KernelCalls, "openFolder" | "openFile" | "stateOf" | "isReal"> {
  const { openat, pread, close, getdents64, statx, syscall } = symbols;
  const encoder = new TextEncoder();
  const listing = new Uint8Array(LISTING_BYTES);
  const status = new Uint8Array(STATX_BYTES);
  const view = new DataView(status.buffer);
  const nothing = cString("");
  const named = new Uint8Array(PATH_BYTES);
  /** Of the buffer that was last read into: usually the same one. */
  let length = 0;
  let largeLength = 0n;

  /** Undefined if it cannot be a name. Returns the same buffer every time. */
  function bytesOf(name: string): Uint8Array<ArrayBuffer> | undefined {
    if (putAscii(name, named)) return named;
    const { read, written } = encoder.encodeInto(name, named);
    if (read < name.length || written === PATH_BYTES || name.includes("\0")) return undefined;
    named[written] = 0;
    return named;
  }

  function entries(descriptor: number): Deno.DirEntry[] | undefined {
    const all: Deno.DirEntry[] = [];
    for (;;) {
      const length = Number(getdents64?.(descriptor, listing, BigInt(LISTING_BYTES)) ?? -1);
      if (length < 0) return undefined;
      if (length === 0) return all;
      const complete = parseEntries(listing.subarray(0, length), all);
      if (!complete) return undefined; // a file system that does not report entry types
    }
  }

  function look(descriptor: number, name: string): Deno.FileInfo | undefined {
    const bytes = bytesOf(name);
    if (bytes === undefined) return undefined;
    const failed = statx?.(descriptor, bytes, AT_SYMLINK_NOFOLLOW, BASIC_STATS, status) !== 0;
    return failed ? undefined : parseStatx(status);
  }

  function stateOf(descriptor: number, name: string): KernelState | undefined {
    const bytes = bytesOf(name);
    if (bytes === undefined) return undefined;
    const failed = statx?.(descriptor, bytes, AT_SYMLINK_NOFOLLOW, STATE_STATS, status) !== 0;
    return failed ? undefined : parseState(view);
  }

  class File implements KernelPathFile {
    readonly descriptor: number;

    constructor(descriptor: number) {
      this.descriptor = descriptor;
    }

    readAt(buffer: Uint8Array<ArrayBuffer>, position: number): number | undefined {
      if (buffer.length !== length) largeLength = BigInt(length = buffer.length);
      const read = pread(this.descriptor, buffer, largeLength, position === 0 ? 0n : BigInt(position));
      return read < 0 ? undefined : read;
    }

    state(): KernelState | undefined {
      const failed = statx?.(this.descriptor, nothing, AT_EMPTY_PATH, STATE_STATS, status) !== 0;
      return failed ? undefined : parseState(view);
    }

    info(): Deno.FileInfo | undefined {
      const failed = statx?.(this.descriptor, nothing, AT_EMPTY_PATH, BASIC_STATS, status) !== 0;
      return failed ? undefined : parseStatx(status);
    }

    [Symbol.dispose](): void {
      close(this.descriptor);
    }
  }

  function openIn(folder: number, name: string): File | undefined {
    const bytes = bytesOf(name);
    const descriptor = bytes === undefined ? -1 : openat(folder, bytes, FILE_FLAGS);
    return descriptor < 0 ? undefined : new File(descriptor);
  }

  /** Negative if that fails, or a link is on the way. */
  function openReal(path: string, how: Uint8Array<ArrayBuffer>): number {
    const bytes = bytesOf(path);
    return bytes === undefined ? -1 : syscall(OPENAT2, NO_FOLDER, bytes, how, HOW_BYTES);
  }

  function openFile(path: string): File | undefined {
    const descriptor = statx === null ? -1 : openReal(path, HOW_TO_READ);
    return descriptor < 0 ? undefined : new File(descriptor);
  }

  function isReal(path: string): boolean {
    const descriptor = openReal(path, HOW_TO_LOOK);
    if (descriptor >= 0) close(descriptor);
    return descriptor >= 0;
  }

  function openFolder(path: string): KernelFolder | undefined {
    if (getdents64 === null || statx === null) return undefined; // an old C library
    const descriptor = openat(NO_FOLDER, cString(path), FOLDER_FLAGS);
    if (descriptor < 0) return undefined;
    return {
      descriptor,
      entries: () => entries(descriptor),
      look: (name) => look(descriptor, name),
      state: (name) => stateOf(descriptor, name),
      open: (name) => openIn(descriptor, name),
      [Symbol.dispose]: () => void close(descriptor),
    };
  }

  return {
    openFolder,
    openFile,
    isReal,
    stateOf: (path) => stateOf(NO_FOLDER, path),
  };
}
