/**
 * What the C library reports about this process. The runtime lets a process with less than all permissions, as an
 * executable is, read nothing of that in /proc. Linux only.
 */
import { cString, LIBC } from "./libc.ts";

/** Loaded for each question separately: the runtime compiles code for every function, which takes longer than its call. */
const OF_LIMITS = { getrlimit: { parameters: ["i32", "buffer"], result: "i32" } } as const;
const OF_TERMINALS = {
  getpgrp: { parameters: [], result: "i32" },
  tcgetpgrp: { parameters: ["i32"], result: "i32" },
} as const;
const OF_DESCRIPTORS = {
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
} as const;

const RLIMIT_NOFILE = 7;
const F_GETFL = 3;

/** The limit on open files; undefined where there is none. */
export function openFilesLimit(): number | undefined {
  return asked(OF_LIMITS, ({ getrlimit }) => {
    const limits = new BigUint64Array(2); // the one in force, and how far it may be raised
    if (getrlimit(RLIMIT_NOFILE, limits) !== 0) return undefined;
    const inForce = Number(limits[0]);
    return Number.isSafeInteger(inForce) ? inForce : undefined;
  });
}

/** Whether standard input is a terminal that another program has. */
export function isInBackgroundOfTerminal(): boolean | undefined {
  return asked(OF_TERMINALS, ({ getpgrp, tcgetpgrp }) => {
    const foreground = tcgetpgrp(0);
    return foreground > 0 && foreground !== getpgrp();
  });
}

export interface Descriptor {
  path: string;
  flags: number;
}

/** Where each descriptor leads, and the flags it was opened with. */
export function descriptors(numbers: readonly number[]): (Descriptor | undefined)[] {
  const look = (symbols: Deno.DynamicLibrary<typeof OF_DESCRIPTORS>["symbols"], fd: number) => {
    const path = new Uint8Array(256);
    const length = Number(symbols.readlink(cString(`/proc/self/fd/${fd}`), path, BigInt(path.length)));
    if (length < 0) return undefined;
    return { path: new TextDecoder().decode(path.subarray(0, length)), flags: symbols.fcntl(fd, F_GETFL) };
  };
  return asked(OF_DESCRIPTORS, (symbols) => numbers.map((fd) => look(symbols, fd))) ?? [];
}

/** Undefined where the library may not or cannot be loaded. */
function asked<S extends Deno.ForeignLibraryInterface, T>(
  functions: S,
  question: (symbols: Deno.DynamicLibrary<S>["symbols"]) => T | undefined,
): T | undefined {
  if (Deno.build.os !== "linux" || Deno.permissions.querySync({ name: "ffi" }).state !== "granted") {
    return undefined;
  }
  try {
    const library = Deno.dlopen(LIBC, functions);
    try {
      return question(library.symbols);
    } finally {
      library.close();
    }
  } catch {
    return undefined; // another C library
  }
}
