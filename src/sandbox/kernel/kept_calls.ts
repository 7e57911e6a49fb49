/**
 * Loading a library takes a permission (`ffi`) that the Worker gives back as soon as the fence stands. Functions that
 * were loaded before go on working; these few are kept. Why one of them failed cannot be asked any more, so whoever
 * calls it has another way, which says.
 */
import { type KernelCalls, type KernelFolder } from "../../base/kernel.ts";
import { parseEntries } from "./dirents.ts";
import { cString, LIBC } from "./libc.ts";
import { BASIC_STATS, parseStatx, STATX_BYTES } from "./statx.ts";

const KEPT = {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32", optional: true },
  getdents64: { parameters: ["i32", "buffer", "usize"], result: "isize", optional: true },
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32", optional: true },
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
} as const;

/** As long as a path can be. */
const PATH_MAX = 4096;
/** In place of a folder: the paths are absolute. */
const NO_FOLDER = -100;
const RENAME_EXCHANGE = 2;
const AT_SYMLINK_NOFOLLOW = 0x100;

const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
/** These two differ from one kind of processor to the other. */
const [O_DIRECTORY, O_NOFOLLOW] = Deno.build.arch === "aarch64" ? [0o40000, 0o100000] : [0o200000, 0o400000];
const FOLDER_FLAGS = O_NONBLOCK | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW;

const LISTING_BYTES = 64 * 1024;

const F_GETPIPE_SZ = 1032;
const FIONREAD = 0x541bn;
const PAGE = 4096;

export function keptCalls(): KernelCalls {
  const { symbols } = Deno.dlopen(LIBC, KEPT);
  const { open, close, readlink, renameat2, getdents64, statx, fcntl, ioctl } = symbols;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const found = new Uint8Array(PATH_MAX);
  const listing = new Uint8Array(LISTING_BYTES);
  const status = new Uint8Array(STATX_BYTES);
  const unread = new Int32Array(1);

  function entries(descriptor: number): Deno.DirEntry[] | undefined {
    const all: Deno.DirEntry[] = [];
    for (;;) {
      const length = Number(getdents64?.(descriptor, listing, BigInt(LISTING_BYTES)) ?? -1);
      if (length < 0) return undefined;
      if (length === 0) return all;
      const complete = parseEntries(listing.subarray(0, length), all);
      if (!complete) return undefined; // a file system that does not tell what its entries are
    }
  }

  function look(descriptor: number, name: string): Deno.FileInfo | undefined {
    const failed = statx?.(descriptor, cString(name), AT_SYMLINK_NOFOLLOW, BASIC_STATS, status) !== 0;
    return failed ? undefined : parseStatx(status);
  }

  return {
    pathOf: (descriptor) => {
      const length = Number(readlink(cString(`/proc/self/fd/${descriptor}`), found, BigInt(PATH_MAX)));
      return length <= 0 || length === PATH_MAX ? undefined : decoder.decode(found.subarray(0, length));
    },
    exchange: (one, other) =>
      renameat2?.(NO_FOLDER, cString(one), NO_FOLDER, cString(other), RENAME_EXCHANGE) === 0,
    openFolder: (path): KernelFolder | undefined => {
      if (getdents64 === null || statx === null) return undefined; // an old C library
      const descriptor = open(cString(path), FOLDER_FLAGS);
      if (descriptor < 0) return undefined;
      return {
        descriptor,
        entries: () => entries(descriptor),
        look: (name) => look(descriptor, name),
        [Symbol.dispose]: () => void close(descriptor),
      };
    },
    pipeRoom: (descriptor) => {
      const capacity = fcntl(descriptor, F_GETPIPE_SZ, 0);
      if (capacity < 0 || ioctl(descriptor, FIONREAD, unread) !== 0) return undefined;
      // A pipe is a ring of pages. Two in a row hold more than one page together, so half of them are filled at least;
      // one may be half read, and one begun.
      return Math.max(0, capacity / 2 - 2 * PAGE - (unread[0] ?? 0));
    },
  };
}
