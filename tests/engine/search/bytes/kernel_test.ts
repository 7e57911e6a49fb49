import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Kernel,
  makeKernel,
  makeWasmKernel,
  type Probe,
  reachOf,
} from "../../../../src/engine/search/bytes/kernel.ts";
import { KERNEL_BASE64 } from "../../../../src/engine/search/bytes/kernel_bytes.ts";
import { PlainKernel } from "../../../../src/engine/search/bytes/kernel_plain.ts";
import { assembleKernel } from "../../../support/assemble_kernel.ts";

Deno.test("the kernel in the program is the assembled form of its source", async () => {
  assertEquals(KERNEL_BASE64, (await assembleKernel()).toBase64(), "run `deno task kernel`");
});

const CAPACITY = 300;

function kernels(): Kernel[] {
  const wasm = makeWasmKernel(CAPACITY);
  assert(wasm !== undefined, "this runtime has WebAssembly with SIMD");
  return [wasm, new PlainKernel(CAPACITY, wasm.bytes.length)];
}

/** The definition of a probe, implemented literally. */
function fits(probe: Probe, bytes: Uint8Array, place: number): boolean {
  if (probe.kind === "pair") {
    return probe.offsets.every((offset, i) => bytes[place + offset] === probe.bytes[i]) &&
      probe.others.every(({ offset, byte }) => bytes[place + offset] === byte);
  }
  if (probe.kind === "run") {
    return bytes.subarray(place, place + probe.length)
      .every((byte) => ((probe.tables[byte & 15] ?? 0) & (probe.tables[16 + (byte >> 4)] ?? 0)) !== 0);
  }
  let buckets = 255;
  for (const [i, offset] of probe.offsets.entries()) {
    const byte = bytes[place + offset] ?? 0;
    const table = probe.tables.subarray(32 * i, 32 * i + 32);
    buckets &= (table[byte & 15] ?? 0) & (table[16 + (byte >> 4)] ?? 0);
  }
  return buckets !== 0;
}

function firstPlace(probe: Probe, bytes: Uint8Array, { from, end }: { from: number; end: number }): number {
  const last = end - reachOf(probe);
  for (let place = from; place < last; place++) if (fits(probe, bytes, place)) return place;
  return -1;
}

/** How many places before the first have the two bytes of a pair, but not the others. */
function passedOver(
  probe: Probe,
  bytes: Uint8Array,
  { from, end, place }: { from: number; end: number; place: number },
): number {
  if (probe.kind !== "pair") return 0;
  const two = { ...probe, others: [] };
  const last = place < 0 ? end - reachOf(probe) : place;
  let count = 0;
  for (let i = from; i < last; i++) if (fits(two, bytes, i)) count++;
  return count;
}

const offset = fc.oneof(fc.nat(3), fc.nat(31));
const byte = fc.oneof(fc.constantFrom(0x61, 0x62, 0x0a, 0xe9, 0xff, 0), fc.nat(255));
const probe: fc.Arbitrary<Probe> = fc.oneof(
  fc.record({
    kind: fc.constant("pair" as const),
    offsets: fc.tuple(offset, offset),
    bytes: fc.tuple(byte, byte),
    others: fc.oneof(fc.constant([]), fc.array(fc.record({ offset, byte }), { maxLength: 30 })),
  }),
  fc.record({
    kind: fc.constant("classes" as const),
    offsets: fc.tuple(offset, offset, offset),
    tables: fc.uint8Array({ minLength: 96, maxLength: 96 })
      .map((tables) => tables.map((bits) => bits & (bits << 1))), // few bits: not every place matches
  }),
  fc.record({
    kind: fc.constant("run" as const),
    length: fc.integer({ min: 1, max: 32 }),
    tables: fc.uint8Array({ minLength: 32, maxLength: 32 }), // many bits: some rows are long
  }),
);

Deno.test("kernels find the same as a plain loop, wherever it is", () => {
  const all = kernels();
  fc.assert(
    fc.property(
      fc.array(byte, { minLength: CAPACITY, maxLength: CAPACITY }),
      fc.array(probe, { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.nat(CAPACITY), fc.nat(CAPACITY)),
      (content, probes, [a, b]) => {
        const bytes = Uint8Array.from(content);
        const [from, end] = [Math.min(a, b), Math.max(a, b)];
        for (const kernel of all) {
          kernel.bytes.set(bytes);
          for (const one of probes) {
            kernel.aim(one);
            const place = firstPlace(one, bytes, { from, end });
            assertEquals(kernel.find(from, end), place);
            assertEquals(kernel.passed, passedOver(one, bytes, { from, end, place }));
          }
          const part = bytes.subarray(from, end);
          const wanted = content[0] ?? 0;
          assertEquals(
            kernel.indexOf(wanted, from, end),
            part.includes(wanted) ? from + part.indexOf(wanted) : -1,
          );
          assertEquals(kernel.count(wanted, from, end), part.filter((value) => value === wanted).length);
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("kernels count in long text, and find what is far away", () => {
  for (const kernel of [makeKernel(50_000), new PlainKernel(50_000, 50_100)]) {
    kernel.bytes.fill(0x78, 0, 49_000);
    kernel.bytes[48_999] = 0x79;
    assertEquals(kernel.count(0x78, 0, 50_000), 48_999);
    assertEquals(kernel.count(0x78, 7, 4_200), 4_193);
    for (const from of [0, 1, 48_930, 48_999]) assertEquals(kernel.indexOf(0x79, from, 50_000), 48_999);
    assertEquals(kernel.indexOf(0x79, 0, 48_999), -1);
  }
});

Deno.test("makeKernel has room for the requested capacity, up to the last byte", () => {
  for (const capacity of [1, 65_000, 65_536, 256 * 1024]) {
    const kernel = makeKernel(capacity);
    assertEquals(kernel.capacity, capacity);
    kernel.bytes[capacity - 1] = 0x78;
    kernel.aim({ kind: "pair", offsets: [0, 0], bytes: [0x78, 0x78], others: [] });
    assertEquals(kernel.find(0, capacity), capacity - 1);
    assertEquals(kernel.find(0, capacity - 1), -1);
    assertEquals(kernel.count(0x78, 0, capacity), 1);
  }
});

Deno.test("a kernel without a probe finds nothing", () => {
  for (const kernel of kernels()) assertEquals(kernel.find(0, CAPACITY), -1);
});

/** What runtimes without a working WebAssembly do: it is missing, or it throws an error of their own. */
const BROKEN: [name: string, value: unknown][] = [
  ["is not there", undefined],
  ["throws a TypeError for every instance", {
    Memory: WebAssembly.Memory,
    Module: WebAssembly.Module,
    Instance: class {
      constructor() {
        throw new TypeError("not supported");
      }
    },
  }],
];

for (const [name, value] of BROKEN) {
  Deno.test(`makeKernel returns the plain kernel when WebAssembly ${name}`, () => {
    const found = Object.getOwnPropertyDescriptor(globalThis, "WebAssembly") ?? {};
    Object.defineProperty(globalThis, "WebAssembly", { ...found, value });
    try {
      assertEquals(makeWasmKernel(CAPACITY), undefined);
      const kernel = makeKernel(CAPACITY);
      assert(kernel instanceof PlainKernel);
      kernel.bytes.set(new TextEncoder().encode("a needle"));
      kernel.aim({ kind: "pair", offsets: [0, 1], bytes: [0x6e, 0x65], others: [] });
      assertEquals(kernel.find(0, 8), 2);
    } finally {
      Object.defineProperty(globalThis, "WebAssembly", found);
    }
  });
}
