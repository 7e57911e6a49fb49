/** What kernels of every version are asked for, with a C library that only records it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { restrictThread } from "../../../src/sandbox/kernel/landlock.ts";
import type { Libc } from "../../../src/sandbox/kernel/libc.ts";
import { needs } from "../../support/needs.ts";

interface Asked {
  number: number;
  /** The third number given: a length, or the kind of a rule. */
  third: number;
}

/** close and prctl. */
const OTHERS = Deno.build.arch === "aarch64" ? [57n, 167n] : [3n, 157n];

/** `abi` below 0 means that the kernel has none, for this reason. */
function libcOf(abi: number, asked: Asked[]): Libc {
  const errno = new Int32Array([abi < 0 ? -abi : 0]);
  const symbols = {
    syscall: (number: bigint, first: bigint, third: bigint) => {
      if (number === 444n && first === 0n) return abi < 0 ? -1n : BigInt(abi);
      if (number === 437n) return 5n; // a place was opened
      if (OTHERS.includes(number)) return 0n;
      asked.push({ number: Number(number), third: Number(third) });
      return number === 444n ? 9n : 0n;
    },
    __errno_location: () => Deno.UnsafePointer.of(errno),
  };
  return { symbols, close: () => {} } as unknown as Libc;
}

const [CREATE, ADD, RESTRICT] = [444, 445, 446];
const [PATH, PORT] = [1, 2];
const RULES = { write: ["/a"], read: ["/b"], port: 8091 };

const LENGTHS: [abi: number, length: number, ports: boolean][] = [
  [2, 8, false],
  [3, 8, false],
  [4, 16, true],
  [5, 16, true],
  [6, 24, true],
  [7, 24, true],
  [12, 24, true],
];

for (const [abi, length, ports] of LENGTHS) {
  Deno.test({
    ...needs("Landlock")(`restrictThread asks a kernel of ABI ${abi} for what it supports`),
    fn: () => {
      const asked: Asked[] = [];
      assertEquals(restrictThread(libcOf(abi, asked), RULES), { abi });
      assertEquals(asked, [
        { number: CREATE, third: length },
        { number: ADD, third: PATH },
        { number: ADD, third: PATH },
        ...(ports ? [{ number: ADD, third: PORT }] : []),
        { number: RESTRICT, third: 0 },
      ]);
    },
  });
}

const MISSING: [abi: number, says: string][] = [
  [1, "Landlock ABI 1 cannot rename between folders"],
  [-38, "this kernel has no Landlock, or a container forbids it"],
  [-95, "Landlock is turned off in this kernel"],
  [-1, "Landlock is forbidden here"],
  [-12, "Landlock failed (error 12)"],
];

for (const [abi, says] of MISSING) {
  Deno.test({
    ...needs("Landlock")(`restrictThread says "${says}" and asks for nothing, given ${abi}`),
    fn: () => {
      const asked: Asked[] = [];
      const fence = restrictThread(libcOf(abi, asked), RULES);
      assertStringIncludes("missing" in fence ? fence.missing : "", says);
      assertEquals(asked, []);
    },
  });
}
