/**
 * What the C library reports about this process. The runtime lets a process with less than all permissions, as an
 * executable is, read nothing of that in /proc. Linux only.
 */
import { cString, LIBC } from "./libc.ts";

const SYMBOLS = {
  getrlimit: { parameters: ["i32", "buffer"], result: "i32" },
  getpgrp: { parameters: [], result: "i32" },
  tcgetpgrp: { parameters: ["i32"], result: "i32" },
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
} as const;

const RLIMIT_NOFILE = 7;
const F_GETFL = 3;

type Symbols = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** The limit on open files; undefined where there is none. */
export function openFilesLimit(): number | undefined {
  return asked(({ getrlimit }) => {
    const limits = new BigUint64Array(2); // the one in force, and how far it may be raised
    if (getrlimit(RLIMIT_NOFILE, limits) !== 0) return undefined;
    const inForce = Number(limits[0]);
    return Number.isSafeInteger(inForce) ? inForce : undefined;
  });
}

/** Whether standard input is a terminal that another program has. */
export function isInBackgroundOfTerminal(): boolean | undefined {
  return asked(({ getpgrp, tcgetpgrp }) => {
    const foreground = tcgetpgrp(0);
    return foreground > 0 && foreground !== getpgrp();
  });
}

/** Where a descriptor leads, and the flags it was opened with. */
export function descriptor(fd: number): { path: string; flags: number } | undefined {
  return asked(({ readlink, fcntl }) => {
    const path = new Uint8Array(256);
    const length = Number(readlink(cString(`/proc/self/fd/${fd}`), path, BigInt(path.length)));
    if (length < 0) return undefined;
    return { path: new TextDecoder().decode(path.subarray(0, length)), flags: fcntl(fd, F_GETFL) };
  });
}

/** Undefined where the library may not or cannot be loaded. */
function asked<T>(question: (symbols: Symbols) => T | undefined): T | undefined {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "ffi" }).state !== "granted") {
    return undefined;
  }
  try {
    const library = Deno.dlopen(LIBC, SYMBOLS);
    try {
      return question(library.symbols);
    } finally {
      library.close();
    }
  } catch {
    return undefined; // another C library
  }
}
