/**
 * Starts a program in which the kernel refuses Landlock, as a container's rules would: `deno run -A
 * forbid_landlock.ts ERRNO PROGRAM ARGUMENT…`. The rules apply to this thread, and what it starts inherits them.
 */
const [errno = "", program = "", ...args] = Deno.args;

/** One instruction of the kernel's filter: code, jumps, value. */
function instruction(code: number, [yes, no]: [number, number], value: number): number[] {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setUint16(0, code, true);
  bytes.setUint8(2, yes);
  bytes.setUint8(3, no);
  bytes.setUint32(4, value, true);
  return [...new Uint8Array(bytes.buffer)];
}

const LOAD_NUMBER = 0x20;
const IF_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const CREATE_RULESET = 444;

const filter = new Uint8Array([
  ...instruction(LOAD_NUMBER, [0, 0], 0),
  ...instruction(IF_EQUAL, [0, 1], CREATE_RULESET),
  ...instruction(RETURN, [0, 0], REFUSE | Number(errno)),
  ...instruction(RETURN, [0, 0], ALLOW),
]);
const addressOf = (bytes: Uint8Array<ArrayBuffer>) =>
  BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
const head = new Uint8Array(16);
new DataView(head.buffer).setUint16(0, filter.length / 8, true);
new DataView(head.buffer).setBigUint64(8, addressOf(filter), true);

const libc = Deno.dlopen("libc.so.6", {
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
});
const PR_SET_NO_NEW_PRIVS = 38;
const PR_SET_SECCOMP = 22;
const FILTER = 2n;
if (libc.symbols.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n) !== 0) throw new Error("no_new_privs");
if (libc.symbols.prctl(PR_SET_SECCOMP, FILTER, addressOf(head), 0n, 0n) !== 0) throw new Error("seccomp");

const { code } = await new Deno.Command(program, {
  args,
  stdin: "inherit",
  stdout: "inherit",
  stderr: "inherit",
})
  .spawn().status;
Deno.exit(code);
