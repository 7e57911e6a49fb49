/**
 * The part of a search that every byte goes through: finding places where a match is possible, and counting
 * newlines. It works on its own buffer, so nothing is copied. Where WebAssembly with SIMD is available it does
 * the work (its source is kernel.wat); elsewhere plain TypeScript does the same, slower.
 */
import { KERNEL_BASE64 } from "./kernel_bytes.ts";
import { PlainKernel } from "./kernel_plain.ts";

/** Two bytes, each at an offset from the place. Where they match, the others must match too. */
export interface PairProbe {
  readonly kind: "pair";
  readonly offsets: readonly [number, number];
  readonly bytes: readonly [number, number];
  /** 30 at most; the last is checked first. */
  readonly others: readonly ByteAt[];
}

export interface ByteAt {
  readonly offset: number;
  readonly byte: number;
}

/**
 * Three bytes, each at an offset from the place, and all in one bucket of eight. For each of the three, 32
 * bytes of `tables`: the buckets a byte may be in by its low half (16), and by its high half (16), as bits.
 * The third is checked only where the first two match.
 */
export interface ClassProbe {
  readonly kind: "classes";
  readonly offsets: readonly [number, number, number];
  readonly tables: Uint8Array;
}

/** Bytes of one kind in a row, starting at the place: 32 at most. The tables are like those of one of the three. */
export interface RunProbe {
  readonly kind: "run";
  readonly length: number;
  readonly tables: Uint8Array;
}

export type Probe = PairProbe | ClassProbe | RunProbe;

export const MAX_OFFSET = 31;

/** The offset of the last byte that a probe reads. */
export function reachOf(probe: Probe): number {
  if (probe.kind === "run") return probe.length - 1;
  const others = probe.kind === "pair" ? probe.others.map(({ offset }) => offset) : [];
  return Math.max(...probe.offsets, ...others);
}

export const TABLE_BYTES = 96;
/** Where, in the place of the tables, the bytes of the others lie; where the places are counted; and the buffer. */
const OTHERS_AT = 32;
const PASSED_AT = TABLE_BYTES;
const BUFFER_AT = 112;
/** Bytes after a kernel's capacity: for a last newline, and because it reads 16 bytes at a time. */
const SPARE = 64 + MAX_OFFSET;
const PAGE = 64 * 1024;

/** For one search at a time: two searches must not read files into the same buffer. */
export interface Kernel {
  /** Its buffer: `capacity` bytes to read files into, and a few to spare. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly capacity: number;
  /** Sets what `find` searches for from now on. */
  aim(probe: Probe): void;
  /** The first place from `from` on where all bytes of the probe are found before `end`; -1 when there is none. */
  find(from: number, end: number): number;
  /** How many places the last `find` passed over that had two bytes of a pair but not the others. */
  readonly passed: number;
  /** The first place of a byte; -1 when there is none before `end`. */
  indexOf(byte: number, from: number, end: number): number;
  count(byte: number, from: number, end: number): number;
}

export function makeKernel(capacity: number): Kernel {
  return makeWasmKernel(capacity) ?? new PlainKernel(capacity, capacity + SPARE);
}

/**
 * Undefined where the runtime has no WebAssembly, no SIMD in it, or no room for its memory. Each runtime has an
 * error of its own for that (QuickJS's is a TypeError); in every case the plain kernel can do the work.
 */
export function makeWasmKernel(capacity: number): Kernel | undefined {
  try {
    return new WasmKernel(capacity);
  } catch {
    return undefined;
  }
}

interface Functions {
  pair(at: number, end: number, i: number, first: number, j: number, second: number, others: number): number;
  classes(at: number, end: number, i: number, j: number, k: number): number;
  run(at: number, end: number, length: number): number;
  count(at: number, end: number, byte: number): number;
}

/** Shared by all kernels: code that was optimized in one search stays so for the next. */
let compiled: WebAssembly.Module | undefined;

class WasmKernel implements Kernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly capacity: number;
  readonly #tables: Uint8Array;
  readonly #passed: Int32Array;
  readonly #run: Functions;
  #probe: Probe | undefined;
  #reach = 0;

  constructor(capacity: number) {
    const pages = Math.ceil((BUFFER_AT + capacity + SPARE) / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { buffer } = memory as { readonly buffer: ArrayBuffer }; // it is not a shared one
    compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(KERNEL_BASE64));
    const { exports } = new WebAssembly.Instance(compiled, { search: { memory } });
    this.#run = exports as unknown as Functions;
    this.#tables = new Uint8Array(buffer, 0, TABLE_BYTES);
    this.#passed = new Int32Array(buffer, PASSED_AT, 1);
    this.bytes = new Uint8Array(buffer, BUFFER_AT, capacity + SPARE);
    this.capacity = capacity;
  }

  aim(probe: Probe): void {
    this.#probe = probe;
    this.#reach = reachOf(probe);
    if (probe.kind !== "pair") this.#tables.set(probe.tables);
    else {
      for (const [i, { offset, byte }] of probe.others.entries()) {
        this.#tables[i] = offset;
        this.#tables[OTHERS_AT + i] = byte;
      }
    }
  }

  find(from: number, end: number): number {
    const probe = this.#probe;
    if (probe === undefined) return -1;
    const last = end - this.#reach;
    const found = this.#find(probe, from + BUFFER_AT, last + BUFFER_AT) - BUFFER_AT;
    return found < last && from < last ? found : -1;
  }

  get passed(): number {
    return this.#probe?.kind === "pair" ? this.#passed[0] ?? 0 : 0;
  }

  #find(probe: Probe, at: number, last: number): number {
    switch (probe.kind) {
      case "pair": {
        const [i, j] = probe.offsets;
        return this.#run.pair(at, last, i, probe.bytes[0], j, probe.bytes[1], probe.others.length);
      }
      case "classes": {
        const [i, j, k] = probe.offsets;
        return this.#run.classes(at, last, i, j, k);
      }
      case "run":
        return this.#run.run(at, last, probe.length);
    }
  }

  indexOf(byte: number, from: number, end: number): number {
    const found = this.#run.pair(from + BUFFER_AT, end + BUFFER_AT, 0, byte, 0, byte, 0) - BUFFER_AT;
    return found < end ? found : -1;
  }

  count(byte: number, from: number, end: number): number {
    return this.#run.count(from + BUFFER_AT, end + BUFFER_AT, byte);
  }
}
