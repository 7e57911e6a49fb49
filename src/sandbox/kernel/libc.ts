/** The C library through the runtime's foreign function interface: what setting up the fence needs. */

const SYMBOLS = {
  syscall: { parameters: ["i64", "i64", "i64", "i64", "i64"], result: "i64" },
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  __errno_location: { parameters: [], result: "pointer" },
} as const;

export const LIBC = "libc.so.6";

export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>;

export function openLibc(): Libc {
  return Deno.dlopen(LIBC, SYMBOLS);
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
