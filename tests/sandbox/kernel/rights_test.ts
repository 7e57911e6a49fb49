import { assertEquals } from "@std/assert";
import { pathRights, pathRule, portRule, rulesetAttributes } from "../../../src/sandbox/kernel/rights.ts";

/** By ABI: how many bytes the kernel gets, and which rights are taken away. From linux/landlock.h. */
const RULESETS: [abi: number, fields: bigint[]][] = [
  [1, [0x1fffn]],
  [2, [0x3fffn]],
  [3, [0x7fffn]],
  [4, [0x7fffn, 3n]],
  [5, [0xffffn, 3n]],
  [6, [0xffffn, 3n, 3n]],
  [7, [0xffffn, 3n, 3n]],
  [99, [0xffffn, 3n, 3n]], // later rights are not requested
];

for (const [abi, fields] of RULESETS) {
  Deno.test(`rulesetAttributes takes away the rights that ABI ${abi} knows, and nothing else`, () => {
    assertEquals([...new BigUint64Array(rulesetAttributes(abi).buffer)], fields);
  });
}

const EXECUTE = 1n;
const MAKE_DEVICES = 1n << 6n | 1n << 11n;
const IOCTL_DEV = 1n << 15n;

for (const abi of [1, 2, 3, 4, 5, 6, 7]) {
  Deno.test(`pathRights never allows executing anything or creating a device, at ABI ${abi}`, () => {
    for (const write of [true, false]) {
      for (const directory of [true, false]) {
        const rights = pathRights(abi, { write, directory });
        assertEquals(rights & (EXECUTE | MAKE_DEVICES | IOCTL_DEV), 0n);
        const handled = new BigUint64Array(rulesetAttributes(abi).buffer)[0] ?? 0n;
        assertEquals(rights & ~handled, 0n, "the kernel refuses a rule with rights that it was not given");
      }
    }
  });
}

Deno.test("pathRights allows reading and listing a read-only directory, and reading a read-only file", () => {
  assertEquals(pathRights(7, { write: false, directory: true }), 0b1100n);
  assertEquals(pathRights(7, { write: false, directory: false }), 0b0100n);
});

Deno.test("pathRights allows writing, truncating and reading a file, and nothing that only directories have", () => {
  assertEquals(pathRights(7, { write: true, directory: false }), 1n << 1n | 1n << 2n | 1n << 14n);
});

Deno.test("pathRights includes renaming between folders from ABI 2 on, and truncating a file from 3 on", () => {
  const has = (abi: number, bit: bigint) =>
    (pathRights(abi, { write: true, directory: true }) >> bit & 1n) === 1n;
  assertEquals([1, 2, 3].map((abi) => has(abi, 13n)), [false, true, true]);
  assertEquals([1, 2, 3].map((abi) => has(abi, 14n)), [false, false, true]);
});

Deno.test("pathRule and portRule have the bytes that the kernel expects", () => {
  assertEquals([...pathRule(0x1234n, 7)], [0x34, 0x12, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0]);
  assertEquals([...portRule(8091)], [1, 0, 0, 0, 0, 0, 0, 0, 0x9b, 0x1f, 0, 0, 0, 0, 0, 0]);
});
