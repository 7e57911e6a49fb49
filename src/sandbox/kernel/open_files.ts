/**
 * How many files this process may have open, asked of the C library: the runtime lets a process with less than
 * all permissions, as an executable is, read nothing of it in /proc. Linux only.
 */
import { LIBC } from "./libc.ts";

const SYMBOLS = { getrlimit: { parameters: ["i32", "buffer"], result: "i32" } } as const;
const RLIMIT_NOFILE = 7;

/** Undefined where the library cannot be loaded, or there is no limit. */
export function openFilesLimit(): number | undefined {
  try {
    using libc = closing(Deno.dlopen(LIBC, SYMBOLS));
    const limits = new BigUint64Array(2); // the one in force, and how far it may be raised
    if (libc.symbols.getrlimit(RLIMIT_NOFILE, limits) !== 0) return undefined;
    const inForce = Number(limits[0]);
    return Number.isSafeInteger(inForce) ? inForce : undefined;
  } catch {
    return undefined; // another C library
  }
}

function closing<T extends { close(): void }>(library: T): T & Disposable {
  return Object.assign(library, { [Symbol.dispose]: () => library.close() });
}
