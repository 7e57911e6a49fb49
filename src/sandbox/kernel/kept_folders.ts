/**
 * Open folders and the files in them, through the kept calls. Searches do this for thousands of files, and
 * the kernel's own work takes two microseconds: so buffers are reused and nothing is allocated without need.
 */
import { type KernelFile, type KernelFolder, type KernelState } from "../../base/kernel.ts";
import { parseEntries } from "./dirents.ts";
import { cString } from "./libc.ts";
import { BASIC_STATS, parseState, parseStatx, STATE_STATS, STATX_BYTES } from "./statx.ts";

export const FOLDER_CALLS = {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  openat: { parameters: ["i32", "buffer", "i32"], result: "i32" },
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "i32" }, // never reads more than a buffer
  close: { parameters: ["i32"], result: "i32" },
  getdents64: { parameters: ["i32", "buffer", "usize"], result: "isize", optional: true },
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32", optional: true },
} as const;

type Symbols = Deno.DynamicLibrary<typeof FOLDER_CALLS>["symbols"];

const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;

const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
/** These two differ between processor architectures. */
const [O_DIRECTORY, O_NOFOLLOW] = Deno.build.arch === "aarch64" ? [0o40000, 0o100000] : [0o200000, 0o400000];
const FILE_FLAGS = O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW;
const FOLDER_FLAGS = FILE_FLAGS | O_DIRECTORY;

/** A name on Linux has at most 255 bytes. */
const NAME_BYTES = 256;
const LISTING_BYTES = 64 * 1024;

/** Writes a name of plain ASCII as C takes it, in less time than the encoder; false for any other name. */
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

/** Opens a folder, but not a link to one. Undefined when that fails for any reason. */
export function keptFolders(symbols: Symbols): (path: string) => KernelFolder | undefined {
  const { open, openat, pread, close, getdents64, statx } = symbols;
  const encoder = new TextEncoder();
  const listing = new Uint8Array(LISTING_BYTES);
  const status = new Uint8Array(STATX_BYTES);
  const view = new DataView(status.buffer);
  const nothing = cString("");
  const named = new Uint8Array(NAME_BYTES);
  /** Of the buffer that was read into last: mostly the same one. */
  let length = 0;
  let largeLength = 0n;

  /** Undefined if it cannot be a name. Returns the same buffer every time. */
  function bytesOf(name: string): Uint8Array<ArrayBuffer> | undefined {
    if (putAscii(name, named)) return named;
    const { read, written } = encoder.encodeInto(name, named);
    if (read < name.length || written === NAME_BYTES || name.includes("\0")) return undefined;
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

  class File implements KernelFile {
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

    [Symbol.dispose](): void {
      close(this.descriptor);
    }
  }

  function openIn(folder: number, name: string): File | undefined {
    const bytes = bytesOf(name);
    const descriptor = bytes === undefined ? -1 : openat(folder, bytes, FILE_FLAGS);
    return descriptor < 0 ? undefined : new File(descriptor);
  }

  return (path) => {
    if (getdents64 === null || statx === null) return undefined; // an old C library
    const descriptor = open(cString(path), FOLDER_FLAGS);
    if (descriptor < 0) return undefined;
    return {
      descriptor,
      entries: () => entries(descriptor),
      look: (name) => look(descriptor, name),
      state: (name) => stateOf(descriptor, name),
      open: (name) => openIn(descriptor, name),
      [Symbol.dispose]: () => void close(descriptor),
    };
  };
}
