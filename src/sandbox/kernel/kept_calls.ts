/**
 * Loading a library takes a permission (`ffi`) that the Worker gives up as soon as the fence is in force.
 * Functions loaded before that keep working; these few are kept. The reason for a failure can no longer be
 * looked up, so every caller has another way, which reports it.
 */
import type { KernelCalls } from "../../base/kernel.ts";
import { FOLDER_CALLS, keptFolders, NO_FOLDER, PATH_BYTES } from "./kept_folders.ts";
import { cString, LIBC } from "./libc.ts";

const KEPT = {
  ...FOLDER_CALLS,
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32", optional: true },
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "i32" }, // never more than a buffer
  malloc_trim: { parameters: ["usize"], result: "i32", optional: true },
} as const;

const RENAME_EXCHANGE = 2;

const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

const F_SETPIPE_SZ = 1031;
const F_GETPIPE_SZ = 1032;
/** The most that any user may ask for by default. Memory is only used as the pipe fills. */
const PIPE_BYTES = 1024 * 1024;
const FIONREAD = 0x541bn;
const PAGE = 4096;

export function keptCalls(): KernelCalls {
  const { symbols } = Deno.dlopen(LIBC, KEPT);
  const { readlink, renameat2, fcntl, ioctl, send, malloc_trim: trim } = symbols;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const found = new Uint8Array(PATH_BYTES);
  const unread = new Int32Array(1);
  return {
    pathOf: (descriptor) => {
      const length = Number(readlink(cString(`/proc/self/fd/${descriptor}`), found, BigInt(PATH_BYTES)));
      return length <= 0 || length === PATH_BYTES ? undefined : decoder.decode(found.subarray(0, length));
    },
    exchange: (one, other) =>
      renameat2?.(NO_FOLDER, cString(one), NO_FOLDER, cString(other), RENAME_EXCHANGE) === 0,
    ...keptFolders(symbols),
    trimHeap: () => void trim?.(0n),
    widenPipe: (descriptor) => void fcntl(descriptor, F_SETPIPE_SZ, PIPE_BYTES),
    sendNow: (descriptor, bytes) => {
      const sent = send(descriptor, bytes, BigInt(bytes.length), MSG_DONTWAIT | MSG_NOSIGNAL);
      return sent < 0 ? undefined : sent;
    },
    pipeRoom: (descriptor) => {
      const capacity = fcntl(descriptor, F_GETPIPE_SZ, 0);
      if (capacity < 0 || ioctl(descriptor, FIONREAD, unread) !== 0) return undefined;
      // A pipe is a ring of pages. Any two adjacent pages together hold more than one page of data, so at
      // least half of the ring is filled; one page may be partly read, and one partly written.
      return Math.max(0, capacity / 2 - 2 * PAGE - (unread[0] ?? 0));
    },
  };
}
