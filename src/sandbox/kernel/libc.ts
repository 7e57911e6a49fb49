/**
 * The C library through the runtime's foreign function interface: what setting up the fence needs. The runtime
 * compiles code for every function, which takes longer than its calls: so one of them makes all system calls.
 */

const SYMBOLS = {
  syscall: { parameters: ["i64", "i64", "i64", "i64", "i64", "i64"], result: "i64" },
  __errno_location: { parameters: [], result: "pointer" },
} as const;

export const LIBC = "libc.so.6";

export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>;

export function openLibc(): Libc {
  return Deno.dlopen(LIBC, SYMBOLS);
}

/** A system call by its number, with up to five numbers; -1 if it failed. */
export function systemCall({ symbols }: Libc, number: bigint, ...given: bigint[]): bigint {
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n] = given;
  return symbols.syscall(number, a, b, c, d, e);
}

/** The address by which a structure is passed to the kernel. */
export function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
}

/** The errno of the last call. */
export function lastError({ symbols }: Libc): number {
  const place = symbols.__errno_location();
  return place === null ? 0 : new Deno.UnsafePointerView(place).getInt32();
}

const encoder = new TextEncoder();

/** Zero-terminated. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${text}\0`);
}
