/**
 * The C library, by the runtime's interface to it. Loading it takes a permission (`ffi`) that the Worker gives back
 * as soon as the fence stands; functions that were loaded before go on working, so what is kept is chosen here.
 */
import { type KernelCalls } from "../../base/kernel.ts";

const SYMBOLS = {
  syscall: { parameters: ["i64", "i64", "i64", "i64", "i64"], result: "i64" },
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  __errno_location: { parameters: [], result: "pointer" },
} as const;

const KEPT = {
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32", optional: true },
} as const;

const NAME = "libc.so.6";

export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>;

export function openLibc(): Libc {
  return Deno.dlopen(NAME, SYMBOLS);
}

/** The number by which a structure is handed to the kernel. */
export function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
}

/** Why the last call failed. */
export function lastError({ symbols }: Libc): number {
  const place = symbols.__errno_location();
  return place === null ? 0 : new Deno.UnsafePointerView(place).getInt32();
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** As C takes it. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${text}\0`);
}

/** As long as a path can be. */
const PATH_MAX = 4096;
/** In place of a folder: the paths are absolute. */
const NO_FOLDER = -100;
const RENAME_EXCHANGE = 2;

/** What goes on working when no library can be loaded any more. */
export function keptCalls(): KernelCalls {
  const { readlink, renameat2 } = Deno.dlopen(NAME, KEPT).symbols;
  const found = new Uint8Array(PATH_MAX);
  return {
    pathOf: (descriptor) => {
      const length = Number(readlink(cString(`/proc/self/fd/${descriptor}`), found, BigInt(found.length)));
      return length <= 0 || length === found.length ? undefined : decoder.decode(found.subarray(0, length));
    },
    exchange: (one, other) =>
      renameat2?.(NO_FOLDER, cString(one), NO_FOLDER, cString(other), RENAME_EXCHANGE) === 0,
  };
}
